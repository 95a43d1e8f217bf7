#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/reported_as.h"
#include "data/feature_scaler.h"
#include "neighbors/pair_distance.h"
#include "quality/neighborhoods.h"

namespace unroll {
namespace {

using Values = std::vector<double>;
using Order = std::vector<std::uint32_t>;  // max_pairs is below 2^32

constexpr Index kGrain = 1 << 14;

/// Distances of the same pairs of points in both spaces, each space in its own unit.
struct Distances {
  Values high, low;
  bool exact = true;

  Index size() const { return static_cast<Index>(high.size()); }
};

Distances all_pairs(const PairDistance& high, const PairDistance& low, Index n, const Run& run) {
  constexpr Index kRowsPerBlock = 16;
  const auto count = static_cast<std::size_t>(n * (n - 1) / 2);
  Distances result{Values(count), Values(count)};
  parallel_for(run, n, kRowsPerBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      auto pair = static_cast<std::size_t>(i * (2 * n - i - 1) / 2);
      for (Index j = i + 1; j < n; ++j, ++pair) {
        result.high[pair] = high.scaled(i, j);
        result.low[pair] = low.scaled(i, j);
      }
    }
  });
  return result;
}

/// Pairs drawn with replacement, each equally likely.
Distances some_pairs(const PairDistance& high, const PairDistance& low, Index n, const QualityOptions& options,
                     const Run& run) {
  const Random random(static_cast<std::uint64_t>(options.random_state), "quality.pairs");
  const auto count = static_cast<std::size_t>(options.max_pairs);
  Distances result{Values(count), Values(count), false};
  parallel_for(run, options.max_pairs, kGrain, [&](Index begin, Index end) {
    for (auto pair = static_cast<std::size_t>(begin); pair < static_cast<std::size_t>(end); ++pair) {
      const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(n), pair, 0));
      auto j = static_cast<Index>(random.below(static_cast<std::uint64_t>(n - 1), pair, 1));
      if (j >= i) ++j;
      result.high[pair] = high.scaled(i, j);
      result.low[pair] = low.scaled(i, j);
    }
  });
  return result;
}

/// The mean over t of f(t).
template <class F>
double mean(Index count, const Run& run, F&& f) {
  const double sum = parallel_reduce(
      run, count, kGrain, 0.0,
      [&](Index begin, Index end) {
        double part = 0;
        for (auto t = static_cast<std::size_t>(begin); t < static_cast<std::size_t>(end); ++t) part += f(t);
        return part;
      },
      [](double a, double b) { return a + b; });
  return sum / static_cast<double>(count);
}

/// The mean of equal distances is off by rounding; deviations of that size do not count.
bool varies(const Values& x) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  return *high - *low > 1e-13 * std::abs(*high);
}

/// In two passes: the means, then the moments about them. The correlation is NaN where x or y does not vary.
struct Moments {
  double mean_x, mean_y, deviation_x, deviation_y, correlation;

  Moments(const Values& x, const Values& y, const Run& run) {
    const auto n = static_cast<Index>(x.size());
    mean_x = mean(n, run, [&](std::size_t t) { return x[t]; });
    mean_y = mean(n, run, [&](std::size_t t) { return y[t]; });
    deviation_x = std::sqrt(mean(n, run, [&](std::size_t t) { return (x[t] - mean_x) * (x[t] - mean_x); }));
    deviation_y = std::sqrt(mean(n, run, [&](std::size_t t) { return (y[t] - mean_y) * (y[t] - mean_y); }));
    const double covariance = mean(n, run, [&](std::size_t t) { return (x[t] - mean_x) * (y[t] - mean_y); });
    correlation = varies(x) && varies(y) ? std::clamp(covariance / deviation_x / deviation_y, -1.0, 1.0)
                                         : std::numeric_limits<double>::quiet_NaN();
  }
};

Correlation with_interval(double value, double variance) {
  const double half = kNormal95 * std::sqrt(variance);
  return {value, std::max(-1.0, value - half), std::min(1.0, value + half)};
}

