#include "neighbors/search_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/memory.h"
#include "unroll/core/error.h"

namespace unroll {

SearchLimits resolve_search_limits(const NeighborOptions& options, Index n) {
  constexpr Index kDefault = 10;
  validate_options(options, NeighborOptions::method_name);
  SearchLimits limits;
  if (options.radius) limits.radius = *options.radius;
  if (options.n_neighbors) {
    if (*options.n_neighbors >= n)
      throw Error(ErrorKind::InvalidOption,
                  fmt::format("n_neighbors={} must be less than the number of points, {}", *options.n_neighbors, n),
                  "use a smaller n_neighbors");
    limits.count = *options.n_neighbors;
  } else if (!options.radius) {
    limits.count = std::min(kDefault, n - 1);
  }
  return limits;
}

void plan_graph(Index rows, SearchLimits limits, const Run& run) {
  if (limits.count == SearchLimits::kAll) return;
  // The graph, and during the search the lists of candidates or a copy of the graph.
  MemoryPlan plan;
  plan.add("the neighbor graph", static_cast<double>(rows), static_cast<double>(limits.count), 2 * sizeof(Candidate));
  plan.require(run, "use a smaller n_neighbors or fewer points");
}

void plan_search(Index rows, double coordinates, double bytes, const Run& run) {
  MemoryPlan plan;
  plan.add("the points as the search sees them", static_cast<double>(rows), coordinates, bytes);
  plan.require(run, "use fewer points, or fewer features (embed -m pca)");
}

}  // namespace unroll
