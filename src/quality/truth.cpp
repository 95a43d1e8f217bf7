#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/reported_as.h"
#include "data/validate.h"
#include "linalg/centered_points.h"
#include "unroll/core/error.h"
#include "unroll/quality/quality.h"

namespace unroll {
namespace {

double dot(const double* a, const double* b, Index n) { return std::inner_product(a, a + n, b, 0.0); }
void subtract(double* a, double factor, const double* b, Index n) {
  for (Index i = 0; i < n; ++i) a[i] -= factor * b[i];
}

/// The columns, as rows, without their means, in units of a power of two.
Array2<double> centered_columns(PointsView points, const Run& run) {
  const CenteredPoints z = centered(points, run);
  const Index n = points.rows();
  Array2<double> columns = Array2<double>::uninitialized(points.cols(), n);
  for (Index j = 0; j < points.cols(); ++j) {
    double* column = columns.row(j);
    z.pack(0, n, j, 1, column);
    // The center was rounded in units of the offset; the mean that remains is subtracted in units of the spread.
    const double rest = std::accumulate(column, column + n, 0.0) / static_cast<double>(n);
    for (Index i = 0; i < n; ++i) column[i] -= rest;
  }
  return columns;
}

/// Whether all numbers of a column are equal. Its centered values are not always zero: the center is rounded.
bool is_constant(PointsView points, Index column) {
  return points.visit([&](auto view) {
    for (Index i = 1; i < view.rows; ++i)
      if (view(i, column) != view(0, column)) return false;
    return true;
  });
}

/// An orthonormal basis of the rows' span, as rows: modified Gram-Schmidt, twice. Rows that depend on those before them
/// leave only rounding and are dropped.
Array2<double> orthonormal_basis(Array2<double> rows) {
  const Index n = rows.cols();
  const double tolerance = std::numeric_limits<double>::epsilon() * static_cast<double>(std::max(n, rows.rows()));
  Index rank = 0;
  for (Index k = 0; k < rows.rows(); ++k) {
    double* row = rows.row(k);
    const double size = std::sqrt(dot(row, row, n));
    for (int pass = 0; pass < 2; ++pass)
      for (Index m = 0; m < rank; ++m) subtract(row, dot(row, rows.row(m), n), rows.row(m), n);
    const double left = std::sqrt(dot(row, row, n));
    if (left <= tolerance * size) continue;
    std::transform(row, row + n, rows.row(rank++), [&](double value) { return value / left; });
  }
  Array2<double> basis = Array2<double>::uninitialized(rank, n);
  std::copy_n(rows.data(), basis.size(), basis.data());
  return basis;
}

/// The sum of the singular values of a matrix with few rows. Rotations of two rows at a time make all rows orthogonal
/// (one-sided Jacobi, Hestenes 1958); their lengths are then the singular values.
double nuclear_norm(Array2<double> m) {
  const Index n = m.cols();
  constexpr int kMostSweeps = 60;
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMostSweeps; ++sweep) {
    rotated = false;
    for (Index a = 0; a < m.rows(); ++a)
      for (Index b = a + 1; b < m.rows(); ++b) {
        double* x = m.row(a);
        double* y = m.row(b);
        const double xx = dot(x, x, n), yy = dot(y, y, n), xy = dot(x, y, n);
        if (std::abs(xy) <= 1e-15 * std::sqrt(xx) * std::sqrt(yy)) continue;
        rotated = true;
        const double zeta = (yy - xx) / (2 * xy);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
        const double c = 1 / std::hypot(1.0, t), s = c * t;
        for (Index i = 0; i < n; ++i) {
          const double old = x[i];
          x[i] = c * old - s * y[i];
          y[i] = s * old + c * y[i];
        }
      }
  }
  double sum = 0;
  for (Index a = 0; a < m.rows(); ++a) sum += std::sqrt(dot(m.row(a), m.row(a), n));
  return sum;
}

void check_rows(PointsView a, PointsView b, const Run& run) {
  if (a.rows() != b.rows())
    throw Error(ErrorKind::InvalidData, fmt::format("got {} rows and {} rows", a.rows(), b.rows()),
                "give one row per point in both");
  check_points(a, 1, run);
  check_points(b, 1, run);
}

/// Centered columns of a shape of size one.
Array2<double> unit_shape(PointsView points, const Run& run) {
  Array2<double> shape = centered_columns(points, run);
  double largest = 0;
  for (Index i = 0; i < shape.size(); ++i) largest = std::max(largest, std::abs(shape.data()[i]));
  if (largest == 0)
    throw Error(ErrorKind::InvalidData, "all points of one shape are identical; it has no size to compare");
  std::for_each(shape.data(), shape.data() + shape.size(), [&](double& value) { value /= largest; });
  const double size = std::sqrt(dot(shape.data(), shape.data(), shape.size()));
  std::for_each(shape.data(), shape.data() + shape.size(), [&](double& value) { value /= size; });
  return shape;
}

}  // namespace

std::vector<double> affine_r2(PointsView low, PointsView truth, const Run& run) {
  return reported_as("affine_r2", [&]() -> std::vector<double> {
    check_rows(low, truth, run);
    const Array2<double> basis = orthonormal_basis(centered_columns(low, run));
    Array2<double> columns = centered_columns(truth, run);
    const Index n = columns.cols();
    std::vector<double> result;
    for (Index j = 0; j < columns.rows(); ++j) {
      double* rest = columns.row(j);
      const double total = is_constant(truth, j) ? 0 : dot(rest, rest, n);
      for (Index k = 0; k < basis.rows(); ++k) subtract(rest, dot(rest, basis.row(k), n), basis.row(k), n);
      result.push_back(total == 0 ? std::numeric_limits<double>::quiet_NaN() : 1 - dot(rest, rest, n) / total);
    }
    return result;
  });
}

double procrustes(PointsView a, PointsView b, const Run& run) {
  return reported_as("procrustes", [&]() -> double {
    check_rows(a, b, run);
    Array2<double> x = unit_shape(a, run), y = unit_shape(b, run);
    if (x.rows() > y.rows()) std::swap(x, y);
    Array2<double> products = Array2<double>::uninitialized(x.rows(), y.rows());
    for (Index i = 0; i < x.rows(); ++i)
      for (Index j = 0; j < y.rows(); ++j) products(i, j) = dot(x.row(i), y.row(j), x.cols());
    const double overlap = nuclear_norm(std::move(products));
    return std::max(0.0, (1 - overlap) * (1 + overlap));
  });
}

}  // namespace unroll
