#include "unroll/methods/umap.h"

#include <algorithm>

#include "affinity/fuzzy_set.h"
#include "affinity/fuzzy_target.h"
#include "frame/frame.h"
#include "layout/layout_fit.h"
#include "layout/umap_placer.h"
#include "layout/umap_start.h"
#include "methods/umap_parts.h"
#include "neighbors/input_neighbors.h"

namespace unroll {
namespace {

/// What is known of the points changes the graph.
SparseMatrix supervised(SparseMatrix graph, const Input& input, const UmapOptions& options, const Run& run) {
  if (!input.labels.empty()) return intersected_by_labels(std::move(graph), input.labels, options.target_weight, run);
  if (input.targets.empty()) return graph;
  const Index k = UmapOptions::needed_neighbors(options, input.size());
  return intersected_by_numbers(graph, input.targets, k, options.target_weight, run);
}

MethodFit map(const Input& input, const UmapOptions& options, const Run& run) {
  const auto seed = static_cast<std::uint64_t>(options.random_state);
  // 1. The nearest neighbours of every point.
  const Neighbors near = umap_neighbors(input, options, run);
  // 2. Their memberships exp(-(d - rho_i) / sigma_i), and the union of what both ends say.
  const SmoothDistances smooth = smooth_distances(near.graph, options.local_connectivity, run);
  SparseMatrix graph = fuzzy_union(memberships(near.graph, smooth, run), options.set_op_mix_ratio, run);
  graph = supervised(std::move(graph), input, options, run);
  const Components components = graph_components(graph);
  // 3. A start: eigenvectors of the graph, a map per component.
  StartedMap start = umap_start(input, graph, components, options, run);
  // 4. Edges pull, points drawn at random push; memberships of the map are 1 / (1 + a d^2b).
  const UmapSettings settings = umap_settings(options, seed);
  const auto layout = input.resume == nullptr
                          ? std::make_unique<UmapLayout>(graph, start.coordinates, settings, run)
                          : std::make_unique<UmapLayout>(graph, input.resume->coordinates(),
                                                         resumed_state(*input.resume), settings, run);
  MethodFit fit = layout_fit(*layout, input,
                             {.iterations = settings.n_epochs,
                              .stage = "UMAP",
                              .report = [&](const Array2<double>&) -> Attributes {
                                return umap_attributes(graph, components, near.report, layout->loss());
                              },
                              .search = umap_placing_search(input, options),
                              .nearest = &near.graph,
                              .placer =
                                  [&](auto map) {
                                    return std::make_shared<const UmapPlacer>(std::move(map),
                                                                              umap_placing(settings, options, smooth));
                                  }},
                             run);
  add_umap_warnings(near.report, start, components, fit);
  return fit;
}

}  // namespace

Index UmapOptions::needed_neighbors(const UmapOptions& options, Index n) {
  constexpr Index kUsual = 15;
  return options.n_neighbors.value_or(std::min(kUsual, n - 1));
}

Model umap(const Input& input, const UmapOptions& options, const Run& run) {
  return run_method<UmapOptions>({.resolve = resolve_umap, .map = map}, input, options, run);
}

}  // namespace unroll
