#include "unroll/learn/label_propagation.h"

#include "core/at.h"
#include "frame/frame.h"
#include "frame/graph_options.h"
#include "learn/label_fit.h"

namespace unroll {
namespace {

MethodFit map(const Input& input, const LabelPropagationOptions& options, const Run& run) {
  // 1. W: the graph of neighbours, its edges weighed by heat.
  AffinityFit affinity = make_affinity(input, label_graph_options(options), run);
  const Affinity& graph = affinity.affinity;
  const KnownLabels known = known_labels(input.labels);
  // 2. A known label stays; what its neighbours get of it is the right side, D^-1/2 W_ul Y_l.
  const std::vector<double> scales = smoothing_scales(graph, run);
  std::vector<Index> points = reached_points(known, graph.components, false);
  Array2<double> b(std::ssize(points), std::ssize(known.classes));
  for (Index k = 0; k < b.rows(); ++k)
    for_each_weight(graph, points[at(k)], [&](Index j, double weight) {
      if (const Index own = known.places[at(j)]; own >= 0) b(k, own) += scales[at(points[at(k)])] * weight;
    });
  // 3. The others are harmonic: (I - S_uu) D^1/2 F_u = D^-1/2 W_ul Y_l. Rows of F have the sum 1, which D drops out of.
  const SmoothingSettings settings{options.solver, options.tol, options.max_iter};
  Smoothed solution =
      solve_smoothing({graph, scales, 1, affinity.dimension}, std::move(points), std::move(b), settings, run);
  for (std::size_t i = 0; i < known.places.size(); ++i)
    if (known.places[i] >= 0) solution.values(static_cast<Index>(i), known.places[i]) = 1;
  MethodFit fit = label_fit(std::move(affinity), known, {std::move(solution.values), options.class_mass_normalization});
  report_solution(solution, settings, fit);
  return fit;
}

}  // namespace

Model label_propagation(const Input& input, const LabelPropagationOptions& options, const Run& run) {
  return run_method<LabelPropagationOptions>({.resolve = resolve_graph_options<LabelPropagationOptions>, .map = map},
                                             input, options, run);
}

}  // namespace unroll
