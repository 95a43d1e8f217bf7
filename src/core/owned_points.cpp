#include "core/owned_points.h"

#include <algorithm>

namespace unroll {
namespace {

template <class To, class From>
Array2<To> converted(const MatrixView<From>& x, const std::vector<Index>& rows) {
  const Index count = rows.empty() ? x.rows : static_cast<Index>(rows.size());
  auto copy = Array2<To>::uninitialized(count, x.cols);
  for (Index i = 0; i < count; ++i) {
    const From* row = x.row(rows.empty() ? i : rows[static_cast<std::size_t>(i)]);
    std::transform(row, row + x.cols, copy.row(i), [](From value) { return static_cast<To>(value); });
  }
  return copy;
}

}  // namespace

OwnedPoints copied(PointsView points, const std::vector<Index>& rows) {
  return points.visit([&]<class T>(const MatrixView<T>& x) -> OwnedPoints { return converted<T>(x, rows); });
}

OwnedPoints copied_as(PointsView points, bool is_float) {
  return points.visit([&](const auto& x) -> OwnedPoints {
    if (is_float) return converted<float>(x, {});
    return converted<double>(x, {});
  });
}

}  // namespace unroll
