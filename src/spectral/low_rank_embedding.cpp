#include "spectral/low_rank_embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "eigen/eigen_problem.h"
#include "eigen/operators.h"
#include "linalg/blas.h"
#include "linalg/centered_points.h"
#include "linalg/self_products.h"
#include "linalg/symmetric_eigen.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

void check_row(const Recipe& row) {
  if (row.operation == OperatorRule::Centered && row.coordinates == CoordinateRule::SqrtEigenvalue) return;
  throw Error(ErrorKind::Internal, fmt::format("spectral: no low rank for '{}'", name_of(row.operation)));
}

/// The rows of F at the pivots: L, lower triangular.
Array2<double> triangle(const PivotedCholesky& w) {
  const Index r = w.factor().cols;
  Array2<double> l(r, r);
  for (Index i = 0; i < r; ++i) std::copy_n(w.factor().row(w.pivots[static_cast<std::size_t>(i)]), i + 1, l.row(i));
  return l;
}

/// Makes the coordinates' signs those of sqrt(lambda) v, as everywhere; those of u follow.
void canonicalize_by_coordinates(Array2<double>& y, Array2<double>& u) {
  for (Index k = 0; k < u.rows(); ++k) {
    Array2<double> column = Array2<double>::uninitialized(1, y.rows());
    for (Index i = 0; i < y.rows(); ++i) column(0, i) = y(i, k);
    canonicalize_signs(column);
    double same = 0;
    for (Index i = 0; i < y.rows(); ++i) same += column(0, i) * y(i, k);
    if (same >= 0) continue;
    for (Index i = 0; i < y.rows(); ++i) y(i, k) = column(0, i);
    for (Index j = 0; j < u.cols(); ++j) u(k, j) = -u(k, j);
  }
}

/// The coordinates J F u = sqrt(lambda) v.
Array2<double> scores(const CenteredPoints& f, const Array2<double>& u, const Run& run) {
  Array2<double> y = project(f.points, f.scale, f.center, u, run);
  for (Index i = 0; i < y.size(); ++i) y.data()[i] /= f.scale;
  return y;
}

/// A new point with similarities w to the pivots has the row L^-1 w of F and the coordinates (L^-1 w - m) . u, m the
/// mean row of F: (w - L m) . (L^-T u).
Placing placing_of(const PivotedCholesky& w, const CenteredPoints& f, Array2<double> u, Index rank) {
  const SingleThreadedBlas guard;
  const Index r = w.factor().cols;
  const Array2<double> l = triangle(w);
  Placing placing;
  for (Index i = 0; i < r; ++i)
    placing.means.push_back(std::inner_product(l.row(i), l.row(i) + i + 1, f.center.begin(), 0.0) / f.scale);
  // Row-major L is BLAS's L'. Without a direction there may be a pivot of zero.
  if (rank > 0) solve_upper(false, r, u.rows(), l.data(), r, u.data(), r);
  placing.axes = Array2<double>(r, u.rows());
  for (Index j = 0; j < r; ++j)
    for (Index k = 0; k < u.rows(); ++k) placing.axes(j, k) = u(k, j);
  return placing;
}

}  // namespace

LowRankEmbedding embed_low_rank(const Recipe& row, const PivotedCholesky& w, const SpectralSettings& settings,
                                const Run& run) {
  check_row(row);
  const Index r = w.factor().cols, wanted = settings.n_components, found = std::min(wanted, r);
  const CenteredPoints f = centered(w.factor(), run);
  const double unit = 1 / f.scale / f.scale;
  Array2<double> gram = scatter_matrix(f, run);  // F' J F, scaled
  LowRankEmbedding result;
  for (Index k = 0; k < r; ++k) result.trace += unit * gram(k, k);
  const EigenSolution solution = solve_eigenproblem(
      DenseOperator(std::move(gram)),
      {.end = SpectrumEnd::Largest, .count = found, .solver = settings.solver, .seed = settings.seed}, run);

  SpectralEmbedding& out = result.embedding;
  // Centring leaves rounding on the scale of what was there before.
  const double rounding =
      0x1p-52 * std::max(static_cast<double>(r) * (found > 0 ? solution.values.front() : 0), 32 * w.trace / unit);
  out.rank = std::count_if(solution.values.begin(), solution.values.end(), [&](double v) { return v > rounding; });
  Array2<double> u(wanted, r);  // zero where there is nothing
  std::copy_n(solution.vectors.data(), out.rank * r, u.data());
  out.coordinates = scores(f, u, run);
  canonicalize_by_coordinates(out.coordinates, u);
  out.placing = placing_of(w, f, std::move(u), out.rank);
  out.spectrum = {.values = solution.values,
                  .residuals = solution.residuals,
                  .iterations = solution.iterations,
                  .solver = std::string(name_of(solution.solver))};
  for (double& value : out.spectrum.values) value *= unit;
  out.spectrum.values.resize(static_cast<std::size_t>(wanted));
  out.spectrum.residuals.resize(static_cast<std::size_t>(wanted));
  return result;
}

}  // namespace unroll