/// The variance of a sample's correlation is the variance of its influence function over the number of pairs. For
/// standardized x and y of any distribution that function is x y - r (x^2 + y^2) / 2.
Correlation pearson(const Distances& d, const Run& run) {
  const Moments m(d.high, d.low, run);
  if (d.exact || std::isnan(m.correlation)) return {m.correlation, m.correlation, m.correlation};
  const double square = mean(d.size(), run, [&](std::size_t t) {
    const double x = (d.high[t] - m.mean_x) / m.deviation_x, y = (d.low[t] - m.mean_y) / m.deviation_y;
    const double influence = x * y - m.correlation * (x * x + y * y) / 2;
    return influence * influence;
  });
  return with_interval(m.correlation, square / static_cast<double>(d.size()));
}

Order ascending(const Values& values) {
  Order order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return values[a] < values[b] || (values[a] == values[b] && a < b);
  });
  return order;
}

/// Replaces values by rank / count, in (0, 1]; ties get their mean rank.
void to_ranks(Values& values, const Order& order) {
  const auto count = static_cast<double>(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double rank = static_cast<double>(first + 1 + last) / 2 / count;
    for (; first < last; ++first) values[order[first]] = rank;
  }
}

/// Adds to out[t] the sum of values[l] over all l from t on in the order, divided by the number of all values.
void add_upper_means(const Order& order, const Values& values, Values& out) {
  double sum = 0;
  for (auto t = order.rbegin(); t != order.rend(); ++t) {
    sum += values[*t];
    out[*t] += sum / static_cast<double>(order.size());
  }
}

/// With F and G the distribution functions, rho = 12 E F(X) G(Y) - 3 has the influence function
/// 12 (F(x) G(y) + E [x <= X] G(Y) + E [y <= Y] F(X)), less its mean (Croux & Dehon 2010).
Correlation spearman(Distances d, const Run& run) {
  Order by_high, by_low;
  parallel_for(run, 2, 1, [&](Index side, Index) {
    Values& values = side == 0 ? d.high : d.low;
    Order& order = side == 0 ? by_high : by_low;
    order = ascending(values);
    to_ranks(values, order);
  });
  const double value = Moments(d.high, d.low, run).correlation;
  if (d.exact || std::isnan(value)) return {value, value, value};
  Values influence(d.high.size());
  add_upper_means(by_high, d.low, influence);
  add_upper_means(by_low, d.high, influence);
  for (std::size_t t = 0; t < influence.size(); ++t) influence[t] = 12 * (influence[t] + d.high[t] * d.low[t]);
  const double center = mean(d.size(), run, [&](std::size_t t) { return influence[t]; });
  const double square =
      mean(d.size(), run, [&](std::size_t t) { return (influence[t] - center) * (influence[t] - center); });
  return with_interval(value, square / static_cast<double>(d.size()));
}

}  // namespace

DistanceCorrelation distance_correlation(PointsView high, PointsView low, const QualityOptions& options,
                                         const Run& run) {
  return reported_as("distance_correlation", [&]() -> DistanceCorrelation {
    check_rows(high, low, options, run);
    const Index n = high.rows();
    const bool exact =
        static_cast<double>(n) * static_cast<double>(n - 1) / 2 <= static_cast<double>(options.max_pairs);
    const Index pairs = exact ? n * (n - 1) / 2 : options.max_pairs;
    constexpr double kBytesPerPair = 3 * sizeof(double) + 2 * sizeof(std::uint32_t);
    MemoryPlan plan;
    plan.add("the distances of pairs", static_cast<double>(pairs), 1, kBytesPerPair);
    plan.require(run, "use a smaller max_pairs");

    const ScaledPoints scaled(high, options.scale, run);
    const PairDistance in_high(scaled.view(), high_search(options), run), in_low(low, low_search(options), run);
    Distances distances = exact ? all_pairs(in_high, in_low, n, run) : some_pairs(in_high, in_low, n, options, run);
    DistanceCorrelation result{.pairs = pairs, .exact = exact};
    result.pearson = pearson(distances, run);
    result.spearman = spearman(std::move(distances), run);
    return result;
  });
}

}  // namespace unroll
