#include "quality/independence.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <span>

#include "core/at.h"
#include "core/parallel.h"
#include "core/random.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

/// The coordinates of some rows, one per row of the result, scaled to mean zero and variance one; a constant one is 0.
Array2<double> standardized(MatrixView<double> coordinates, const std::vector<Index>& rows) {
  constexpr double kRounding = 1e-12;  // of the mean of up to 2000 values
  const auto m = static_cast<double>(rows.size());
  Array2<double> x(coordinates.cols, std::ssize(rows));
  for (Index k = 0; k < x.rows(); ++k) {
    double mean = 0, squares = 0;
    for (Index i = 0; i < x.cols(); ++i) mean += (x(k, i) = coordinates(rows[at(i)], k)) / m;
    for (Index i = 0; i < x.cols(); ++i) squares += (x(k, i) -= mean) * x(k, i);
    const bool varies = squares > m * (kRounding * mean) * (kRounding * mean);
    for (Index i = 0; i < x.cols(); ++i) x(k, i) = varies ? x(k, i) / std::sqrt(squares / m) : 0;
  }
  return x;
}

bool is_constant(const Array2<double>& x, Index k) {
  return std::all_of(x.row(k), x.row(k) + x.cols(), [](double value) { return value == 0; });
}

/// r := a^-1 r; `a`, the lower triangle of a symmetric positive definite matrix, becomes its Cholesky factor.
void solve(Array2<double>& a, std::vector<double>& r) {
  const Index n = a.rows();
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < j; ++k) a(j, j) -= a(j, k) * a(j, k);
    a(j, j) = std::sqrt(a(j, j));
    for (Index i = j + 1; i < n; ++i) {
      for (Index k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k);
      a(i, j) /= a(j, j);
    }
  }
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < i; ++k) r[at(i)] -= a(i, k) * r[at(k)];
    r[at(i)] /= a(i, i);
  }
  for (Index i = n - 1; i >= 0; --i) {
    for (Index k = i + 1; k < n; ++k) r[at(i)] -= a(k, i) * r[at(k)];
    r[at(i)] /= a(i, i);
  }
}

/// The `count` nearest others of every number, one number after the other: in the order of all they are a window around
/// it, which moves to the right as the number grows. Of two that are as near, the smaller one counts. A tree would take
/// 20 times as long for this one coordinate, with which every judgement begins.
std::vector<Index> nearest_on_line(const double* x, Index n, Index count) {
  std::vector<Index> order(at(n)), nearest(at(n * count));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return x[i] < x[j] || (x[i] == x[j] && i < j); });
  const auto value = [&](Index place) { return x[order[at(place)]]; };
  for (Index place = 0, low = 0; place < n; ++place) {
    const double own = value(place);
    low = std::max(low, place - count);
    while (low + count < n - 1 && value(low + count + 1) - own < own - value(low)) ++low;
    Index* entry = nearest.data() + order[at(place)] * count;
    for (Index p = low; p <= low + count; ++p)
      if (p != place) *entry++ = order[at(p)];
  }
  return nearest;
}

