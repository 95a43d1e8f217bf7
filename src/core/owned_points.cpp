#include "core/owned_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/finite.h"
#include "unroll/core/error.h"

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
  if (points.is_sparse()) return copied_rows(points.sparse(), points.is_float(), rows);
  return points.visit([&]<class T>(const MatrixView<T>& x) -> OwnedPoints { return converted<T>(x, rows); });
}

OwnedPoints copied_as(PointsView points, bool is_float) {
  if (points.is_sparse()) return copied_rows(points.sparse(), is_float);
  return points.visit([&](const auto& x) -> OwnedPoints {
    if (is_float) return converted<float>(x, {});
    return converted<double>(x, {});
  });
}

OwnedPoints copied_alike(PointsView rows, PointsView training) {
  if (rows.is_sparse() != training.is_sparse()) {
    const OwnedPoints stored = training.is_sparse() ? OwnedPoints(sparse_copy(rows)) : owned(dense_copy(rows.sparse()));
    return copied_alike(view_of(stored), training);
  }
  const bool is_float = training.is_float();
  OwnedPoints copy = copied_as(rows, is_float);
  if (!is_float || rows.is_float()) return copy;
  if (const auto bad = first_non_finite(view_of(copy))) {
    const double value = value_at(rows, *bad);
    throw Error(ErrorKind::InvalidData,
                Error::Parts{.problem = fmt::format("has {:g} in column {}, too large for the single precision of the "
                                                    "training points",
                                                    value, bad->col + 1),
                             .advice = "leave the row out, or fit in double precision",
                             .row = bad->row});
  }
  return copy;
}

}  // namespace unroll
