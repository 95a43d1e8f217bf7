#include "methods/umap_parts.h"

#include <algorithm>

#include "core/memory.h"
#include "layout/umap_start.h"
#include "neighbors/input_neighbors.h"

namespace unroll {

NeighborOptions umap_search(const UmapOptions& options) {
  return {.metric = options.metric,
          .p = options.p,
          .algorithm = options.neighbors_algorithm,
          .random_state = options.random_state};
}

Neighbors umap_neighbors(const Input& input, const UmapOptions& options, const Run& run) {
  constexpr double kEntryBytes = 96;  // of the memberships, their transpose, the graph and the optimiser's edges
  const auto n = static_cast<double>(input.size());
  const double k = input.is_sparse() ? static_cast<double>(input.sparse().values.size()) / std::max(n, 1.0)
                                     : static_cast<double>(*options.n_neighbors);
  MemoryPlan().add("the fuzzy graph", n, k, kEntryBytes).require(run, "use a smaller n_neighbors, or fewer points");
  NeighborOptions search = umap_search(options);
  search.n_neighbors = options.n_neighbors;
  return input_neighbors(input, search, run);
}

StartedMap umap_start(const Input& input, const SparseMatrix& graph, const Components& components,
                      const UmapOptions& options, const Run& run) {
  if (input.resume != nullptr) return {};
  const auto seed = static_cast<std::uint64_t>(options.random_state);
  const Index n = input.size(), dims = options.n_components;
  StartedMap start;
  if (options.init == LayoutStart::Given) {
    start.coordinates = Array2<double>(n, dims);
    input.init->visit([&](auto given) {
      for (Index i = 0; i < n; ++i) std::copy_n(given.row(i), dims, start.coordinates.row(i));
    });
  } else if (options.init == LayoutStart::Random) {
    start.coordinates = random_start(n, dims, seed);
  } else if (options.init == LayoutStart::Pca) {
    start = pca_start(input.full(), dims, seed, run);
  } else {
    const bool has_points = input.kind() == InputKind::Points;
    start = umap_spectral_start(graph, components, has_points ? std::optional(input.full()) : std::nullopt, dims, seed,
                                run);
  }
  scale_umap_start(start.coordinates, seed);
  return start;
}

}  // namespace unroll
