#include "spectral/independence.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/random.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

/// Some rows, one coordinate per row of the result, each scaled to mean zero and variance one.
Array2<double> sampled(const Array2<double>& coordinates, std::uint64_t seed) {
  constexpr Index kPoints = 1000;
  const std::vector<Index> rows =
      Random(seed, "independence").sample(coordinates.rows(), std::min(coordinates.rows(), kPoints));
  const auto m = static_cast<double>(rows.size());
  Array2<double> x(coordinates.cols(), std::ssize(rows));
  for (Index k = 0; k < x.rows(); ++k) {
    double mean = 0, squares = 0;
    for (Index i = 0; i < x.cols(); ++i) mean += (x(k, i) = coordinates(rows[static_cast<std::size_t>(i)], k)) / m;
    for (Index i = 0; i < x.cols(); ++i) squares += (x(k, i) -= mean) * x(k, i);
    for (Index i = 0; i < x.cols() && squares > 0; ++i) x(k, i) /= std::sqrt(squares / m);
  }
  return x;
}

/// The first unknown of a b = r, a symmetric positive definite, of which the lower triangle is given and overwritten by
/// its Cholesky factor; 0 where it is not definite.
double first_unknown(Array2<double>& a, std::vector<double>& r) {
  const Index n = a.rows();
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < j; ++k) a(j, j) -= a(j, k) * a(j, k);
    if (!(a(j, j) > 0)) return 0;
    a(j, j) = std::sqrt(a(j, j));
    for (Index i = j + 1; i < n; ++i) {
      for (Index k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k);
      a(i, j) /= a(j, j);
    }
  }
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < i; ++k) r[at(i)] -= a(i, k) * r[at(k)];
    r[at(i)] /= a(i, i);
  }
  for (Index i = n - 1; i >= 0; --i) {
    for (Index k = i + 1; k < n; ++k) r[at(i)] -= a(k, i) * r[at(k)];
    r[at(i)] /= a(i, i);
  }
  return r[0];
}

/// Squared distances of point i to all points, by the coordinates of these rows of x.
void squared_distances(const Array2<double>& x, const std::vector<Index>& used, Index i, std::vector<double>& d) {
  std::fill(d.begin(), d.end(), 0.0);
  for (const Index k : used) {
    const double* row = x.row(k);
    for (std::size_t j = 0; j < d.size(); ++j) d[j] += (row[j] - row[i]) * (row[j] - row[i]);
  }
}

/// The median over some pairs: the points are a random sample, so that the first few stand for all.
double median_squared_distance(const Array2<double>& x, const std::vector<Index>& used) {
  constexpr Index kFrom = 50;
  std::vector<double> all, d(static_cast<std::size_t>(x.cols()));
  for (Index i = 0; i < std::min(x.cols(), kFrom); ++i) {
    squared_distances(x, used, i, d);
    all.insert(all.end(), d.begin(), d.end());
  }
  std::nth_element(all.begin(), all.begin() + std::ssize(all) / 2, all.end());
  return all[all.size() / 2];
}

/// What is left of y at point i by the weighted linear fit of y on the coordinates `used` over all other points.
double fit_error(const Array2<double>& x, const std::vector<Index>& used, Index y, Index i,
                 const std::vector<double>& weights) {
  const Index size = std::ssize(used) + 1;
  Array2<double> normal(size, size);
  std::vector<double> right(static_cast<std::size_t>(size)), local(static_cast<std::size_t>(size), 1.0);
  for (Index j = 0; j < x.cols(); ++j) {
    const double weight = weights[static_cast<std::size_t>(j)];
    if (j == i || weight < 1e-12) continue;
    for (std::size_t k = 0; k < used.size(); ++k) local[k + 1] = x(used[k], j) - x(used[k], i);
    for (Index a = 0; a < size; ++a) {
      const double scaled = weight * local[static_cast<std::size_t>(a)];
      right[static_cast<std::size_t>(a)] += scaled * x(y, j);
      for (Index b = 0; b <= a; ++b) normal(a, b) += scaled * local[static_cast<std::size_t>(b)];
    }
  }
  double trace = 0;
  for (Index a = 0; a < size; ++a) trace += normal(a, a);
  for (Index a = 0; a < size; ++a) normal(a, a) += 1e-9 * trace;
  return x(y, i) - first_unknown(normal, right);
}

/// What the local linear fit of coordinate y on the coordinates `used`, around every point but without it, leaves of y.
double residual(const Array2<double>& x, const std::vector<Index>& used, Index y, const Run& run) {
  const Index m = x.cols();
  const double median = std::max(median_squared_distance(x, used), 1e-300);
  const double factor = -9 / median;  // of a width of a third of the median distance (Dsilva et al. 2018)
  const double left = parallel_reduce(
      run, m, 16, 0.0,
      [&](Index begin, Index end) {
        double sum = 0;
        std::vector<double> weights(static_cast<std::size_t>(m));
        for (Index i = begin; i < end; ++i) {
          squared_distances(x, used, i, weights);
          simd::kernels().tiles.exp(weights.data(), m, factor, weights.data());
          const double error = fit_error(x, used, y, i, weights);
          sum += error * error;
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
  double squares = 0;
  for (Index i = 0; i < m; ++i) squares += x(y, i) * x(y, i);
  return squares > 0 ? std::min(1.0, std::sqrt(left / squares)) : 1;
}

}  // namespace

std::vector<double> independence(const Array2<double>& coordinates, std::uint64_t seed, const Run& run) {
  constexpr Index kLookedAt = 10;  // beyond, a fit on all before is dear, and in so many dimensions tells little
  const Array2<double> x = sampled(coordinates, seed);
  std::vector<double> result;
  std::vector<Index> before;
  for (Index k = 0; k < std::min(x.rows(), kLookedAt); ++k) {
    result.push_back(k == 0 ? 1 : residual(x, before, k, run));
    before.push_back(k);
  }
  return result;
}

std::vector<Index> independent_coordinates(const Array2<double>& coordinates, Index count, std::uint64_t seed,
                                           const Run& run) {
  // Stricter than for a warning: higher harmonics are not quite functions of the first one on a sheet that is not
  // narrow (0.1 to 0.3), where another direction has 0.5 to 1.
  constexpr double kIndependent = 0.4;
  const Array2<double> x = sampled(coordinates, seed);
  std::vector<Index> chosen;
  for (Index k = 0; k < x.rows() && std::ssize(chosen) < count; ++k)
    if (chosen.empty() || residual(x, chosen, k, run) >= kIndependent) chosen.push_back(k);
  for (Index k = 0; k < x.rows() && std::ssize(chosen) < count; ++k)
    if (std::find(chosen.begin(), chosen.end(), k) == chosen.end()) chosen.push_back(k);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace unroll
