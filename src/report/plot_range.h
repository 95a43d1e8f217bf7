#pragma once
#include <string>
#include <vector>

namespace unroll {

/// What an axis or a scale of colors shows.
struct PlotRange {
  double low = 0;
  double high = 0;

  // Halves, since the difference of two large numbers may be infinite.
  double middle() const { return low / 2 + high / 2; }
  double half() const { return high / 2 - low / 2; }
  bool contains(double value) const { return value >= low && value <= high; }
  /// 0 at the low end, 1 at the high one; a range of one value has it in the middle.
  double share(double value) const { return half() > 0 ? (value / 2 - low / 2) / half() : 0.5; }
};

/// All the values; or, without `all`, their bulk, where a few outliers would otherwise take two thirds of the room. The
/// bulk is what 1 % on either side leaves, at least one value, and some room around it. NaN does not count.
PlotRange range_of(std::vector<double> values, bool all);

/// The same range with room at both ends; a range of one value gets some width.
PlotRange with_margin(PlotRange range);

/// Places and texts of round numbers.
struct PlotTicks {
  std::vector<double> at = {};
  std::vector<std::string> texts = {};
};

/// About so many round numbers within the range: 1, 2 or 5 times a power of ten apart.
PlotTicks ticks_of(const PlotRange& range, int wanted);

}  // namespace unroll
