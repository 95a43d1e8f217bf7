#include "spectral/independence.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/random.h"

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

/// Squared distances between all points, by the coordinates of these rows of x.
Array2<double> squared_distances(const Array2<double>& x, const std::vector<Index>& used) {
  Array2<double> d(x.cols(), x.cols());
  for (const Index k : used)
    for (Index i = 0; i < x.cols(); ++i)
      for (Index j = 0; j < x.cols(); ++j) d(i, j) += (x(k, i) - x(k, j)) * (x(k, i) - x(k, j));
  return d;
}

/// What the local linear fit of coordinate y on the coordinates `used`, around every point but without it, leaves of y.
double residual(const Array2<double>& x, const std::vector<Index>& used, Index y, const Run& run) {
  const Index m = x.cols(), size = std::ssize(used) + 1;
  const Array2<double> d = squared_distances(x, used);
  std::vector<double> all(d.data(), d.data() + d.size());
  std::nth_element(all.begin(), all.begin() + std::ssize(all) / 2, all.end());
  const double width = std::max(all[all.size() / 2], 1e-300) / 9;  // a third of the median distance (Dsilva et al.)
  const double left = parallel_reduce(
      run, m, 16, 0.0,
      [&](Index begin, Index end) {
        double sum = 0;
        std::vector<double> local(static_cast<std::size_t>(size));
        for (Index i = begin; i < end; ++i) {
          Array2<double> normal(size, size);
          std::vector<double> right(static_cast<std::size_t>(size));
          for (Index j = 0; j < m; ++j) {
            const double weight = j == i ? 0 : std::exp(-d(i, j) / width);
            if (weight < 1e-12) continue;
            local[0] = 1;
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
          const double error = x(y, i) - first_unknown(normal, right);
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
  const Array2<double> x = sampled(coordinates, seed);
  std::vector<double> result;
  std::vector<Index> before;
  for (Index k = 0; k < x.rows(); ++k) {
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
