#include "sources/distance_embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "affinity/additive_constant.h"
#include "affinity/centered_operator.h"
#include "affinity/distance_rows.h"
#include "core/finite.h"
#include "core/memory.h"
#include "data/column_statistics.h"
#include "eigen/principal_axes.h"
#include "linalg/linear_projection.h"
#include "linalg/symmetric_eigen.h"
#include "neighbors/distance_matrix.h"
#include "neighbors/given_distances.h"
#include "sources/landmark_embedding.h"
#include "sources/matrix_source.h"
#include "spectral/transformer.h"

namespace unroll {
namespace {

/// All distances between points, or from landmarks to all points.
Array2<double> distances_from(const std::vector<Index>& landmarks, const Input& input, const DistanceSettings& by,
                              const Run& run) {
  const PointsView points = input.full();
  if (input.kind() == InputKind::Distances)
    return landmarks.empty() ? symmetric_distances(points, run)
                             : std::get<Array2<double>>(copied_as(view_of(copied(points, landmarks)), false));
  const NeighborOptions options{.metric = by.metric, .p = by.p};
  const double unit = metric_scale(points, run);
  const MetricRows all = metric_rows(points, by.metric, unit, run);
  if (landmarks.empty()) return distance_matrix(all, options, run);
  const OwnedPoints own = copied(points, landmarks);
  return distance_matrix(metric_rows(view_of(own), by.metric, unit, run), all, options, run);
}

double scale_of(PointsView distances) {
  const double largest = distances.visit([](auto d) {
    double most = 0;
    for (Index i = 0; i < d.rows; ++i)
      most = std::max(most, static_cast<double>(*std::max_element(d.row(i), d.row(i) + d.cols)));
    return most;
  });
  require_finite(PointsView(&largest, 1, 1), "distances");
  return power_of_two_scale(largest);
}

/// sum |lambda < 0| / sum |lambda|: how far the distances are from Euclidean ones.
double negative_mass(const Similarities& w, const Run& run) {
  const EigenPairs all = leading_eigenpairs(
      CenteredOperator(w).dense(run), [](const auto&) { return Index{1}; }, run);
  double negative = 0, total = 0;
  for (const double value : all.values) {
    total += std::abs(value);
    if (value < 0) negative -= value;
  }
  return total > 0 ? negative / total : 0;
}

void report_negative_mass(const Similarities& w, Embedding& embedding, const Run& run) {
  constexpr Index kMostPoints = 1000;  // for more points all eigenvalues take too long for a diagnostic
  constexpr double kWorthAWarning = 0.05;
  if (w.size() > kMostPoints) return;
  const double mass = negative_mass(w, run);
  embedding.attributes.emplace_back("negative_mass", mass);
  if (mass <= kWorthAWarning) return;
  embedding.warnings.push_back(
      {"not-euclidean",
       fmt::format("negative eigenvalues are {:.1f} % of the whole: no points have these distances", 100 * mass),
       "use additive_constant=true, or a method that does not need it (isomap)"});
}

/// What was added to the distances, and to which of those that are 0 (groups_of_copies).
struct Added {
  double constant = 0;
  std::vector<Index> copies = {};
};

/// Makes the rows of new points from their distances to the training points or landmarks.
std::shared_ptr<const SourceRows> distance_rows(const Input& input, std::vector<Index> landmarks, double scale,
                                                Added added, const DistanceSettings& by, const Run& run) {
  DistanceRows::Parts parts{
      .metric = by.metric, .p = by.p, .scale = scale, .constant = added.constant, .copies = std::move(added.copies)};
  if (input.kind() != InputKind::Distances) {
    parts.points = copied(input.full(), landmarks);
  } else if (!landmarks.empty()) {
    parts.columns = std::move(landmarks);
  } else {
    parts.columns.resize(static_cast<std::size_t>(input.size()));
    std::iota(parts.columns.begin(), parts.columns.end(), Index{0});
  }
  return std::make_shared<const DistanceRows>(std::move(parts), run);
}

/// Gives axes the signs that eigenvectors of B would have: the coordinate of largest magnitude is positive. So the map
/// does not depend on how B is decomposed.
void orient(Array2<double>& axes, const CenteredPoints& z, const Run& run) {
  const Array2<double> y = project(z.points, z.scale, z.center, axes, run);
  Array2<double> vectors = Array2<double>::uninitialized(y.cols(), y.rows());
  for (Index i = 0; i < y.rows(); ++i)
    for (Index k = 0; k < y.cols(); ++k) vectors(k, i) = y(i, k);
  canonicalize_signs(vectors);
  for (Index k = 0; k < y.cols(); ++k) {
    Index i = 0;
    while (i + 1 < y.rows() && y(i, k) == 0) ++i;
    if (vectors(k, i) != y(i, k))
      for (Index j = 0; j < axes.cols(); ++j) axes(k, j) = -axes(k, j);
  }
}

}  // namespace

void plan_distances(Index from, Index n, const Run& run) {
  MemoryPlan plan;
  plan.add("the distances", static_cast<double>(from), static_cast<double>(n), sizeof(double));
  plan.require(run, "use n_landmarks=1000, or fewer of them");
}

MethodFit embed_distances(const Recipe& row, const Input& input, const DistanceSettings& by, SpectralSettings settings,
                          const Run& run) {
  Array2<double> own;
  if (input.kind() != InputKind::Distances || by.additive_constant) {
    plan_distances(input.size(), input.size(), run);
    own = distances_from({}, input, by, run);
  }
  const PointsView distances = own.size() > 0 ? PointsView(own) : input.full();
  settings.unit = scale_of(distances);
  const std::vector<Index> copies = by.additive_constant ? groups_of_copies(own) : std::vector<Index>{};
  const double constant = by.additive_constant ? add_constant(own, copies, settings.unit, settings.seed, run) : 0;
  const Similarities w{distances.visit([](auto view) { return decltype(Similarities::matrix)(view); }),
                       Similarities::Entries::Distances, settings.unit};
  MethodFit fit =
      spectral_fit(TransformKind::Exact, distance_rows(input, {}, settings.unit, {constant, copies}, by, run),
                   embed(row, MatrixSource(w), settings, run));
  if (by.additive_constant) fit.embedding.attributes.emplace_back("additive_constant", constant);
  report_negative_mass(w, fit.embedding, run);
  return fit;
}

MethodFit embed_distances_from(const std::vector<Index>& landmarks, const Recipe& row, const Input& input,
                               const DistanceSettings& by, SpectralSettings settings, const Run& run) {
  const Array2<double> distances = distances_from(landmarks, input, by, run);
  settings.unit = scale_of(distances);
  auto [map, error] = embed_by_landmarks(row, distances, settings.unit, landmarks, settings, run);
  MethodFit fit =
      spectral_fit(TransformKind::Nystrom, distance_rows(input, landmarks, settings.unit, {}, by, run), std::move(map));
  report_landmarks(landmarks, error, fit.embedding);
  return fit;
}

MethodFit embed_centered_points(PointsView points, const SpectralSettings& settings, const Run& run) {
  const CenteredPoints z = centered(points, run);
  const Index d = settings.n_components, found = std::min<Index>(d, std::min(z.rows(), z.cols()));
  const PrincipalAxes axes = principal_axes(z, {static_cast<double>(found)}, AxesSolver::Auto, settings.seed, run);
  // Axes beyond the number of features are zero.
  Array2<double> all(d, z.cols());
  std::copy_n(axes.axes.data(), axes.axes.size(), all.data());
  orient(all, z, run);
  SpectralFit map{.rank = std::min<Index>(axes.rank, found)};
  std::vector<double> factor(static_cast<std::size_t>(d));
  std::fill_n(factor.begin(), map.rank, 1 / z.scale);
  auto transformer = std::make_shared<const LinearProjection>(LinearProjection::Parts{
      z.scale, z.center, std::make_shared<const Array2<double>>(std::move(all)), std::move(factor)});
  std::vector<double> values(axes.values.begin(), axes.values.begin() + found), residuals = axes.residuals;
  values.resize(static_cast<std::size_t>(d));
  residuals.resize(static_cast<std::size_t>(d));
  set_spectrum({.values = std::move(values),
                .residuals = std::move(residuals),
                .iterations = axes.iterations,
                .solver = std::string(name_of(axes.solver))},
               z.scale, map);
  map.coordinates = transformer->transform(points, run);
  MethodFit fit{.embedding = embedding_of(std::move(map)), .transformer = std::move(transformer)};
  fit.embedding.attributes.emplace_back("negative_mass", 0.0);  // Z Z' is a Gram matrix
  return fit;
}

}  // namespace unroll
