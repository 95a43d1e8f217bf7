#include "spectral/independence.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "core/random.h"

namespace unroll {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Some rows, every column scaled to variance one.
Matrix sampled(const Array2<double>& coordinates, std::uint64_t seed) {
  constexpr Index kPoints = 1000;
  const std::vector<Index> rows =
      Random(seed, "independence").sample(coordinates.rows(), std::min(coordinates.rows(), kPoints));
  Matrix x(std::ssize(rows), coordinates.cols());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index k = 0; k < x.cols(); ++k) x(i, k) = coordinates(rows[static_cast<std::size_t>(i)], k);
  for (Index k = 0; k < x.cols(); ++k) {
    x.col(k).array() -= x.col(k).mean();
    const double deviation = std::sqrt(x.col(k).squaredNorm() / static_cast<double>(x.rows()));
    if (deviation > 0) x.col(k) /= deviation;
  }
  return x;
}

/// What the local linear fit of y on the columns of x, around every row but without it, leaves of y.
double residual(const Matrix& x, const Vector& y, const Run& run) {
  const Index m = x.rows(), d = x.cols();
  if (y.squaredNorm() == 0) return 1;
  const Matrix squares = x.rowwise().squaredNorm();
  Matrix distances = -2 * (x * x.transpose());
  distances.colwise() += squares.col(0);
  distances.rowwise() += squares.col(0).transpose();
  std::vector<double> all(distances.data(), distances.data() + distances.size());
  std::nth_element(all.begin(), all.begin() + std::ssize(all) / 2, all.end());
  // A third of the median distance (Dsilva et al.).
  const double width = std::max(all[all.size() / 2], 1e-300) / 9;
  const double sum = parallel_reduce(
      run, m, 16, 0.0,
      [&](Index begin, Index end) {
        double part = 0;
        for (Index i = begin; i < end; ++i) {
          Matrix normal = Matrix::Zero(d + 1, d + 1);
          Vector right = Vector::Zero(d + 1), local(d + 1);
          for (Index j = 0; j < m; ++j) {
            const double weight = j == i ? 0 : std::exp(-distances(j, i) / width);
            if (weight < 1e-12) continue;
            local << 1, (x.row(j) - x.row(i)).transpose();
            normal.selfadjointView<Eigen::Lower>().rankUpdate(local, weight);
            right += weight * y(j) * local;
          }
          normal.diagonal().array() += 1e-9 * (normal.trace() + 1e-300);
          const double fitted = normal.selfadjointView<Eigen::Lower>().llt().solve(right)(0);
          const double left = y(i) - (std::isfinite(fitted) ? fitted : 0);
          part += left * left;
        }
        return part;
      },
      [](double a, double b) { return a + b; });
  return std::min(1.0, std::sqrt(sum / y.squaredNorm()));
}

Matrix chosen_columns(const Matrix& x, const std::vector<Index>& columns) {
  Matrix some(x.rows(), std::ssize(columns));
  for (std::size_t k = 0; k < columns.size(); ++k) some.col(static_cast<Index>(k)) = x.col(columns[k]);
  return some;
}

}  // namespace

std::vector<double> independence(const Array2<double>& coordinates, std::uint64_t seed, const Run& run) {
  const Matrix x = sampled(coordinates, seed);
  std::vector<double> result;
  for (Index k = 0; k < x.cols(); ++k) result.push_back(k == 0 ? 1 : residual(x.leftCols(k), x.col(k), run));
  return result;
}

std::vector<Index> independent_coordinates(const Array2<double>& coordinates, Index count, std::uint64_t seed,
                                           const Run& run) {
  const Matrix x = sampled(coordinates, seed);
  std::vector<Index> chosen;
  for (Index k = 0; k < x.cols() && std::ssize(chosen) < count; ++k)
    if (chosen.empty() || residual(chosen_columns(x, chosen), x.col(k), run) >= kRepeats) chosen.push_back(k);
  for (Index k = 0; k < x.cols() && std::ssize(chosen) < count; ++k)
    if (std::find(chosen.begin(), chosen.end(), k) == chosen.end()) chosen.push_back(k);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace unroll
