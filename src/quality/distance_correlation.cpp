#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/parallel.h"
#include "quality/distance_pairs.h"

namespace unroll {
namespace {

using Values = std::vector<double>;
using Order = std::vector<std::uint32_t>;  // max_pairs is below 2^32

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
Correlation pearson(const DistancePairs& d, const Run& run) {
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
Correlation spearman(DistancePairs d, const Run& run) {
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

/// The share of standardized distances in `high` that those in `low` do not explain: 1 - r^2.
Correlation residual_variance(const DistancePairs& d, const Run& run) {
  const Moments m(d.high, d.low, run);
  if (std::isnan(m.correlation)) return {m.correlation, m.correlation, m.correlation};
  const auto x = [&](std::size_t t) { return (d.high[t] - m.mean_x) / m.deviation_x; };
  const auto left = [&](std::size_t t) { return x(t) - m.correlation * (d.low[t] - m.mean_y) / m.deviation_y; };
  return share_left(d, run, left, x);
}

}  // namespace

DistanceCorrelation distance_correlation(DistancePairs pairs, const Run& run) {
  DistanceCorrelation result{.pairs = pairs.size(), .exact = pairs.exact};
  result.pearson = pearson(pairs, run);
  result.residual_variance = residual_variance(pairs, run);
  result.spearman = spearman(std::move(pairs), run);
  return result;
}

}  // namespace unroll
