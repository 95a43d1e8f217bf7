#include "neighbors/graph_order.h"

#include <algorithm>
#include <numeric>

#include "core/parallel.h"
#include "neighbors/halving.h"

namespace unroll {
namespace {

constexpr Index kLeaf = 16;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

class Bisection {
 public:
  explicit Bisection(const NeighborGraph& graph)
      : graph_(graph), order_(at(graph.size())), found_(order_.size()), part_(order_.size()), seen_(order_.size()) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  std::vector<Index> order(const Run& run) {
    std::vector<LeafRange> parts{{0, block_count(size(), kLeaf)}};
    search(parts.front());  // its first point is now one at the rim
    while (!parts.empty()) {
      parallel_for(run, static_cast<Index>(parts.size()), 1, [&](Index i, Index) { search(parts[at(i)]); });
      std::vector<LeafRange> halves;
      for (const LeafRange& part : parts) {
        halves.push_back(part.left());
        halves.push_back(part.right());
      }
      std::erase_if(halves, [](const LeafRange& half) { return half.count < 2; });
      parts = std::move(halves);
      parallel_for(run, static_cast<Index>(parts.size()), 1, [&](Index i, Index) { mark(parts[at(i)]); });
    }
    return std::move(order_);
  }

 private:
  Index size() const { return static_cast<Index>(order_.size()); }
  Index begin_of(const LeafRange& part) const { return part.first * kLeaf; }
  Index end_of(const LeafRange& part) const { return std::min(size(), (part.first + part.count) * kLeaf); }

  /// A part is known by the leaf before which it is cut: no two parts, of whatever level, are cut at the same place.
  static Index name(const LeafRange& part) { return part.first + part.left_count(); }

  void mark(const LeafRange& part) {
    for (Index i = begin_of(part); i < end_of(part); ++i) part_[at(order_[at(i)])] = name(part);
  }

  /// Reorders a part: breadth first from its first point, turned round, so that a point far from there comes first next
  /// time. What is not connected keeps its place.
  void search(const LeafRange& part) {
    const Index begin = begin_of(part), end = end_of(part), mine = begin < end ? part_[at(order_[at(begin)])] : 0;
    Index found = begin;
    const auto find = [&](Index point) {
      if (seen_[at(point)] != 0) return;
      seen_[at(point)] = 1;
      found_[at(found++)] = point;
    };
    for (Index start = begin; start < end; ++start) {
      const Index first = found;
      find(order_[at(start)]);
      for (Index next = first; next < found; ++next)
        for (const Index neighbor : graph_.neighbors_of(found_[at(next)]))
          if (part_[at(neighbor)] == mine) find(neighbor);
      std::reverse(found_.begin() + first, found_.begin() + found);
    }
    for (Index i = begin; i < end; ++i) {
      order_[at(i)] = found_[at(i)];
      seen_[at(order_[at(i)])] = 0;
    }
  }

  const NeighborGraph& graph_;
  std::vector<Index> order_;
  std::vector<Index> found_;
  std::vector<Index> part_;  ///< of a point
  std::vector<char> seen_;
};

}  // namespace

std::vector<Index> graph_order(const NeighborGraph& graph, const Run& run) { return Bisection(graph).order(run); }

}  // namespace unroll
