#include "unroll/learn/label_eigenvectors.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/at.h"
#include "core/memory.h"
#include "frame/frame.h"
#include "frame/graph_options.h"
#include "graph/weighted_graph.h"
#include "learn/label_fit.h"
#include "learn/label_regression.h"
#include "neighbors/components_policy.h"
#include "sources/graph_source.h"

namespace unroll {
namespace {

/// The points of every component, those of the largest first.
std::vector<std::vector<Index>> largest_first(const Components& components) {
  std::vector<std::vector<Index>> parts = ComponentPoints(components).members;
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return parts;
}

/// Of a component's points the known classes.
std::vector<Index> known_places(const KnownLabels& known, const std::vector<Index>& points) {
  std::vector<Index> places;
  places.reserve(points.size());
  for (const Index point : points) places.push_back(known.places[at(point)]);
  return places;
}

/// A fifth of the labels (Belkin & Niyogi), but at least three for two classes, and unless more are asked for at most
/// 200: classes are slow functions, and every eigenvector takes a number per point.
Index eigenvectors_for(const LabelEigenvectorsOptions& options, const std::vector<Index>& places, Index classes) {
  const Index n = std::ssize(places), labeled = n - std::count(places.begin(), places.end(), -1);
  constexpr Index kMost = 200;
  const Index least = (3 * classes + 1) / 2, automatic = std::max(std::min(labeled / 5, kMost), least);
  return std::min<Index>(options.n_eigenvectors.value_or(automatic), n - 1);
}

/// The eigenvectors of one component, one per row, with the mean square 1 / lambda: of functions that fit the labels
/// alike, the one of the smallest coefficients is then the one that varies least, by the sum of w_ij (f_i - f_j)^2.
/// Keeps the spectrum of the largest component.
Array2<double> eigenvectors(const GraphSource& source, const Recipe& row, const std::vector<Index>& points, Index count,
                            const LabelEigenvectorsOptions& options, Embedding& report, const Run& run) {
  MemoryPlan plan;  // with a copy that is centred
  plan.add("the eigenvectors", static_cast<double>(count), static_cast<double>(points.size()), 3 * sizeof(double));
  plan.add("the products of the eigenvectors", static_cast<double>(count), static_cast<double>(count), sizeof(double));
  plan.require(run, "use a smaller n_eigenvectors");
  const OperatorPairs pairs = source.solve(
      row, source.components().count() > 1 ? points : std::vector<Index>{}, count,
      {.n_components = count, .solver = options.eigen_solver, .seed = static_cast<std::uint64_t>(options.random_state)},
      run);
  Array2<double> vectors = pairs.vectors;
  constexpr double kSlowest = 1e-6;    // of the last eigenvalue: slower functions are all as good
  constexpr double kRounding = 1e-15;  // of eigenvalues up to 2: below it, 0 and less are all the same
  for (Index k = 0; k < vectors.rows(); ++k) {
    double squares = 0;
    for (Index i = 0; i < vectors.cols(); ++i) {
      if (!pairs.back.empty()) vectors(k, i) *= pairs.back[at(i)];
      squares += vectors(k, i) * vectors(k, i);
    }
    const double value = std::max({pairs.values[at(k)], kSlowest * pairs.values.back(), kRounding});
    const double factor = 1 / std::sqrt(value * squares / static_cast<double>(vectors.cols()));
    for (Index i = 0; i < vectors.cols(); ++i) vectors(k, i) *= factor;
  }
  if (report.spectrum.values.empty())
    report.spectrum = {
        .values = pairs.values, .residuals = pairs.residuals, .iterations = pairs.iterations, .solver = pairs.solver};
  return vectors;
}

MethodFit map(const Input& input, const LabelEigenvectorsOptions& options, const Run& run) {
  // 1. W: the graph of neighbours, its edges weighed by heat.
  AffinityFit affinity = make_affinity(input, label_graph_options(options), run);
  const Components& components = affinity.affinity.components;
  const KnownLabels known = known_labels(input.labels);
  check_degrees(components, degrees(affinity.affinity, run));
  const Recipe& row = find_recipe(SpectralMethod::LaplacianEigenmaps, Laplacian::RandomWalk);
  GraphSource source(row, affinity.affinity, 0, run);
  source.set_dimension(affinity.dimension);
  // 2. In every component, the largest first: least squares in its first eigenvectors, where there is more than one
  // class.
  Embedding report;
  Array2<double> scores(input.size(), std::ssize(known.classes));
  for (const std::vector<Index>& points : largest_first(components)) {
    const std::vector<Index> places = known_places(known, points);
    std::set<Index> classes(places.begin(), places.end());
    classes.erase(-1);
    if (classes.size() == 1)
      for (const Index point : points) scores(point, *classes.begin()) = 1;
    if (classes.size() < 2) continue;
    const Index count = eigenvectors_for(options, places, std::ssize(classes));
    const Array2<double> found =
        class_functions(eigenvectors(source, row, points, count, options, report, run), places, scores.cols(), run);
    for (std::size_t k = 0; k < points.size(); ++k)
      std::copy_n(found.row(static_cast<Index>(k)), scores.cols(), scores.row(points[k]));
  }
  MethodFit fit = label_fit(std::move(affinity), known, {std::move(scores), options.class_mass_normalization});
  fit.embedding.spectrum = std::move(report.spectrum);
  return fit;
}

}  // namespace

Model label_eigenvectors(const Input& input, const LabelEigenvectorsOptions& options, const Run& run) {
  return run_method<LabelEigenvectorsOptions>({.resolve = resolve_graph_options<LabelEigenvectorsOptions>, .map = map},
                                              input, options, run);
}

}  // namespace unroll
