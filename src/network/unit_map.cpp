#include "network/unit_map.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace unroll {

UnitMap unit_map(const CenteredPoints& z, VisibleUnits units, const Run& run) {
  const auto n = static_cast<double>(z.rows());
  UnitMap map{.scale = z.scale, .center = z.center};
  const double variance = squared_norm(z, run) / n;
  double varying = 0;
  for (std::size_t j = 0; j < z.low.size(); ++j) varying += z.high[j] > z.low[j] ? 1 : 0;
  if (variance == 0 || varying == 0) return map;
  if (units == VisibleUnits::Binary) {
    const double low = *std::min_element(z.low.begin(), z.low.end());
    map.unit = *std::max_element(z.high.begin(), z.high.end()) - low;
    std::fill(map.center.begin(), map.center.end(), low);
  } else {
    map.unit = std::sqrt(variance / varying);
  }
  map.total = variance / map.unit / map.unit;
  return map;
}

Array2<float> visible_units(const CenteredPoints& z, const UnitMap& map, const Run& run) {
  constexpr Index kRows = 64;
  Array2<float> v = Array2<float>::uninitialized(z.rows(), z.cols());
  const double factor = map.factor();
  z.points.visit([&](auto x) {
    parallel_for(run, x.rows, kRows, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        for (Index j = 0; j < x.cols; ++j) {
          const double shifted = map.scale * static_cast<double>(x(i, j)) - map.center[static_cast<std::size_t>(j)];
          v(i, j) = static_cast<float>(shifted * factor);
        }
    });
  });
  return v;
}

}  // namespace unroll
