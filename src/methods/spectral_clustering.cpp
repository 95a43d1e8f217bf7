#include "unroll/methods/spectral_clustering.h"

#include <algorithm>
#include <numeric>

#include "frame/frame.h"
#include "frame/graph_options.h"
#include "frame/map_by_landmarks.h"
#include "graph/cluster_assignment.h"
#include "graph/cluster_report.h"
#include "graph/cluster_rotation.h"
#include "graph/cluster_transformer.h"
#include "sources/graph_model.h"
#include "sources/graph_source.h"
#include "spectral/independent_map.h"

namespace unroll {
namespace {

using Options = SpectralClusteringOptions;

void resolve(const Input& input, Options& options) {
  const Index n = input.size(), landmarks = options.n_landmarks.value_or(n);
  const std::string by_landmarks = fmt::format("n_landmarks={}", landmarks), more = ", or a larger n_landmarks";
  check_at_most("n_clusters", options.n_clusters, n, fmt::format("the number of points, {}", n));
  check_at_most("n_clusters", options.n_clusters, landmarks, by_landmarks, more);
  if (options.n_landmarks)
    check_at_most("n_components", options.n_components.value_or(1), landmarks, by_landmarks, more);
  if (options.components == ComponentsPolicy::Separate)
    throw Error(ErrorKind::InvalidOption,
                "components=separate draws a map of each part, but clusters need one map of all",
                "use keep, connect or error");
  if (!options.n_components) options.n_components = options.n_clusters;
  check_assignment(options.assign_labels, *options.n_components, options.n_clusters);
  resolve_graph_options(input, options);
}

/// The eigenvectors of the graph, and W.
struct GraphMap {
  MethodFit fit = {};
  Affinity affinity = {};
};
GraphMap graph_map(const Input& input, const Options& options, const Run& run) {
  // 1. W: the graph of neighbours, its edges weighed by heat.
  AffinityOptions graph = affinity_options(options);
  graph.policy.can_separate = false;
  AffinityFit affinity = make_affinity(input, graph, run);
  // 2. The table's row: the Laplacian of W and its smallest eigenpairs; some more, to see the gap behind them.
  const Recipe& row = find_recipe(SpectralMethod::SpectralClustering, options.laplacian);
  const Components& components = affinity.affinity.components;
  GraphSource source(row, affinity.affinity, 0, run);
  source.set_dimension(affinity.dimension);
  SpectralFit map = embed(row, source,
                          {.n_components = eigenvalues_to_see(components, options.n_clusters, *options.n_components),
                           .solver = options.eigen_solver,
                           .seed = static_cast<std::uint64_t>(options.random_state),
                           .unit = affinity.unit,
                           .given_weights = affinity.given},
                          run);
  std::vector<Index> first(static_cast<std::size_t>(*options.n_components));
  std::iota(first.begin(), first.end(), Index{0});
  select_columns({std::move(first)}, {}, map);
  const Index suggested = suggested_clusters(map.spectrum.values, components.count());
  GraphMap result{.affinity = std::move(affinity.affinity)};
  result.fit = graph_fit(std::move(affinity), std::move(map));
  result.fit.embedding.attributes.emplace_back("suggested_clusters", std::int64_t{suggested});
  return result;
}

MethodFit map(const Input& input, const Options& options, const Run& run) {
  GraphMap graph;
  if (options.n_landmarks) {
    graph.fit = map_by_landmarks<Options>(input, options, run, [](const Input& some, const Options& own, const Run& r) {
      return graph_map(some, own, r).fit;
    });
  } else {
    graph = graph_map(input, options, run);
  }
  // 3. K-means of the rows of the eigenvectors, or a rotation that turns them to axes.
  MethodFit fit = std::move(graph.fit);
  Embedding& embedding = fit.embedding;
  ClusterAssignment found = find_clusters(embedding.coordinates, options.assign_labels, options.n_clusters,
                                          options.n_init, options.random_state, run);
  const bool has_graph = graph.affinity.components.count() > 0;  // of all points
  report_clusters(found, has_graph ? &graph.affinity : nullptr, embedding, run);
  auto clusters = std::make_shared<const ClusterTransformer>(std::move(fit.transformer), std::move(found.centers),
                                                             std::move(found.directions));
  fit.labels = clusters->labels_of(embedding.coordinates, run);
  fit.transformer = std::move(clusters);
  return fit;
}

}  // namespace

Model spectral_clustering(const Input& input, const SpectralClusteringOptions& options, const Run& run) {
  return run_method<Options>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
