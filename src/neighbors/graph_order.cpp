#include "neighbors/graph_order.h"

#include <algorithm>
#include <numeric>

#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
namespace {

constexpr Index kSmallPart = 16;  // smaller parts are not cut further just for the order

/// The middle of a size, as a multiple of `unit`.
Index half(Index size, Index unit) { return (block_count(size, unit) + 1) / 2 * unit; }

class Bisection {
 public:
  Bisection(const NeighborGraph& graph, const std::vector<Index>& weights, Index group)
      : graph_(graph), weights_(weights), group_(group), part_(at(graph.size())), seen_(at(graph.size())) {
    order_.points.resize(at(graph.size()));
    std::iota(order_.points.begin(), order_.points.end(), Index{0});
    found_.resize(order_.points.size());
  }

  GraphOrder order(const Run& run) {
    const Index n = graph_.size();
    std::vector<Part> parts{{0, n, std::accumulate(weights_.begin(), weights_.end(), Index{0})}};
    search(parts.front());  // its first point is now at the boundary
    order_.cuts = {0, n};
    while (!parts.empty()) {
      parallel_for(run, static_cast<Index>(parts.size()), 1, [&](Index i, Index) {
        search(parts[at(i)]);
        find_cut(parts[at(i)]);
      });
      parts = halves(parts);
      parallel_for(run, static_cast<Index>(parts.size()), 1, [&](Index i, Index) { mark(parts[at(i)]); });
      std::erase_if(parts, [&](const Part& part) { return !is_heavy(part) && part.end - part.begin <= kSmallPart; });
    }
    std::sort(order_.cuts.begin(), order_.cuts.end());
    return std::move(order_);
  }

 private:
  struct Part {
    Index begin;
    Index end;
    Index weight;
    Index cut = 0;
    Index weight_before_cut = 0;
  };

  bool is_heavy(const Part& part) const { return part.weight > group_; }

  void find_cut(Part& part) const {
    part.cut = std::min(part.end, part.begin + half(part.end - part.begin, kSmallPart));
    const Index most = is_heavy(part) ? half(part.weight, group_) : part.weight;
    for (Index i = part.begin; i < part.end && (is_heavy(part) || i < part.cut); ++i) {
      const Index weight = weights_[at(order_.points[at(i)])];
      if (part.weight_before_cut + weight > most) {
        part.cut = i;
        break;
      }
      part.weight_before_cut += weight;
    }
  }

  std::vector<Part> halves(const std::vector<Part>& parts) {
    std::vector<Part> result;
    for (const Part& part : parts) {
      if (is_heavy(part)) order_.cuts.push_back(part.cut);
      result.push_back({part.begin, part.cut, part.weight_before_cut});
      result.push_back({part.cut, part.end, part.weight - part.weight_before_cut});
    }
    return result;
  }

  /// The begin of a part identifies it: no other part of its level, and no finished part, begins there.
  void mark(const Part& part) {
    for (Index i = part.begin; i < part.end; ++i) part_[at(order_.points[at(i)])] = part.begin;
  }

  /// Reorders a part breadth first from its first point, reversed, so that a point far from there comes first next
  /// time. Points that are not connected to it keep their place.
  void search(const Part& part) {
    Index found = part.begin;
    const auto find = [&](Index point) {
      if (part_[at(point)] != part.begin || seen_[at(point)] != 0)
        return;  // in this order: seen_ of other threads is not read
      seen_[at(point)] = 1;
      found_[at(found++)] = point;
    };
    for (Index start = part.begin; start < part.end; ++start) {
      const Index first = found;
      find(order_.points[at(start)]);
      for (Index next = first; next < found; ++next)
        for (const Index neighbor : graph_.neighbors_of(found_[at(next)])) find(neighbor);
      std::reverse(found_.begin() + first, found_.begin() + found);
    }
    for (Index i = part.begin; i < part.end; ++i) {
      order_.points[at(i)] = found_[at(i)];
      seen_[at(order_.points[at(i)])] = 0;
    }
  }

  const NeighborGraph& graph_;
  const std::vector<Index>& weights_;
  Index group_;
  GraphOrder order_;
  std::vector<Index> found_;
  std::vector<Index> part_;  ///< of a point
  std::vector<char> seen_;
};

}  // namespace

GraphOrder graph_order(const NeighborGraph& graph, const std::vector<Index>& weights, Index group, const Run& run) {
  return Bisection(graph, weights, group).order(run);
}

}  // namespace unroll
