#include "layout/layout_start.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/matrix_copies.h"
#include "core/random.h"
#include "eigen/block_lanczos.h"
#include "eigen/eigen_problem.h"
#include "eigen/operators.h"
#include "eigen/principal_axes.h"
#include "linalg/centered_points.h"

namespace unroll {
namespace {

constexpr double kFlat = 1e-8;   // a column of so much of the first one's deviation has no direction
constexpr double kNudge = 1e-2;  // of the first column: what a random one has instead

double deviation_of(const Array2<double>& map, Index column) {
  double largest = 0, mean = 0, squares = 0;
  for (Index i = 0; i < map.rows(); ++i) largest = std::max(largest, std::abs(map(i, column)));
  if (largest == 0) return 0;
  // In units of the largest one: squares of 1e300 would overflow.
  const auto n = static_cast<double>(map.rows());
  for (Index i = 0; i < map.rows(); ++i) mean += map(i, column) / largest / n;
  for (Index i = 0; i < map.rows(); ++i) squares += std::pow(map(i, column) / largest - mean, 2);
  return largest * std::sqrt(squares / n);
}

/// D^-1/2 W D^-1/2, and the square roots of the degrees.
struct NormalizedGraph {
  SparseMatrix matrix;
  std::vector<double> roots;
};

NormalizedGraph normalized(const SparseMatrix& weights) {
  NormalizedGraph graph{.matrix = weights, .roots = std::vector<double>(at(weights.rows))};
  SparseMatrix& w = graph.matrix;
  for (Index i = 0; i < w.rows; ++i) {
    for (Index e = w.offsets[at(i)]; e < w.offsets[at(i) + 1]; ++e) graph.roots[at(i)] += w.values[at(e)];
    graph.roots[at(i)] = std::sqrt(graph.roots[at(i)]);
  }
  for (Index i = 0; i < w.rows; ++i)
    for (Index e = w.offsets[at(i)]; e < w.offsets[at(i) + 1]; ++e) {
      const double scale = graph.roots[at(i)] * graph.roots[at(w.columns[at(e)])];
      w.values[at(e)] = scale > 0 ? w.values[at(e)] / scale : 0;
    }
  return graph;
}

/// Eigenvectors for the largest eigenvalues beside that of the trivial vector, one per row, to a coarse tolerance: the
/// optimiser does the rest. A few products are enough for clusters, and cost less than a factor; long sheets need one.
/// Throws NotConverged if both fail within their limits.
Array2<double> leading_vectors(const SymmetricOperator& a, Index count, const Array2<double>& trivial,
                               std::uint64_t seed, const Run& run) {
  constexpr Index kFewPoints = 800;  // up to which LAPACK is faster
  const LanczosSettings settings{.count = count,
                                 .block = 4,
                                 .basis = std::max<Index>(40, 4 * count),
                                 .max_products = 150,
                                 .tolerance = 1e-3,
                                 .norm = 1,
                                 .search_missed = false};
  const BlockProduct product = [&](const Array2<double>& x, Array2<double>& y) { a.apply(x, y, run); };
  try {
    if (a.size() > kFewPoints)
      return leading_by_lanczos(a.size(), product, transposed(trivial), settings, Random(seed, "layout.spectral"), run)
          .pairs.vectors;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::NotConverged) throw;
  }
  return solve_eigenproblem(a,
                            {.end = SpectrumEnd::Largest,
                             .count = count,
                             .known = trivial,
                             .norm = 1,
                             .lowest = -1,
                             .highest = 1,
                             .tolerance = 1e-4,
                             .seed = seed},
                            run)
      .vectors;
}

}  // namespace

void fill_flat_columns(Array2<double>& map, std::uint64_t seed) {
  double first = deviation_of(map, 0);
  for (Index k = 1; k < map.cols() && first == 0; ++k) first = deviation_of(map, k);
  const Random random(seed, "layout.flat_columns");
  for (Index k = 0; k < map.cols() && first > 0; ++k) {
    if (deviation_of(map, k) > kFlat * first) continue;
    for (Index i = 0; i < map.rows(); ++i)
      map(i, k) = kNudge * first * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(k));
  }
}

StartedMap pca_start(PointsView points, Index n_components, std::uint64_t seed, const Run& run) {
  const CenteredPoints z = centered(points, run);
  const Index count = std::min({n_components, z.rows(), z.cols()});
  const PrincipalAxes axes = principal_axes(z, {static_cast<double>(count)}, AxesSolver::Auto, seed, run);
  const Array2<double> projected = project(points, z.scale, z.center, axes.axes, run);
  StartedMap start{.coordinates = Array2<double>(points.rows(), n_components)};
  for (Index i = 0; i < points.rows(); ++i) std::copy_n(projected.row(i), count, start.coordinates.row(i));
  fill_flat_columns(start.coordinates, seed);
  if (deviation_of(start.coordinates, 0) == 0) {
    start.coordinates = Array2<double>(points.rows(), n_components);
    start.warnings.push_back({"equal-points", "all points are equal, so the map is one place", "look at the data"});
  }
  return start;
}

StartedMap spectral_start(const SparseMatrix& weights, Index n_components, std::uint64_t seed, const Run& run) {
  const Index n = weights.rows;
  NormalizedGraph graph = normalized(weights);
  Array2<double> trivial(1, n);
  double norm = 0;
  for (Index i = 0; i < n; ++i) norm += graph.roots[at(i)] * graph.roots[at(i)];
  for (Index i = 0; i < n; ++i) trivial(0, i) = graph.roots[at(i)] / std::sqrt(norm);
  StartedMap start{.coordinates = Array2<double>(n, n_components)};
  try {
    const SparseOperator a(std::move(graph.matrix));
    const Array2<double> found = leading_vectors(a, std::min(n_components, n - 1), trivial, seed, run);
    for (Index k = 0; k < std::min(found.rows(), n_components); ++k)
      for (Index i = 0; i < n; ++i)
        start.coordinates(i, k) = graph.roots[at(i)] > 0 ? found(k, i) / graph.roots[at(i)] : 0;
    fill_flat_columns(start.coordinates, seed);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::NotConverged) throw;
    start.coordinates = random_start(n, n_components, seed);
    start.warnings.push_back(
        {"random-start",
         "the eigenvectors of the graph were not found within the limit of work, so the map starts "
         "at random",
         "use init=pca, or a start of your own"});
  }
  return start;
}

Array2<double> random_start(Index n, Index n_components, std::uint64_t seed) {
  const Random random(seed, "layout.start");
  Array2<double> map = Array2<double>::uninitialized(n, n_components);
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < n_components; ++k)
      map(i, k) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(k));
  return map;
}

void scale_start(Array2<double>& map, double deviation) {
  const double present = deviation_of(map, 0);
  if (present == 0) return;
  for (Index i = 0; i < map.size(); ++i) map.data()[i] = map.data()[i] / present * deviation;
}

}  // namespace unroll
