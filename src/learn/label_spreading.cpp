#include "unroll/learn/label_spreading.h"

#include "core/at.h"
#include "frame/frame.h"
#include "frame/graph_options.h"
#include "learn/label_fit.h"

namespace unroll {
namespace {

MethodFit map(const Input& input, const LabelSpreadingOptions& options, const Run& run) {
  // 1. W: the graph of neighbours, its edges weighed by heat.
  AffinityFit affinity = make_affinity(input, label_graph_options(options), run);
  const Affinity& graph = affinity.affinity;
  const KnownLabels known = known_labels(input.labels);
  // 2. Y has a 1 for every known label.
  const std::vector<double> scales = smoothing_scales(graph, run);
  std::vector<Index> points = reached_points(known, graph.components, true);
  Array2<double> y(std::ssize(points), std::ssize(known.classes));
  for (Index k = 0; k < y.rows(); ++k)
    if (const Index own = known.places[at(points[at(k)])]; own >= 0) y(k, own) = 1;
  // 3. F = (I - alpha S)^-1 Y, up to the factor 1 - alpha of all rows.
  const SmoothingSettings settings{options.solver, options.tol, options.max_iter};
  Smoothed solution = solve_smoothing({graph, scales, options.alpha, affinity.dimension}, std::move(points),
                                      std::move(y), settings, run);
  MethodFit fit = label_fit(std::move(affinity), known, {std::move(solution.values), options.class_mass_normalization});
  report_solution(solution, settings, fit);
  return fit;
}

}  // namespace

Model label_spreading(const Input& input, const LabelSpreadingOptions& options, const Run& run) {
  return run_method<LabelSpreadingOptions>({.resolve = resolve_graph_options<LabelSpreadingOptions>, .map = map}, input,
                                           options, run);
}

}  // namespace unroll
