#include "unroll/methods/umap.h"

#include <algorithm>

#include "affinity/fuzzy_set.h"
#include "affinity/fuzzy_target.h"
#include "affinity/local_radius.h"
#include "frame/frame.h"
#include "frame/layout_options.h"
#include "layout/layout_fit.h"
#include "layout/umap_placer.h"
#include "layout/umap_start.h"

namespace unroll {
namespace {

void resolve(const Input& input, UmapOptions& options) {
  constexpr Index kFewPoints = 10'000, kFewPointsEpochs = 500, kEpochs = 200, kDensityEpochs = 200;
  check_targets(input);
  const UmapCurve curve = chosen_umap_curve(options.a, options.b, options.min_dist, options.spread);
  options.a = curve.a, options.b = curve.b;
  if (!input.is_sparse()) options.n_neighbors = UmapOptions::needed_neighbors(options, input.size());
  if (!options.n_epochs)
    options.n_epochs =
        (input.size() <= kFewPoints ? kFewPointsEpochs : kEpochs) + (options.densmap ? kDensityEpochs : 0);
  if (options.init == LayoutStart::Auto) options.init = LayoutStart::Spectral;
  resolve_layout_start(input, options.init);
}

UmapSettings settings_of(const UmapOptions& options) {
  return {.n_epochs = *options.n_epochs,
          .curve = {*options.a, *options.b},
          .repulsion_strength = options.repulsion_strength,
          .learning_rate = options.learning_rate,
          .negative_sample_rate = options.negative_sample_rate,
          .seed = static_cast<std::uint64_t>(options.random_state)};
}

MethodFit map(const Input& input, const UmapOptions& options, const Run& run) {
  // 1. The nearest neighbours of every point.
  NeighborOptions search = layout_search(options);
  search.n_neighbors = options.n_neighbors;
  const Neighbors near = fuzzy_neighbors(input, search, run);
  // 2. Their memberships exp(-(d - rho_i) / sigma_i), and the union of what both ends say.
  const SmoothDistances smooth = smooth_distances(near.graph, options.local_connectivity, run);
  SparseMatrix graph = fuzzy_union(memberships(near.graph, smooth, run), options.set_op_mix_ratio, run);
  //    What is known of the points changes the graph.
  const Index k = UmapOptions::needed_neighbors(options, input.size());
  graph = supervised(std::move(graph), input, k, options.target_weight, run);
  const Components components = graph_components(graph);
  // 3. A start: eigenvectors of the graph, a map per component.
  UmapSettings settings = settings_of(options);
  const StartedMap start = umap_start(input, graph, components, options.init, options.n_components, settings.seed, run);
  // 4. densMAP: the radii of the data, which those of the map are to be like.
  if (options.densmap)
    settings.density = {options.dens_lambda, options.dens_frac, options.dens_var_shift,
                        log_radii(graph, near.graph, run)};
  // 5. Edges pull, points drawn at random push; memberships of the map are 1 / (1 + a d^2b).
  const bool goes_on = input.resume != nullptr;
  UmapLayout layout(graph, goes_on ? input.resume->coordinates() : start.coordinates,
                    goes_on ? resumed_state(*input.resume) : LayoutState{}, settings, run);
  const auto report = [&](const Array2<double>&) {
    Attributes said{{"cross_entropy", layout.loss()},
                    {"graph_edges", std::ssize(graph.values) / 2},
                    {"components", components.count()},
                    {"recall", near.report.recall}};
    if (options.densmap) said.push_back({"radius_correlation", layout.radius_correlation(run)});
    return said;
  };
  search.n_neighbors = k;
  const UmapPlacer::Settings placing = umap_placing(settings, options.local_connectivity, smooth);
  MethodFit fit =
      layout_fit(layout, input,
                 {.iterations = settings.n_epochs,
                  .stage = "UMAP",
                  .report = report,
                  .search = search,
                  .nearest = &near.graph,
                  .placer = [&](auto map) { return std::make_shared<const UmapPlacer>(std::move(map), placing); }},
                 run);
  std::vector<Warning>& warnings = fit.embedding.warnings;
  warnings.insert(warnings.begin(), start.warnings.begin(), start.warnings.end());
  warnings.insert(warnings.begin(), near.report.warnings.begin(), near.report.warnings.end());
  return fit;
}

}  // namespace

Index UmapOptions::needed_neighbors(const UmapOptions& options, Index n) {
  constexpr Index kUsual = 15;
  return options.n_neighbors.value_or(std::min(kUsual, n - 1));
}

Model umap(const Input& input, const UmapOptions& options, const Run& run) {
  return run_method<UmapOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
