#include "sources/matrix_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "affinity/centered_operator.h"
#include "core/parallel.h"
#include "eigen/operators.h"
#include "linalg/blas.h"
#include "linalg/self_products.h"
#include "linalg/symmetric_eigen.h"
#include "linalg/tall_matrix.h"

namespace unroll {
namespace {

/// The number of eigenvalues above rounding; for the others sqrt(lambda) v would be noise. Centring leaves rounding on
/// the scale of W, which may be much larger than J W J (a kernel of nearly equal values).
Index rank_of(const OperatorPairs& solution) {
  double largest = 0;
  for (const double mean : solution.means) largest = std::max(largest, std::abs(mean));
  const double rounding = 0x1p-52 * static_cast<double>(solution.means.size()) * std::max(solution.norm, 32 * largest);
  return std::count_if(solution.values.begin(), solution.values.end(), [&](double value) { return value > rounding; });
}

/// The rows of F at the pivots: L, lower triangular.
Array2<double> triangle(const PivotedCholesky& w) {
  const Index r = w.factor().cols;
  Array2<double> l(r, r);
  for (Index i = 0; i < r; ++i) std::copy_n(w.factor().row(w.pivots[static_cast<std::size_t>(i)]), i + 1, l.row(i));
  return l;
}

/// Computes v and A v = lambda v from J F u = sqrt(lambda) v. Makes the signs of v canonical and changes u with them.
void set_vectors(const Array2<double>& y, double scale, Array2<double>& u, OperatorPairs& out) {
  out.vectors = Array2<double>(u.rows(), y.rows());
  out.products = Array2<double>(u.rows(), y.rows());
  for (Index k = 0; k < *out.rank; ++k) {
    const double length = std::sqrt(out.values[static_cast<std::size_t>(k)]);
    for (Index i = 0; i < y.rows(); ++i) out.vectors(k, i) = y(i, k) / scale / length;
  }
  const Array2<double> before = out.vectors;
  canonicalize_signs(out.vectors);
  for (Index k = 0; k < *out.rank; ++k) {
    const double root = std::sqrt(out.values[static_cast<std::size_t>(k)]);
    const double* v = out.vectors.row(k);
    const bool is_turned = !std::equal(v, v + y.rows(), before.row(k));
    for (Index i = 0; i < y.rows(); ++i) out.products(k, i) = root * ((is_turned ? -y(i, k) : y(i, k)) / scale);
    for (Index j = 0; j < u.cols() && is_turned; ++j) u(k, j) = -u(k, j);
  }
}

/// A row L^-1 w of F has the coordinates (L^-1 w - m) . u, m the mean row of F: (w - L m) . (L^-T u).
void set_rows_of_pivots(const PivotedCholesky& w, const CenteredPoints& f, Array2<double> u, OperatorPairs& out) {
  const SingleThreadedBlas guard;
  const Index r = w.factor().cols;
  const Array2<double> l = triangle(w);
  for (Index i = 0; i < r; ++i)
    out.means.push_back(std::inner_product(l.row(i), l.row(i) + i + 1, f.center.begin(), 0.0) / f.scale);
  // BLAS sees row-major L as L'. With rank 0 a pivot may be zero.
  if (*out.rank > 0) solve_upper(false, r, u.rows(), l.data(), r, u.data(), r);
  Array2<double> axes = Array2<double>::uninitialized(r, u.rows());
  for (Index j = 0; j < r; ++j)
    for (Index k = 0; k < u.rows(); ++k) axes(j, k) = u(k, j);
  out.axes = std::move(axes);
}

/// Replaces the columns of `q` by an orthonormal basis of them.
void orthonormalize_abandonable(Array2<double>& q, const Run& run) {
  const auto work = std::make_shared<Array2<double>>(std::move(q));
  run_abandonable(run, "half of the landmarks", [work] { orthonormalize(*work, {.threads = 1}); });
  q = std::move(*work);
}

/// Q' G Q for a symmetric G.
Array2<double> compressed(const Array2<double>& g, const Array2<double>& q, const Run& run) {
  constexpr Index kColumns = 64;
  const Index r = q.rows(), half = q.cols();
  const SingleThreadedBlas guard;
  Array2<double> small = Array2<double>::uninitialized(half, half);
  // Column-major, the row-major Q is Q' with a leading dimension of `half`; G and the result are symmetric.
  parallel_for(run, half, kColumns, [&](Index begin, Index end) {
    Array2<double> product = Array2<double>::uninitialized(end - begin, r);  // columns of G Q
    gemm(false, true, r, end - begin, r, 1.0, g.data(), r, q.data() + begin, half, 0.0, product.data(), r);
    gemm(false, false, half, end - begin, r, 1.0, q.data(), half, product.data(), r, 0.0, small.row(begin), half);
  });
  for (Index i = 0; i < half; ++i)  // rounding
    for (Index j = 0; j < i; ++j) small(i, j) = small(j, i) = small(i, j) / 2 + small(j, i) / 2;
  return small;
}

}  // namespace

Components one_component(Index n) { return {.labels = std::vector<Index>(static_cast<std::size_t>(n)), .sizes = {n}}; }

void check_centered_cells(const Recipe& row) {
  if (row.density != Density::Keep) refuse_cell(name_of(row.density), "the density is that of weights of a graph");
  if (row.order != Order::Largest)
    refuse_cell(name_of(row.order), "the smallest eigenvalues of J W J are 0 or negative, and have no coordinates");
  if (row.skip != Skip::None) refuse_cell(name_of(row.skip), "J W J has no trivial eigenvector but in its null space");
  if (row.new_point != NewPointRule::Centered)
    refuse_cell(name_of(row.new_point), "a row of W that is centred is placed by centring");
}

MatrixSource::MatrixSource(Similarities w) : w_(w), components_(one_component(w.size())) {}

void MatrixSource::check(const Recipe& row) const {
  if (row.operation != OperatorRule::Centered)
    refuse_cell(name_of(row.operation), "W holds similarities of any sign, not weights; they are centred");
  check_centered_cells(row);
}

OperatorPairs MatrixSource::solve(const Recipe&, const std::vector<Index>&, Index count,
                                  const SpectralSettings& settings, const Run& run) const {
  const Index n = size();
  const std::vector<double> constant(static_cast<std::size_t>(n), 1 / std::sqrt(static_cast<double>(n)));
  OperatorPairs out = operator_pairs(solve_eigenproblem(CenteredOperator(w_),
                                                        {.end = SpectrumEnd::Largest,
                                                         .count = count,
                                                         .known = as_row(constant),
                                                         .solver = settings.solver,
                                                         .seed = settings.seed},
                                                        run));
  out.trivial = constant;
  out.means = row_means(w_, run);
  out.rank = rank_of(out);
  return out;
}

FactorSource::FactorSource(const PivotedCholesky& factor, const Run& run)
    : factor_(factor),
      centered_(centered(factor.factor(), run)),
      gram_(scatter_matrix(centered_, run)),
      components_(one_component(size())) {}

double FactorSource::trace() const {
  double sum = 0;
  for (Index k = 0; k < gram_.rows(); ++k) sum += gram_(k, k) / centered_.scale / centered_.scale;
  return sum;
}

void FactorSource::check(const Recipe& row) const {
  if (row.operation != OperatorRule::Centered) refuse_cell(name_of(row.operation), "a factor of W is centred");
  if (row.coordinates != CoordinateRule::SqrtEigenvalue)
    refuse_cell(name_of(row.coordinates), "the rows of a factor are coordinates of length sqrt(l)");
  check_centered_cells(row);
}

OperatorPairs FactorSource::solve(const Recipe&, const std::vector<Index>&, Index count,
                                  const SpectralSettings& settings, const Run& run) const {
  const Index r = factor_.factor().cols, found = std::min(count, r);
  const double unit = 1 / centered_.scale / centered_.scale;
  OperatorPairs out = operator_pairs(solve_eigenproblem(
      DenseOperator(gram_),
      {.end = SpectrumEnd::Largest, .count = found, .solver = settings.solver, .seed = settings.seed}, run));
  // Centring leaves rounding on the scale of the matrix before it.
  const double rounding =
      0x1p-52 * std::max(static_cast<double>(r) * (found > 0 ? out.values.front() : 0), 32 * factor_.trace / unit);
  out.rank = std::count_if(out.values.begin(), out.values.end(), [&](double v) { return v > rounding; });
  Array2<double> u(count, r);  // zero beyond the rank
  std::copy_n(out.vectors.data(), *out.rank * r, u.data());
  const Array2<double> y = project(centered_.points, centered_.scale, centered_.center, u, run);  // J F u, scaled
  for (double& value : out.values) value *= unit;
  set_vectors(y, centered_.scale, u, out);
  set_rows_of_pivots(factor_, centered_, std::move(u), out);
  out.values.resize(static_cast<std::size_t>(count));
  out.residuals.resize(static_cast<std::size_t>(count));
  return out;
}

Array2<double> FactorSource::pivots_by_half(Index count, const SpectralSettings& settings, const Run& run) const {
  // By half of the pivots, W is F Q Q' F' with an orthonormal basis Q of the rows of L that are theirs.
  const Array2<double> l = triangle(factor_);
  const Index r = l.rows();
  Array2<double> q = Array2<double>::uninitialized(r, block_count(r, 2));
  for (Index i = 0; i < r; ++i)
    for (Index k = 0; k < q.cols(); ++k) q(i, k) = l(2 * k, i);
  orthonormalize_abandonable(q, run);
  const Array2<double> gram = compressed(gram_, q, run);
  const EigenSolution found = solve_eigenproblem(
      DenseOperator(gram),
      {.end = SpectrumEnd::Largest, .count = count, .solver = settings.solver, .seed = settings.seed}, run);
  Array2<double> axes(r, count), y(r, count);  // Q u, L Q u
  for (Index i = 0; i < r; ++i)
    for (Index j = 0; j < q.cols(); ++j)
      for (Index k = 0; k < count; ++k) axes(i, k) += q(i, j) * found.vectors(k, j);
  for (Index i = 0; i < r; ++i)
    for (Index j = 0; j <= i; ++j)
      for (Index k = 0; k < count; ++k) y(i, k) += l(i, j) * axes(j, k);
  return y;
}

}  // namespace unroll
