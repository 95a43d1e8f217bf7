#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// A range of leaves of a balanced tree, halved until one leaf is left. All leaves but the last have the same number of
/// points, so nothing is stored. In preorder the left child follows its node, and the right child comes after the 2m -
/// 1 nodes of a left child with m leaves.
struct LeafRange {
  Index first = 0;
  Index count = 0;

  Index left_count() const { return (count + 1) / 2; }
  LeafRange left() const { return {first, left_count()}; }
  LeafRange right() const { return {first + left_count(), count - left_count()}; }
};

/// The points in the order of a balanced tree's leaves. At each node `tree.direction(node, points)` chooses a direction
/// and `tree.key(direction, point)` gives the position of a point along it; the median splits, ties by index. The tree
/// is built level by level, so that even the first splits use all threads.
template <class Tree>
class MedianSplit {
 public:
  MedianSplit(Index points, Index leaf, const Tree& tree) : leaf_(leaf), tree_(tree) {
    order_.resize(static_cast<std::size_t>(points));
    std::iota(order_.begin(), order_.end(), Index{0});
    keyed_.resize(order_.size());
  }

  std::vector<Index> order(const Run& run) {
    std::vector<Node> level{{1, {0, block_count(size(), leaf_)}}};
    while (!level.empty() && level.front().range.count > 1) {
      split(level, run);
      std::vector<Node> next;
      for (const Node& node : level) {
        next.push_back({2 * node.number, node.range.left()});
        next.push_back({2 * node.number + 1, node.range.right()});
      }
      std::erase_if(next, [](const Node& node) { return node.range.count < 2; });
      level = std::move(next);
    }
    return std::move(order_);
  }

 private:
  using Direction = typename Tree::Direction;
  struct Node {
    std::uint64_t number;
    LeafRange range;
  };
  struct Keyed {
    float key;
    Index point;
    bool operator<(const Keyed& other) const { return key < other.key || (key == other.key && point < other.point); }
  };

  Index size() const { return static_cast<Index>(order_.size()); }
  Index begin_of(const Node& node) const { return node.range.first * leaf_; }
  Index end_of(const Node& node) const { return std::min(size(), (node.range.first + node.range.count) * leaf_); }

  void split(const std::vector<Node>& level, const Run& run) {
    const auto nodes = static_cast<Index>(level.size());
    std::vector<Direction> directions(level.size());
    parallel_for(run, nodes, 16, [&](Index begin, Index end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        const Index* points = order_.data() + begin_of(level[i]);
        directions[i] = tree_.direction(level[i].number, {points, order_.data() + end_of(level[i])});
      }
    });
    constexpr Index kPoints = 4096;
    for_pieces(level, kPoints, run, [&](std::size_t i, Index begin, Index end) {
      for (Index place = begin; place < end; ++place) {
        const Index point = order_[static_cast<std::size_t>(place)];
        keyed_[static_cast<std::size_t>(place)] = {tree_.key(directions[i], point), point};
      }
    });
    parallel_for(run, nodes, 1, [&](Index i, Index) {
      const Node& node = level[static_cast<std::size_t>(i)];
      const auto first = keyed_.begin();
      std::nth_element(first + begin_of(node), first + node.range.right().first * leaf_, first + end_of(node));
    });
    for_pieces(level, kPoints, run, [&](std::size_t, Index begin, Index end) {
      for (Index place = begin; place < end; ++place)
        order_[static_cast<std::size_t>(place)] = keyed_[static_cast<std::size_t>(place)].point;
    });
  }

  /// work(node, begin, end) for pieces of all nodes of a level.
  template <class Work>
  void for_pieces(const std::vector<Node>& level, Index grain, const Run& run, Work&& work) const {
    struct Piece {
      std::size_t node;
      Index begin, end;
    };
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < level.size(); ++i)
      for (Index begin = begin_of(level[i]); begin < end_of(level[i]); begin += grain)
        pieces.push_back({i, begin, std::min(end_of(level[i]), begin + grain)});
    parallel_for(run, static_cast<Index>(pieces.size()), 8, [&](Index begin, Index end) {
      for (Index p = begin; p < end; ++p) {
        const Piece& piece = pieces[static_cast<std::size_t>(p)];
        work(piece.node, piece.begin, piece.end);
      }
    });
  }

  Index leaf_;
  const Tree& tree_;
  std::vector<Index> order_;
  std::vector<Keyed> keyed_;
};

}  // namespace unroll
