#include "unroll/methods/mds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "affinity/additive_constant.h"
#include "affinity/centered_operator.h"
#include "affinity/distance_rows.h"
#include "core/memory.h"
#include "data/column_statistics.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "eigen/principal_axes.h"
#include "linalg/linear_projection.h"
#include "linalg/symmetric_eigen.h"
#include "neighbors/distance_matrix.h"
#include "neighbors/given_distances.h"
#include "neighbors/landmarks.h"
#include "spectral/landmark_embedding.h"
#include "spectral/matrix_source.h"
#include "spectral/transformer.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr const Recipe& kRecipe = recipe(SpectralMethod::ClassicalMds);

NeighborOptions distance_options(const MdsOptions& options) { return {.metric = options.metric, .p = options.p}; }

SpectralSettings settings_of(const MdsOptions& options, double unit) {
  return {.who = MdsOptions::method_name,
          .n_components = options.n_components,
          .solver = any_solver(options.eigen_solver),
          .seed = static_cast<std::uint64_t>(options.random_state),
          .unit = unit};
}

void check(PointsView points, const MdsOptions& options, const Run& run) {
  validate_options(options, MdsOptions::method_name);
  check_points(MdsOptions::method_name, points, 2, run);
  const Index n = points.rows();
  if (options.n_components >= n)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("mds: n_components={} must be less than the number of points, {}; use a smaller "
                            "n_components",
                            options.n_components, n));
  if (options.n_landmarks) check_landmarks(MdsOptions::method_name, *options.n_landmarks, options.n_components, n);
  if (options.n_landmarks && options.additive_constant)
    throw Error(ErrorKind::InvalidOption, "mds: additive_constant=true needs all distances; leave out n_landmarks");
  if (options.metric != Metric::Precomputed) return;
  if (options.scale != Scaling::None)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("mds: scale={} is for features, but the input is distances; use scale=none",
                            name_of(options.scale)));
  check_square(MdsOptions::method_name, points);
  check_distances(points, run);
}

/// All distances between points, or from landmarks to all points.
Array2<double> distances_from(const std::vector<Index>& landmarks, PointsView points, const MdsOptions& options,
                              const Run& run) {
  if (options.metric == Metric::Precomputed)
    return std::get<Array2<double>>(copied_as(view_of(copied(points, landmarks)), false));
  const double unit = metric_scale(points, run);
  const MetricRows all = metric_rows(points, options.metric, unit, MdsOptions::method_name, run);
  if (landmarks.empty()) return distance_matrix(all, distance_options(options), run);
  const OwnPoints own = copied(points, landmarks);
  const MetricRows some = metric_rows(view_of(own), options.metric, unit, MdsOptions::method_name, run);
  return distance_matrix(some, all, distance_options(options), run);
}

double scale_of(PointsView distances) {
  const double largest = distances.visit([](auto d) {
    double most = 0;
    for (Index i = 0; i < d.rows; ++i)
      most = std::max(most, static_cast<double>(*std::max_element(d.row(i), d.row(i) + d.cols)));
    return most;
  });
  if (std::isfinite(largest)) return power_of_two_scale(largest);
  throw Error(ErrorKind::InvalidData,
              "mds: distances pass the largest double, 1.8e308; divide the data by 1024 or more");
}

void plan_distances(Index rows, PointsView points, const Run& run) {
  MemoryPlan plan;
  plan.add("the distances", static_cast<double>(rows), static_cast<double>(points.rows()), sizeof(double));
  plan.require(run, MdsOptions::method_name, "use n_landmarks=1000, or fewer of them");
}

/// sum |lambda < 0| / sum |lambda|: how far the distances are from those of points in a Euclidean space.
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
  constexpr Index kMostPoints = 1000;
  constexpr double kMuch = 0.05;
  if (w.size() > kMostPoints) return;
  const double mass = negative_mass(w, run);
  embedding.diagnostics.emplace_back("negative_mass", mass);
  if (mass <= kMuch) return;
  embedding.warnings.push_back(
      {"not-euclidean",
       fmt::format("negative eigenvalues are {:.1f} % of the whole: no points have these distances", 100 * mass),
       "use additive_constant=true, or a method that does not need it (isomap)"});
}

struct Fit {
  Embedding embedding = {};
  std::shared_ptr<const Transformer> transformer = {};
};

/// What places new points by their distances to the training points, or to those of them that are landmarks.
std::shared_ptr<const SourceRows> distance_rows(PointsView points, std::vector<Index> landmarks, double scale,
                                                double constant, const MdsOptions& options, const Run& run) {
  DistanceRows::Parts parts{.metric = options.metric, .p = options.p, .scale = scale, .constant = constant};
  if (options.metric != Metric::Precomputed) {
    parts.points = copied(points, landmarks);
  } else if (!landmarks.empty()) {
    parts.columns = std::move(landmarks);
  } else {
    parts.columns.resize(static_cast<std::size_t>(points.rows()));
    std::iota(parts.columns.begin(), parts.columns.end(), Index{0});
  }
  return std::make_shared<const DistanceRows>(std::move(parts), run);
}

