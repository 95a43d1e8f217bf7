#pragma once
#include <variant>
#include <vector>

#include "ranks.h"
#include "unroll/core/types.h"

namespace unroll::cluster {

/// The points that a rank holds, and their rows in the whole table: ascending, so that ties by local index are ties by
/// row. A rank is the home of a point if the point is in its slice of the table.
struct RankPoints {
  std::variant<Array2<double>, Array2<float>> values = {};
  std::vector<Index> ids = {};

  PointsView view() const {
    return std::visit([](const auto& array) { return PointsView(array); }, values);
  }
  Index size() const { return std::ssize(ids); }
};

/// For ascending ids: those of [offsets[r], offsets[r + 1]) have their home at rank r.
std::vector<Index> offsets_by_home(const Ranks& ranks, const std::vector<Index>& ids, Index n);

/// Sends values of points, ids ascending, to their homes; returns them in the order of the rows.
template <class T>
std::vector<T> sent_home(const Ranks& ranks, const std::vector<Index>& ids, const std::vector<T>& values, Index n) {
  const std::vector<Index> offsets = offsets_by_home(ranks, ids, n);
  const ByRank<Index> places = ranks.exchange(ByRank<Index>{ids, offsets});
  const ByRank<T> received = ranks.exchange(ByRank<T>{values, offsets});
  const Index begin = ranks.begin_of(ranks.rank(), n);
  std::vector<T> result(received.items.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    result[static_cast<std::size_t>(places.items[i] - begin)] = received.items[i];
  return result;
}

/// For every point at home: the rank that holds it.
std::vector<Index> holders(const Ranks& ranks, const std::vector<Index>& ids, Index n);

/// Every `stride`-th row of the table, on all ranks, as doubles; `ids` says which rows.
struct PointSample {
  Array2<double> values = {};
  std::vector<Index> ids = {};
};
PointSample sample_of_all(const Ranks& ranks, const RankPoints& own, Index n, Index most);

}  // namespace unroll::cluster