/// Local linear regression on some of the coordinates: the fitted value at a point is a weighted sum of the values at
/// its nearest other points. The weights depend on the places only, not on the values fitted.
class LocalFits {
 public:
  LocalFits(const Array2<double>& x, const std::vector<Index>& used, Index nearest, const Run& run)
      : places_(x.cols(), std::ssize(used)) {
    for (Index i = 0; i < places_.rows(); ++i)
      for (Index a = 0; a < places_.cols(); ++a) places_(i, a) = x(used[at(a)], i);
    count_ = std::min(std::max(nearest, 2 * places_.cols() + 2), places_.rows() - 1);
    const Run quietly{.threads = run.threads, .cancel = run.cancel, .memory_budget = run.memory_budget};
    nearest_ = places_.cols() == 1 ? nearest_on_line(places_.data(), places_.rows(), count_)
                                   : neighbors(places_, {.n_neighbors = count_}, quietly).graph.neighbors;
    weights_.resize(nearest_.size());
    parallel_for(run, places_.rows(), kGrain, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) set_weights(i);
    });
  }

  /// The mean absolute error of the fits to y, whose variance is one.
  double left(const double* y, const Run& run) const {
    const auto left_of = [&](Index begin, Index end) {
      double sum = 0;
      for (Index i = begin; i < end; ++i) {
        double fitted = 0;
        const double* weight = weights_.data() + i * count_;
        for (const Index j : nearest_of(i)) fitted += *weight++ * y[j];
        sum += std::abs(y[i] - fitted);
      }
      return sum;
    };
    const double sum = parallel_reduce(run, places_.rows(), kGrain, 0.0, left_of, std::plus<>());
    return std::min(1.0, sum / static_cast<double>(places_.rows()));
  }

 private:
  static constexpr Index kGrain = 100;  // points per block of work

  std::span<const Index> nearest_of(Index i) const { return std::span(nearest_).subspan(at(i * count_), at(count_)); }

  void set_weights(Index i) {
    const std::span<const Index> near = nearest_of(i);
    const auto count = static_cast<double>(count_);
    std::vector<double> mean(at(places_.cols()));
    for (const Index j : near)
      for (Index a = 0; a < places_.cols(); ++a) mean[at(a)] += places_(j, a) / count;
    const std::vector<double> slope = slope_at(i, mean);
    double* weight = weights_.data() + i * count_;
    for (const Index j : near) {
      *weight = 1 / count;
      for (Index a = 0; a < places_.cols(); ++a) *weight += (places_(j, a) - mean[at(a)]) * slope[at(a)];
      ++weight;
    }
  }

  /// The change of the neighbours' weights with their place that makes the point their weighted mean.
  std::vector<double> slope_at(Index i, const std::vector<double>& mean) const {
    constexpr double kRidge = 0.01;      // of the mean square: on a curve only the direction along it counts
    constexpr double kOnePlace = 1e-24;  // rounding of places of size one, squared
    const Index p = places_.cols();
    Array2<double> products(p, p);
    double trace = 0;
    for (const Index j : nearest_of(i))
      for (Index a = 0; a < p; ++a)
        for (Index b = 0; b <= a; ++b) products(a, b) += (places_(j, a) - mean[at(a)]) * (places_(j, b) - mean[at(b)]);
    for (Index a = 0; a < p; ++a) trace += products(a, a);
    std::vector<double> slope(at(p));
    if (trace < kOnePlace) return slope;
    for (Index a = 0; a < p; ++a) {
      products(a, a) += kRidge * trace / static_cast<double>(p);
      slope[at(a)] = places_(i, a) - mean[at(a)];
    }
    solve(products, slope);
    return slope;
  }

  Array2<double> places_;
  Index count_ = 0;
  std::vector<Index> nearest_;   // count_ of every point
  std::vector<double> weights_;  // of the neighbours
};

/// How many of the nearest points fit coordinate k. Few resolve high harmonics, many average the noise of eigenvectors.
/// Eigenvector k + 1 has at most so many domains of one sign (Courant), each of which gets eight fits. Finer ones would
/// take a lattice that is a little tilted, on which the first coordinate orders all points, for a curve. Powers of two,
/// so that coordinates share fits.
Index nearest_for(Index k, Index points) {
  constexpr Index kLeast = 12, kFitsPerDomain = 8;
  Index domains = 2;
  while (domains < k + 1) domains *= 2;
  return std::max(kLeast, points / (kFitsPerDomain * domains));
}

}  // namespace

std::vector<Index> judging_points(Index n, std::uint64_t seed) {
  constexpr Index kMostJudges = 2000;
  return Random(seed, "independence").sample(n, std::min(n, kMostJudges));
}

Index most_judged(const std::vector<Index>& points) {
  // With 20 points per coordinate, functions of one to three others leave up to 0.2. A new direction comes after fifty
  // coordinates only on strips that are fifty times as long as wide, where noise mixes it with its neighbours.
  constexpr Index kPointsEach = 20, kMostCoordinates = 50;
  return std::min(std::ssize(points) / kPointsEach, kMostCoordinates);
}

Independence independence(MatrixView<double> coordinates, const std::vector<Index>& points, Index count,
                          const Run& run) {
  const Array2<double> x = standardized(coordinates, points);
  Independence result{.novelty = {1}, .independent = {0}};
  std::optional<LocalFits> fits;  // on the independent coordinates
  Index nearest = 0;              // points of each fit
  for (Index k = 1; k < x.rows() && std::ssize(result.independent) < count; ++k) {
    const bool is_judged = x.cols() > 1 && !is_constant(x, k);
    if (is_judged && (!fits || nearest != nearest_for(k, x.cols()))) {
      nearest = nearest_for(k, x.cols());
      fits.emplace(x, result.independent, nearest, run);
    }
    result.novelty.push_back(is_judged ? fits->left(x.row(k), run) : 1);
    if (!is_judged || result.novelty.back() < kRepeats) continue;
    result.independent.push_back(k);
    fits.reset();
  }
  return result;
}

}  // namespace unroll
