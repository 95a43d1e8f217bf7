#include "report/plot_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace unroll {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

PlotRange widened(PlotRange range, double by) {
  return {std::max(range.low - by, -kLargest), std::min(range.high + by, kLargest)};
}

/// The step between round numbers: the least of 1, 2, 5 times a power of ten that is not below.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

/// As many digits as tell the numbers apart, and no more.
std::string tick_text(double value, double step, double largest) {
  if (value == 0) return "0";
  if (largest >= 1e-4 && largest < 1e6)
    return fmt::format("{:.{}f}", value, std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9))));
  const int digits = static_cast<int>(std::ceil(std::log10(largest / step) - 1e-9)) + 1;
  return fmt::format("{:.{}g}", value, std::clamp(digits, 1, 17));
}

}  // namespace

PlotRange range_of(std::vector<double> values, bool all) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const PlotRange full{*low, *high};
  constexpr std::ptrdiff_t kFewest = 20;  // of fewer, none is left out
  if (all || std::ssize(values) < kFewest) return full;
  const std::ptrdiff_t left_out = (std::ssize(values) + 99) / 100;
  const auto first = values.begin() + left_out, last = values.end() - 1 - left_out;
  std::nth_element(values.begin(), first, values.end());
  const double bulk_low = *first;
  std::nth_element(values.begin(), last, values.end());
  const PlotRange bulk{bulk_low, *last};
  if (bulk.half() == 0 || full.half() / 3 <= bulk.half()) return full;
  const PlotRange roomy = widened(bulk, 0.3 * bulk.half());
  return {std::max(roomy.low, full.low), std::min(roomy.high, full.high)};
}

PlotRange with_margin(PlotRange range) {
  constexpr double kMargin = 0.08;  // of half the width
  if (range.half() > std::abs(range.middle()) * 1e-13) return widened(range, kMargin * range.half());
  return widened(range, range.middle() == 0 ? 1 : std::abs(range.middle()) / 4);
}

PlotTicks ticks_of(const PlotRange& range, int wanted) {
  if (range.low == range.high) return {{range.low}, {fmt::format("{:.6g}", range.low)}};
  PlotTicks ticks;
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const double least = range.half() / wanted * 2;
  // Of numbers at the ends of what a double can hold, or that differ in their last digits only, none is round.
  if (!(least > largest * 1e-12) || largest > 1e300 || least < 1e-300) return ticks;
  const double step = round_step(least);
  const double first = std::ceil(range.low / step - 1e-9);
  for (double i = first; i * step <= range.high + 1e-9 * step; ++i) {
    ticks.at.push_back(i * step);
    ticks.texts.push_back(tick_text(i * step, step, largest));
  }
  return ticks;
}

}  // namespace unroll
