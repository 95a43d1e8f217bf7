#include "neighbors/search_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/memory.h"
#include "unroll/core/error.h"

namespace unroll {

void check_n_neighbors(std::int64_t n_neighbors, Index n) {
  if (n_neighbors < n) return;
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("n_neighbors={} must be less than the number of points, {}", n_neighbors, n),
               .advice = "use a smaller n_neighbors",
               .option = "n_neighbors"});
}

SearchLimits resolve_search_limits(const NeighborOptions& options, Index n) {
  constexpr Index kDefaultNeighbors = 10;
  validate_options(options, NeighborOptions::method_name);
  SearchLimits limits;
  if (options.radius) limits.radius = *options.radius;
  if (options.n_neighbors) {
    check_n_neighbors(*options.n_neighbors, n);
    limits.count = *options.n_neighbors;
  } else if (!options.radius) {
    limits.count = std::min(kDefaultNeighbors, n - 1);
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
