#include "unroll/methods/mvu.h"

#include <algorithm>
#include <memory>

#include "core/finite.h"
#include "frame/frame.h"
#include "frame/layout_options.h"
#include "frame/unfolding_map.h"
#include "frame/unfolding_start.h"
#include "layout/layout_fit.h"
#include "layout/stress_placer.h"

namespace unroll {
namespace {

void resolve(const Input& input, MvuOptions& options) {
  if (!input.is_sparse()) options.n_neighbors = MvuOptions::needed_neighbors(options, input.size());
  if (options.init == LayoutStart::Pca) resolve_layout_start(input, options.init);
  if (options.components == ComponentsPolicy::Keep)
    throw Error(ErrorKind::InvalidOption,
                {.problem = "components=keep is not possible, since nothing holds components together",
                 .advice = "use connect, separate or error",
                 .option = "components"});
}

UnfoldingSettings settings_of(const MvuOptions& options, double unit) {
  return {.n_components = options.n_components,
          .rules = {.slack = options.slack, .is_inequality = options.constraints == DistanceRule::Inequality},
          .tolerance = options.tol,
          .is_to_be_proven = options.certify,
          .unit = unit,
          .seed = static_cast<std::uint64_t>(options.random_state)};
}

MethodFit map(const Input& input, const MvuOptions& options, const Run& run) {
  // 1. Join every point to its neighbours.
  NeighborOptions search = layout_search(options);
  search.n_neighbors = options.n_neighbors;
  search.exact_points = NeighborOptions().exact_points;  // a pair that is missed would be free to stretch
  const PathGraph graph = path_graph(input, search, options.components, run);
  const Components& components = graph.joined.components;
  // 2. The distances of neighbours, and of points that share one, are kept: distances and angles.
  const NeighborPairs pairs = unfolding_pairs(input, graph, starting_rank(options.n_components, input.size()), run);
  const DistanceConstraints constraints(input.size(), pairs, components);
  // 3. A start: classical scaling of path lengths.
  const UnfoldingSettings settings = settings_of(options, graph.scale);
  const bool goes_on = input.resume != nullptr;
  const StartedMap start =
      goes_on ? StartedMap{}
              : unfolding_start(input, graph, pairs, options.init, options.n_components, settings.seed, run);
  // 4. Maximise tr K = tr Y^T Y; the map is the principal axes of Y.
  const auto layout = goes_on ? std::make_unique<UnfoldingLayout>(constraints, resumed_state(*input.resume), settings)
                              : std::make_unique<UnfoldingLayout>(constraints, start.coordinates, settings);
  const StressPlacer::Settings placing{.is_local = true,
                                       .groups = components.count() > 1 ? components.labels : std::vector<Index>{}};
  search.n_neighbors = MvuOptions::needed_neighbors(options, input.size());
  MethodFit fit =
      layout_fit(*layout, input,
                 {.iterations = options.n_iter,
                  .stage = "MVU",
                  .report = [](const Array2<double>&) { return Attributes{}; },
                  .search = search,
                  .nearest = &graph.nearest.graph,
                  .placer = [&](auto made) { return std::make_shared<const StressPlacer>(std::move(made), placing); }},
                 run);
  require_finite(fit.embedding.coordinates, "coordinates");
  report_unfolding(*layout, graph, settings, fit.embedding, run);
  fit.embedding.warnings.insert(fit.embedding.warnings.begin(), start.warnings.begin(), start.warnings.end());
  return fit;
}

}  // namespace

Index MvuOptions::needed_neighbors(const MvuOptions& options, Index n) {
  constexpr Index kUsual = 6;
  return options.n_neighbors.value_or(std::min(kUsual, n - 1));
}

Model mvu(const Input& input, const MvuOptions& options, const Run& run) {
  return run_method<MvuOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