/// By all distances, which a matrix that is given holds already.
Fit by_distances(PointsView points, const MdsOptions& options, const Run& run) {
  Array2<double> own;
  if (options.metric != Metric::Precomputed || options.additive_constant) {
    plan_distances(points.rows(), points, run);
    own = distances_from({}, points, options, run);
  }
  const PointsView distances = own.size() > 0 ? PointsView(own) : points;
  const double scale = scale_of(distances);
  const auto seed = static_cast<std::uint64_t>(options.random_state);
  const double constant = options.additive_constant ? add_constant(own, scale, seed, run) : 0;
  const Similarities w{distances.visit([](auto view) { return decltype(Similarities::matrix)(view); }),
                       Similarities::Entries::Distances, scale};
  SpectralFit result = embed(kRecipe, MatrixSource(w), settings_of(options, scale), run);
  auto transformer = std::make_shared<const SpectralTransformer>(
      TransformKind::Exact, distance_rows(points, {}, scale, constant, options, run), std::move(result.placing));
  Fit fit{embedding_of(std::move(result)), std::move(transformer)};
  if (options.additive_constant) fit.embedding.diagnostics.emplace_back("additive_constant", constant);
  report_negative_mass(w, fit.embedding, run);
  return fit;
}

/// By the distances from landmarks (de Silva & Tenenbaum 2004).
Fit by_landmarks(PointsView points, const MdsOptions& options, const Run& run) {
  plan_distances(*options.n_landmarks, points, run);
  const std::vector<Index> landmarks =
      choose_landmarks(points, *options.n_landmarks, options.landmarks, distance_options(options),
                       static_cast<std::uint64_t>(options.random_state), run);
  const Array2<double> distances = distances_from(landmarks, points, options, run);
  const double scale = scale_of(distances);
  auto [result, error] = embed_by_landmarks(kRecipe, distances, scale, landmarks, settings_of(options, scale), run);
  auto transformer = std::make_shared<const SpectralTransformer>(
      TransformKind::Nystrom, distance_rows(points, landmarks, scale, 0, options, run), std::move(result.placing));
  Fit fit{embedding_of(std::move(result)), std::move(transformer)};
  report_landmarks(landmarks, error, fit.embedding);
  return fit;
}

/// Turns axes so that the points have coordinates with the signs of eigenvectors of B: the one of largest magnitude is
/// positive. Whichever way B is decomposed, the map is the same.
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

/// Euclidean distances of points: B = Z Z' for the centred points Z, whose eigenvectors times sqrt(lambda) are the
/// scores of principal component analysis. No distance is ever formed.
Fit by_principal_axes(PointsView points, const MdsOptions& options, const Run& run) {
  const CenteredPoints z = centered(points, run);
  const Index found = std::min<Index>(options.n_components, std::min(z.rows(), z.cols()));
  const PrincipalAxes axes = principal_axes(z, {static_cast<double>(found)}, AxesSolver::Auto,
                                            static_cast<std::uint64_t>(options.random_state), run);
  // Beyond the number of features there is nothing: axes of zeros.
  Array2<double> all(options.n_components, z.cols());
  std::copy_n(axes.axes.data(), axes.axes.size(), all.data());
  orient(all, z, run);
  SpectralFit result{.rank = std::min<Index>(axes.rank, found)};
  std::vector<double> factor(static_cast<std::size_t>(options.n_components));
  std::fill_n(factor.begin(), result.rank, 1 / z.scale);
  auto transformer = std::make_shared<const LinearProjection>(LinearProjection::Parts{
      z.scale, z.center, std::make_shared<const Array2<double>>(std::move(all)), std::move(factor)});
  std::vector<double> values(axes.values.begin(), axes.values.begin() + found), residuals = axes.residuals;
  values.resize(static_cast<std::size_t>(options.n_components));
  residuals.resize(static_cast<std::size_t>(options.n_components));
  set_spectrum({.values = std::move(values),
                .residuals = std::move(residuals),
                .iterations = axes.iterations,
                .solver = std::string(name_of(axes.solver))},
               z.scale, result);
  result.coordinates = transformer->transform(points, run);
  Fit fit{embedding_of(std::move(result)), std::move(transformer)};
  fit.embedding.diagnostics.emplace_back("negative_mass", 0.0);  // B is a Gram matrix
  if (options.additive_constant) fit.embedding.diagnostics.emplace_back("additive_constant", 0.0);
  return fit;
}

}  // namespace

Model mds(PointsView points, const MdsOptions& options, const Run& run) {
  check(points, options, run);
  const ScaledPoints scaled(points, options.scale, run);
  const bool needs_no_distances =
      options.metric == Metric::Euclidean && !options.n_landmarks && options.eigen_solver == FullEigenSolver::Auto;
  Fit fit = needs_no_distances    ? by_principal_axes(scaled.view(), options, run)
            : options.n_landmarks ? by_landmarks(scaled.view(), options, run)
                                  : by_distances(scaled.view(), options, run);
  return Model({.method = std::string(MdsOptions::method_name),
                .options = option_values(options),
                .n_features = points.cols(),
                .embedding = std::move(fit.embedding),
                .transformer = with_scaling(scaled.scaler(), std::move(fit.transformer))});
}

}  // namespace unroll
