#include "spectral/independence.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/random.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

/// Some rows, one coordinate per row of the result, each scaled to mean zero and variance one; 0 where it is constant.
Array2<double> sampled(const Array2<double>& coordinates, std::uint64_t seed) {
  constexpr Index kPoints = 1000;
  constexpr double kRounding = 1e-12;  // of a mean of so many
  const std::vector<Index> rows =
      Random(seed, "independence").sample(coordinates.rows(), std::min(coordinates.rows(), kPoints));
  const auto m = static_cast<double>(rows.size());
  Array2<double> x(coordinates.cols(), std::ssize(rows));
  for (Index k = 0; k < x.rows(); ++k) {
    double mean = 0, squares = 0;
    for (Index i = 0; i < x.cols(); ++i) mean += (x(k, i) = coordinates(rows[static_cast<std::size_t>(i)], k)) / m;
    for (Index i = 0; i < x.cols(); ++i) squares += (x(k, i) -= mean) * x(k, i);
    const bool varies = squares > m * (kRounding * mean) * (kRounding * mean);
    for (Index i = 0; i < x.cols(); ++i) x(k, i) = varies ? x(k, i) / std::sqrt(squares / m) : 0;
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

/// Some coordinates of all points, and what is needed to fit another one to them around any point.
class LocalFits {
 public:
  LocalFits(const Array2<double>& x, const std::vector<Index>& used, Index y) : x_(x), used_(used), y_(y) {
    const Index m = x.cols(), size = std::ssize(used) + 1;
    products_ = Array2<double>(block_count(size * (size + 3) / 2, simd::kPanel) * m, simd::kPanel);
    for (Index j = 0; j < m; ++j) {
      Index column = 0;
      const auto put = [&](double value) {
        products_(column / simd::kPanel * m + j, column % simd::kPanel) = value;
        ++column;
      };
      for (Index a = 0; a < size; ++a) {
        put(term(a, j) * x(y, j));
        for (Index b = 0; b <= a; ++b) put(term(a, j) * term(b, j));
      }
    }
    const double median = std::max(median_squared_distance(), 1e-300);
    factor_ = -9 / median;  // of a width of a third of the median distance (Dsilva et al. 2018)
  }

  /// Sum of the squares of what the fits around points [begin, end), each without its point, leave of y there. At most
  /// kAtOnce points.
  double left(Index begin, Index end, Array2<double>& weights) const {
    const Index m = x_.cols(), panels = products_.rows() / m;
    for (Index p = 0; p < kAtOnce; ++p) set_squared_distances(std::min(begin + p, end - 1), p, weights);
    simd::kernels().tiles.exp(weights.data(), weights.size(), factor_, weights.data());
    for (Index p = 0; p < end - begin; ++p) weights(begin + p, p) = 0;
    Array2<double> sums(panels * kAtOnce, simd::kPanel);
    for (Index k = 0; k < panels; ++k)
      simd::kernels().sides.eight.inner_products(weights.data(), kAtOnce, kAtOnce, products_.row(k * m), simd::kPanel,
                                                 m, sums.row(k * kAtOnce));
    double result = 0;
    for (Index p = 0; p < end - begin; ++p) {
      const double error = fit_error(
          begin + p, [&](Index column) { return sums(column / simd::kPanel * kAtOnce + p, column % simd::kPanel); });
      result += error * error;
    }
    return result;
  }

  static constexpr Index kAtOnce = 4;

 private:
  /// 1, and the coordinates.
  double term(Index a, Index j) const { return a == 0 ? 1 : x_(used_[static_cast<std::size_t>(a - 1)], j); }

  /// To all points, by the coordinates in use; into column p.
  void set_squared_distances(Index i, Index p, Array2<double>& d) const {
    for (Index j = 0; j < d.rows(); ++j) {
      double sum = 0;
      for (const Index k : used_) sum += (x_(k, j) - x_(k, i)) * (x_(k, j) - x_(k, i));
      d(j, p) = sum;
    }
  }

  /// Over some pairs: the points are a random sample, so that the first few stand for all.
  double median_squared_distance() const {
    constexpr Index kFrom = 52;
    const Index from = std::min(x_.cols(), kFrom);
    Array2<double> d = Array2<double>::uninitialized(x_.cols(), from);
    for (Index i = 0; i < from; ++i) set_squared_distances(i, i, d);
    std::nth_element(d.data(), d.data() + d.size() / 2, d.data() + d.size());
    return d.data()[d.size() / 2];
  }

  /// What is left of y at point i by the weighted linear fit to the others, given the weighted sums of the products,
  /// which are moved to coordinates whose origin is the point.
  template <class Sum>
  double fit_error(Index i, const Sum& sum) const {
    const Index size = std::ssize(used_) + 1;
    Array2<double> normal(size, size);
    std::vector<double> right(static_cast<std::size_t>(size));
    Index column = 0;
    for (Index a = 0; a < size; ++a) {
      right[static_cast<std::size_t>(a)] = sum(column++);
      for (Index b = 0; b <= a; ++b) normal(a, b) = sum(column++);
    }
    for (Index a = 1; a < size; ++a) right[static_cast<std::size_t>(a)] -= term(a, i) * right[0];
    for (Index a = size - 1; a > 0; --a)
      for (Index b = a; b > 0; --b)
        normal(a, b) += term(a, i) * term(b, i) * normal(0, 0) - term(a, i) * normal(b, 0) - term(b, i) * normal(a, 0);
    for (Index a = 1; a < size; ++a) normal(a, 0) -= term(a, i) * normal(0, 0);
    double trace = 0;
    for (Index a = 0; a < size; ++a) trace += normal(a, a);
    for (Index a = 0; a < size; ++a) normal(a, a) += 1e-9 * trace;
    return x_(y_, i) - first_unknown(normal, right);
  }

  const Array2<double>& x_;
  const std::vector<Index>& used_;
  Index y_;
  double factor_ = 0;
  Array2<double> products_;  // of 1 and the coordinates with each other and with y: panel after panel, a row per point
};

/// What the local linear fit of coordinate y on the coordinates `used`, around every point but without it, leaves of y.
double residual(const Array2<double>& x, const std::vector<Index>& used, Index y, const Run& run) {
  constexpr Index kPoints = 32;
  const LocalFits fits(x, used, y);
  const double left = parallel_reduce(
      run, x.cols(), kPoints, 0.0,
      [&](Index begin, Index end) {
        double sum = 0;
        Array2<double> weights = Array2<double>::uninitialized(x.cols(), LocalFits::kAtOnce);
        for (Index i = begin; i < end; i += LocalFits::kAtOnce)
          sum += fits.left(i, std::min(end, i + LocalFits::kAtOnce), weights);
        return sum;
      },
      [](double a, double b) { return a + b; });
  double squares = 0;
  for (Index i = 0; i < x.cols(); ++i) squares += x(y, i) * x(y, i);
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
