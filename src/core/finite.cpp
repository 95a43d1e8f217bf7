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

}  // namespace

std::optional<Cell> first_non_finite(PointsView values, const Run& run) {
  if (values.cols() == 0) return std::nullopt;  // whatever the number of rows
  constexpr Index kEntriesPerBlock = 1 << 16;
  const Index grain = kEntriesPerBlock / values.cols() + 1;
  return values.visit([&](auto view) {
    return parallel_reduce(
        run, view.rows, grain, std::optional<Cell>(),
        [&](Index begin, Index end) { return first_in_rows(view, begin, end); },
        [](std::optional<Cell> first, std::optional<Cell> next) { return first ? first : next; });
  });
}

const char* non_finite_name(PointsView values, Cell cell) {
  return values.visit([&](auto view) { return std::isnan(view(cell.row, cell.col)); }) ? "NaN" : "infinity";
}

void require_finite(PointsView values, std::string_view what, std::string_view advice, const Run& run) {
  if (first_non_finite(values, run))
    throw Error(ErrorKind::InvalidData, fmt::format("{} overflow (above 1.8e308)", what), std::string(advice));
}

void require_finite(const std::vector<double>& values, std::string_view what, std::string_view advice) {
  require_finite(PointsView(values.data(), 1, std::ssize(values)), what, advice);
}

}  // namespace unroll
