#include "core/finite.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// Has no branch per entry, so that compilers vectorise the loop.
template <class T>
bool all_finite(const T* values, Index count) {
  int bad = 0;
  for (Index j = 0; j < count; ++j) bad |= std::abs(values[j]) <= std::numeric_limits<T>::max() ? 0 : 1;
  return bad == 0;
}

template <class T>
std::optional<Cell> first_in_rows(MatrixView<T> view, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    if (all_finite(view.row(i), view.cols)) continue;
    for (Index j = 0; j < view.cols; ++j)
      if (!std::isfinite(view(i, j))) return Cell{i, j};
  }
  return std::nullopt;
}

template <class T, class Place>
std::optional<Cell> first_in_rows(const CsrView<T, Place>& view, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    if (all_finite(view.values + view.begin(i), view.end(i) - view.begin(i))) continue;
    for (Index e = view.begin(i); e < view.end(i); ++e)
      if (!std::isfinite(view.values[e])) return Cell{i, static_cast<Index>(view.columns[e])};
  }
  return std::nullopt;
}

template <class View>
std::optional<Cell> first_of(const View& view, Index grain, const Run& run) {
  return parallel_reduce(
      run, view.rows, grain, std::optional<Cell>(),
      [&](Index begin, Index end) { return first_in_rows(view, begin, end); },
      [](std::optional<Cell> first, std::optional<Cell> next) { return first ? first : next; });
}

}  // namespace

std::optional<Cell> first_non_finite(PointsView values, const Run& run) {
  if (values.cols() == 0) return std::nullopt;  // whatever the number of rows
  constexpr Index kEntriesPerBlock = 1 << 16, kSparseRows = 1024;
  if (values.is_sparse()) return values.sparse().visit([&](const auto& x) { return first_of(x, kSparseRows, run); });
  return values.visit([&](auto view) { return first_of(view, kEntriesPerBlock / view.cols + 1, run); });
}

double value_at(PointsView values, Cell cell) {
  if (!values.is_sparse()) return values.visit([&](auto x) { return static_cast<double>(x(cell.row, cell.col)); });
  return values.sparse().visit([&](const auto& x) {
    for (Index e = x.begin(cell.row); e < x.end(cell.row); ++e)
      if (static_cast<Index>(x.columns[e]) == cell.col) return static_cast<double>(x.values[e]);
    return 0.0;
  });
}

const char* non_finite_name(PointsView values, Cell cell) {
  return std::isnan(value_at(values, cell)) ? "NaN" : "infinity";
}

void require_finite(PointsView values, std::string_view what, std::string_view advice, const Run& run) {
  if (first_non_finite(values, run))
    throw Error(ErrorKind::InvalidData, fmt::format("{} overflow (above 1.8e308)", what), std::string(advice));
}

void require_finite(const std::vector<double>& values, std::string_view what, std::string_view advice) {
  require_finite(PointsView(values.data(), 1, std::ssize(values)), what, advice);
}

}  // namespace unroll
