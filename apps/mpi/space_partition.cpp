#include "space_partition.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/at.h"

namespace unroll::cluster {
namespace {

/// The coordinate in which these points of the sample are farthest apart.
Index widest_side(const PointSample& sample, const Index* begin, const Index* end) {
  Index widest = 0;
  double width = -1;
  for (Index j = 0; j < sample.values.cols(); ++j) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Index* i = begin; i < end; ++i) {
      low = std::min(low, sample.values(*i, j));
      high = std::max(high, sample.values(*i, j));
    }
    if (const double side = high / 2 - low / 2; side > width) widest = j, width = side;
  }
  return widest;
}

}  // namespace

SpacePartition::SpacePartition(const PointSample& sample, Index parts) {
  std::vector<Index> points(sample.ids.size());
  std::iota(points.begin(), points.end(), Index{0});
  add(sample, points, 0, std::ssize(points), {0, parts});
}

std::size_t SpacePartition::add(const PointSample& sample, std::vector<Index>& points, Index begin, Index end,
                                Parts parts) {
  const std::size_t node = nodes_.size();
  nodes_.push_back({.row = parts.first});
  if (parts.count == 1 || begin == end) return node;
  const Index left = parts.count / 2, axis = widest_side(sample, points.data() + begin, points.data() + end);
  const auto key = [&](Index i) { return std::pair(sample.values(i, axis), sample.ids[at(i)]); };
  // Of `count` parts the first `left` get their share of the points.
  const Index middle = begin + std::min((end - begin) * left / parts.count, end - begin - 1);
  std::nth_element(points.begin() + begin, points.begin() + middle, points.begin() + end,
                   [&](Index a, Index b) { return key(a) < key(b); });
  const auto [value, row] = key(points[at(middle)]);
  const std::size_t below = add(sample, points, begin, middle, {parts.first, left});
  const std::size_t above = add(sample, points, middle, end, {parts.first + left, parts.count - left});
  nodes_[node] = {axis, value, row, below, above};
  return node;
}

RankPoints moved_to_parts(const Ranks& ranks, const RankPoints& own, Index n) {
  // With m points of the sample to a part, parts differ by about 1 / sqrt(m) of their size.
  constexpr Index kPerPart = 1000, kMostNumbers = Index{1} << 24;
  const Index cols = own.view().cols();
  const Index most = std::max<Index>(1, std::min(kPerPart * ranks.count(), kMostNumbers / cols));
  const SpacePartition partition(sample_of_all(ranks, own, n, most), ranks.count());
  return std::visit(
      [&]<class T>(const Array2<T>& values) {
        std::vector<Index> part, count(at(ranks.count()) + 1, 0);
        for (Index i = 0; i < own.size(); ++i) {
          part.push_back(partition.part_of(values.row(i), own.ids[at(i)]));
          ++count[at(part.back()) + 1];
        }
        ByRank<Index> ids{std::vector<Index>(own.ids.size()), count};
        std::partial_sum(ids.offsets.begin(), ids.offsets.end(), ids.offsets.begin());
        ByRank<T> rows{std::vector<T>(at(values.size())), {}};
        std::vector<Index> next = ids.offsets;
        for (Index i = 0; i < own.size(); ++i) {
          const Index place = next[at(part[at(i)])]++;
          ids.items[at(place)] = own.ids[at(i)];
          std::copy_n(values.row(i), cols, rows.items.begin() + place * cols);
        }
        for (const Index offset : ids.offsets) rows.offsets.push_back(offset * cols);
        // Slices follow each other in the order of ranks, so that the ids that arrive ascend.
        RankPoints result{.ids = ranks.exchange(ids).items};
        const std::vector<T> moved = ranks.exchange(rows).items;
        auto array = Array2<T>::uninitialized(result.size(), cols);
        std::copy(moved.begin(), moved.end(), array.data());
        result.values = std::move(array);
        return result;
      },
      own.values);
}

}  // namespace unroll::cluster
