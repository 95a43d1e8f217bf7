#include "neighbors/wanted.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/memory.h"
#include "unroll/core/error.h"

namespace unroll {

Wanted resolve_wanted(const NeighborOptions& options, Index n) {
  constexpr Index kDefault = 10;
  validate_options(options, NeighborOptions::method_name);
  Wanted wanted;
  if (options.radius) wanted.radius = *options.radius;
  if (options.n_neighbors) {
    if (*options.n_neighbors >= n)
      throw Error(ErrorKind::InvalidOption,
                  fmt::format("n_neighbors={} must be less than the number of points, {}", *options.n_neighbors, n),
                  "use a smaller n_neighbors");
    wanted.count = *options.n_neighbors;
  } else if (!options.radius) {
    wanted.count = std::min(kDefault, n - 1);
  }
  return wanted;
}

void plan_graph(Index rows, Wanted wanted, const Run& run) {
  if (wanted.count == Wanted::kAll) return;
  // The graph, and while it is built the lists of candidates or a copy of it.
  MemoryPlan plan;
  plan.add("the neighbor graph", static_cast<double>(rows), static_cast<double>(wanted.count), 2 * sizeof(Candidate));
  plan.require(run, "use a smaller n_neighbors or fewer points");
}

void plan_search(Index rows, double coordinates, double bytes, const Run& run) {
  MemoryPlan plan;
  plan.add("the points as the search sees them", static_cast<double>(rows), coordinates, bytes);
  plan.require(run, "use fewer points, or fewer features (embed -m pca)");
}

}  // namespace unroll
