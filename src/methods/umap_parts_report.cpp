#include <fmt/format.h>

#include <algorithm>

#include "methods/umap_parts.h"

namespace unroll {

UmapSettings umap_settings(const UmapOptions& options, std::uint64_t seed) {
  return {.n_epochs = *options.n_epochs,
          .curve = {*options.a, *options.b},
          .repulsion_strength = options.repulsion_strength,
          .learning_rate = options.learning_rate,
          .negative_sample_rate = options.negative_sample_rate,
          .seed = seed};
}

UmapPlacer::Settings umap_placing(const UmapSettings& settings, const UmapOptions& options,
                                  const SmoothDistances& smooth) {
  return {.curve = settings.curve,
          .local_connectivity = options.local_connectivity,
          .repulsion_strength = settings.repulsion_strength,
          .learning_rate = settings.learning_rate / 4,
          .negative_sample_rate = settings.negative_sample_rate,
          .n_epochs = std::max<Index>(1, settings.n_epochs / 3),
          .seed = static_cast<Index>(settings.seed),
          .mean_distance = smooth.mean,
          .unit = smooth.unit};
}

NeighborOptions umap_placing_search(const Input& input, const UmapOptions& options) {
  NeighborOptions search = umap_search(options);
  search.n_neighbors = UmapOptions::needed_neighbors(options, input.size());
  return search;
}

Attributes umap_attributes(const SparseMatrix& graph, const Components& components, const SearchReport& search,
                           double loss) {
  return {{"cross_entropy", loss},
          {"graph_edges", std::ssize(graph.values) / 2},
          {"components", components.count()},
          {"recall", search.recall}};
}

void add_umap_warnings(const SearchReport& search, const StartedMap& start, const Components& components,
                       MethodFit& fit) {
  std::vector<Warning>& warnings = fit.embedding.warnings;
  warnings.insert(warnings.begin(), start.warnings.begin(), start.warnings.end());
  warnings.insert(warnings.begin(), search.warnings.begin(), search.warnings.end());
  if (components.count() > 1)
    warnings.push_back(
        {"several-components",
         fmt::format("the graph is in {} parts: how they lie to each other means nothing", components.count()),
         "use a larger n_neighbors"});
}

}  // namespace unroll
