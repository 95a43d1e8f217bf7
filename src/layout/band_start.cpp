#include "layout/band_start.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/at.h"
#include "linalg/small_eigen.h"

namespace unroll {
namespace {

constexpr Index kPiecePoints = 32;  // at least
constexpr Index kMostPieces = 64;

/// Every column gets mean 0 and deviation 1; a constant one is 0.
void standardize(Array2<double>& x) {
  const auto n = static_cast<double>(x.rows());
  for (Index k = 0; k < x.cols(); ++k) {
    double mean = 0, squares = 0;
    for (Index i = 0; i < x.rows(); ++i) mean += x(i, k) / n;
    for (Index i = 0; i < x.rows(); ++i) squares += (x(i, k) -= mean) * x(i, k);
    for (Index i = 0; i < x.rows(); ++i) x(i, k) = squares > 0 ? x(i, k) / std::sqrt(squares / n) : 0;
  }
}

/// What a straight line in the first column leaves of the others, at these points.
Array2<double> without_trend(const Array2<double>& x, std::span<const Index> points) {
  const auto n = static_cast<double>(points.size());
  std::vector<double> mean(at(x.cols())), slope(at(x.cols()));
  for (const Index i : points)
    for (Index k = 0; k < x.cols(); ++k) mean[at(k)] += x(i, k) / n;
  double squares = 0;
  for (const Index i : points) {
    const double along = x(i, 0) - mean[0];
    squares += along * along;
    for (Index k = 1; k < x.cols(); ++k) slope[at(k)] += along * (x(i, k) - mean[at(k)]);
  }
  Array2<double> left(std::ssize(points), x.cols() - 1);
  for (Index p = 0; p < left.rows(); ++p)
    for (Index k = 1; k < x.cols(); ++k) {
      const Index i = points[at(p)];
      const double fitted = squares > 0 ? slope[at(k)] / squares * (x(i, 0) - mean[0]) : 0;
      left(p, k - 1) = x(i, k) - mean[at(k)] - fitted;
    }
  return left;
}

/// The axis along which these rows vary most.
std::vector<double> leading_axis(const Array2<double>& rows) {
  const Index m = rows.cols();
  std::vector<double> products(at(m * m)), values(at(m));
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index a = 0; a < m; ++a)
      for (Index b = 0; b < m; ++b) products[at(a * m + b)] += rows(i, a) * rows(i, b);
  SmallEigenScratch scratch;
  small_symmetric_eigen(m, products, values, scratch);
  return {products.begin(), products.begin() + m};
}

}  // namespace

std::vector<double> places_across(Array2<double> vectors) {
  const Index n = vectors.rows(), pieces = std::clamp<Index>(n / kPiecePoints, 1, kMostPieces);
  standardize(vectors);
  std::vector<Index> order(at(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) {
    return vectors(i, 0) < vectors(j, 0) || (vectors(i, 0) == vectors(j, 0) && i < j);
  });
  std::vector<double> result(at(n)), before(at(vectors.cols() - 1), 1.0);
  for (Index piece = 0; piece < pieces; ++piece) {
    const Index first = piece * n / pieces, last = (piece + 1) * n / pieces;
    const std::span points = std::span(order).subspan(at(first), at(last - first));
    const Array2<double> left = without_trend(vectors, points);
    std::vector<double> axis = leading_axis(left);
    if (std::inner_product(axis.begin(), axis.end(), before.begin(), 0.0) < 0)
      for (double& part : axis) part = -part;
    double squares = 0;
    for (Index p = 0; p < left.rows(); ++p) {
      const double across = std::inner_product(axis.begin(), axis.end(), left.row(p), 0.0);
      result[at(points[at(p)])] = across;
      squares += across * across / static_cast<double>(left.rows());
    }
    for (const Index i : points) result[at(i)] = squares > 0 ? result[at(i)] / std::sqrt(squares) : 0;
    before = std::move(axis);
  }
  return result;
}

}  // namespace unroll
