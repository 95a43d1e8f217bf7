#include "affinity/patch_axes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/small_products.h"

namespace unroll {
namespace {

/// X'X.
void multiply(const Array2<double>& x, Array2<double>& product) {
  const Index side = x.cols();
  reshape(product, side, side);
  std::fill_n(product.data(), product.size(), 0.0);
  for (Index a = 0; a < x.rows(); ++a) {
    const double* row = x.row(a);
    for (Index f = 0; f < side; ++f)
      for (Index g = 0; g < side; ++g) product(f, g) += row[f] * row[g];
  }
}

/// Subtracts from v its component along the unit vector u.
void remove(const double* u, Index m, double* v) {
  double along = 0;
  for (Index a = 0; a < m; ++a) along += u[a] * v[a];
  for (Index a = 0; a < m; ++a) v[a] -= along * u[a];
}

void center(Index m, double* v) {
  double mean = 0;
  for (Index a = 0; a < m; ++a) mean += v[a];
  mean /= static_cast<double>(m);
  for (Index a = 0; a < m; ++a) v[a] -= mean;
}

}  // namespace

void PatchAxes::about_mean(const LocalGeometry& geometry, std::span<const Index> members) {
  m_ = std::ssize(members);
  centered_ = true;
  from_rows_ = geometry.has_coordinates() && geometry.features() < m_;
  if (from_rows_) {
    geometry.centered_rows(members, rows_);
    multiply(rows_, covariance_);
    find_values(covariance_, true);
  } else {
    geometry.gram_about_mean(members, axes_, geometry_);
    find_values(axes_, true);
  }
}

void PatchAxes::about_first(const LocalGeometry& geometry, std::span<const Index> members) {
  find_values(products_about_first(geometry, members), true);
}

void PatchAxes::values_about_first(const LocalGeometry& geometry, std::span<const Index> members) {
  find_values(products_about_first(geometry, members), false);
}

/// The covariance or the Gram matrix, whichever is smaller.
Array2<double>& PatchAxes::products_about_first(const LocalGeometry& geometry, std::span<const Index> members) {
  m_ = std::ssize(members) - 1;
  centered_ = false;
  from_rows_ = geometry.has_coordinates() && geometry.features() < m_;
  if (from_rows_) {
    geometry.centered_rows(members, rows_);
    for (Index a = m_; a >= 0; --a)
      for (Index f = 0; f < rows_.cols(); ++f) rows_(a, f) -= rows_(0, f);
    multiply(rows_, covariance_);
    return covariance_;
  }
  geometry.gram_about(members.front(), members.subspan(1), axes_, geometry_);
  return axes_;
}

void PatchAxes::find_values(Array2<double>& matrix, bool with_vectors) {
  const Index side = matrix.rows();
  values_.resize(static_cast<std::size_t>(side));
  const std::span<double> entries{matrix.data(), static_cast<std::size_t>(matrix.size())};
  const auto find = with_vectors ? small_symmetric_eigen : small_symmetric_eigenvalues;
  find(side, entries, values_, eigen_);
  const double rounding = 8 * static_cast<double>(m_) * std::numeric_limits<double>::epsilon() * values_.front();
  const auto above = [rounding](double value) { return value > rounding; };
  rank_ = std::find_if_not(values_.begin(), values_.end(), above) - values_.begin();
  count_ = 0;
}

double PatchAxes::negative_mass() const {
  double negative = 0, total = 0;
  for (const double value : values_) {
    total += std::abs(value);
    if (value < 0) negative -= value;
  }
  return total > 0 ? negative / total : 0;
}

/// An axis that is not yet of length one, nor orthogonal to those before it to the last digits.
double* PatchAxes::raw_axis(Index j) {
  double* axis = axes_.row(j);
  if (!from_rows_) return axis;
  const double* q = covariance_.row(j);
  for (Index a = 0; a < m_; ++a) {
    const double* row = rows_.row(rows_.rows() - m_ + a);
    axis[a] = 0;
    for (Index f = 0; f < rows_.cols(); ++f) axis[a] += row[f] * q[f];
  }
  return axis;
}

void PatchAxes::find_axes(Index count) {
  if (from_rows_ && (axes_.cols() != m_ || axes_.rows() < count)) axes_ = Array2<double>::uninitialized(m_, m_);
  for (count_ = 0; count_ < std::min(count, rank_); ++count_) {
    double* axis = raw_axis(count_);
    if (centered_) center(m_, axis);
    for (Index l = 0; l < count_; ++l) remove(this->axis(l), m_, axis);
    double square = 0;
    for (Index a = 0; a < m_; ++a) square += axis[a] * axis[a];
    const double inverse = 1 / std::sqrt(square);
    for (Index a = 0; a < m_; ++a) axis[a] *= inverse;
  }
}

}  // namespace unroll
