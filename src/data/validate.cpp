#include "data/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/parallel.h"
#include "core/sparse_points.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The first place and the number of bad values.
struct Found {
  Index count = 0;
  Index row = 0;
  Index col = 0;

  void add(Index i, Index j) {
    if (count++ > 0) return;
    row = i;
    col = j;
  }
  Found& operator+=(const Found& later) {
    if (count == 0) {
      *this = later;
    } else {
      count += later.count;
    }
    return *this;
  }
};

struct Part {
  double max_abs = 0;
  Found nans = {};
  Found infinities = {};
};

/// The largest |x|, NaN and infinity included. Without their sign, IEEE numbers are ordered as the integers of the same
/// bits, with infinity above all numbers and NaN above infinity: one integer maximum per entry finds all of these
/// without a branch, and in separate lanes is as fast as the memory.
template <class T>
T largest_magnitude(const T* x, Index count, T largest) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  constexpr Bits kNoSign = std::numeric_limits<Bits>::max();
  constexpr std::size_t kLanes = 16;
  std::array<Bits, kLanes> lane{};
  lane[0] = std::bit_cast<Bits>(largest);
  Index i = 0;
  for (; i + static_cast<Index>(kLanes) <= count; i += static_cast<Index>(kLanes))
    for (std::size_t k = 0; k < kLanes; ++k) {
      const Bits bits = std::bit_cast<Bits>(x[i + static_cast<Index>(k)]) & kNoSign;
      lane[k] = lane[k] > bits ? lane[k] : bits;
    }
  for (; i < count; ++i) lane[0] = std::max(lane[0], std::bit_cast<Bits>(x[i]) & kNoSign);
  return std::bit_cast<T>(*std::max_element(lane.begin(), lane.end()));
}

template <class T>
Part examine(MatrixView<T> x, Index begin, Index end) {
  T largest = 0;
  if (x.stride == x.cols) {
    largest = largest_magnitude(x.row(begin), (end - begin) * x.cols, largest);
  } else {
    for (Index i = begin; i < end; ++i) largest = largest_magnitude(x.row(i), x.cols, largest);
  }
  Part part{.max_abs = static_cast<double>(largest)};
  if (std::isfinite(largest)) return part;
  for (Index i = begin; i < end; ++i)
    for (Index j = 0; j < x.cols; ++j) {
      if (std::isnan(x(i, j))) part.nans.add(i, j);
      if (std::isinf(x(i, j))) part.infinities.add(i, j);
    }
  return part;
}

template <class T, class Place>
Part examine(const CsrView<T, Place>& x, Index begin, Index end) {
  const Index first = x.begin(begin), last = x.end(end - 1);
  const T largest = largest_magnitude(x.values + first, last - first, T{0});
  Part part{.max_abs = static_cast<double>(largest)};
  if (std::isfinite(largest)) return part;
  for (Index i = begin; i < end; ++i)
    for (Index e = x.begin(i); e < x.end(i); ++e) {
      if (std::isnan(x.values[e])) part.nans.add(i, static_cast<Index>(x.columns[e]));
      if (std::isinf(x.values[e])) part.infinities.add(i, static_cast<Index>(x.columns[e]));
    }
  return part;
}

template <class View>
Part examine_rows(const View& view, Index grain, const Run& run) {
  return parallel_reduce(
      run, view.rows, grain, Part{}, [&](Index begin, Index end) { return examine(view, begin, end); },
      [](Part sum, const Part& part) {
        sum.max_abs = std::max(sum.max_abs, part.max_abs);
        sum.nans += part.nans;
        sum.infinities += part.infinities;
        return sum;
      });
}

Part examine_all(PointsView points, const Run& run) {
  constexpr Index kEntriesPerBlock = 1 << 16, kSparseRows = 1024;
  if (points.is_sparse()) {
    check_structure(points.sparse(), run);
    return points.sparse().visit([&](const auto& rows) { return examine_rows(rows, kSparseRows, run); });
  }
  const Index grain = std::max<Index>(1, kEntriesPerBlock / points.cols());
  return points.visit([&](auto view) { return examine_rows(view, grain, run); });
}

/// Uses the words that scikit-learn's users and tests expect.
void check_shape(PointsView points, Index min_rows, std::string_view what) {
  const auto fail = [&](Index got, std::string_view of_what, Index least) {
    throw Error(ErrorKind::InvalidData,
                fmt::format("Found {} with {} {}(s) (shape=({}, {})) while a minimum of {} is required",
                            what == "X" ? "array" : what, got, of_what, points.rows(), points.cols(), least));
  };
  if (points.rows() < min_rows) fail(points.rows(), "sample", min_rows);
  if (points.cols() < 1) fail(points.cols(), "feature", 1);
}

[[noreturn]] void throw_bad_value(std::string_view value, const Found& found, std::string_view what, std::string count,
                                  std::string advice) {
  throw Error(ErrorKind::InvalidData,
              {.problem = fmt::format("{}contains {} in column {} ({} in all)",
                                      what == "X" ? "" : fmt::format("of the {} ", what), value, found.col + 1, count),
               .advice = std::move(advice),
               .row = found.row});
}

}  // namespace

DataSummary check_points(PointsView points, Index min_rows, const Run& run, std::string_view what) {
  check_shape(points, min_rows, what);
  const Part all = examine_all(points, run);
  if (all.nans.count > 0)
    throw_bad_value("NaN", all.nans, what, fmt::format("{} NaN", all.nans.count),
                    "leave out these rows or fill in the values first");
  if (all.infinities.count > 0)
    throw_bad_value("infinity or a value too large", all.infinities, what, fmt::format("{}", all.infinities.count),
                    "leave out these rows or replace the values first");
  return {.max_abs = all.max_abs};
}

void check_square_distances(Index rows, Index cols) {
  if (rows == cols) return;
  throw Error(ErrorKind::InvalidData,
              fmt::format("metric=precomputed needs a square distance matrix, not one of {} x {}", rows, cols),
              "use another metric for points");
}

void check_count(Index points, Index min_points) {
  if (points >= min_points) return;
  throw Error(ErrorKind::InvalidData,
              fmt::format("found {} point(s) while a minimum of {} is required", points, min_points));
}

}  // namespace unroll
