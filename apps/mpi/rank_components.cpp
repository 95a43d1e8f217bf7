#include "rank_components.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/at.h"
#include "neighbors/disjoint_sets.h"
#include "rank_points.h"

namespace unroll::cluster {
namespace {

constexpr Index kNobody = -1;

struct Edge {
  Index weight, first, second;
};

/// Own points, or -1: the place of an id among ascending ones.
Index place_of(Index id, const std::vector<Index>& ids) {
  const auto found = std::lower_bound(ids.begin(), ids.end(), id);
  return found != ids.end() && *found == id ? found - ids.begin() : kNobody;
}

/// A set of own points, for the root.
struct Group {
  Index border = kNobody;  ///< the id of a point at the border; or none: the group is a component
  Index lowest = 0, size = 0;
};

/// What a rank finds out by itself.
class OwnForest {
 public:
  OwnForest(const Ranks& ranks, const RankGraph& own, Index n) : own_(own), sets_(std::ssize(own.ids)) {
    border_.assign(own.ids.size(), kNobody);
    mark_border(ranks, n);
    for (Index i = 0; i < own.graph.size(); ++i) most_ = std::max(most_, own.graph.degree(i));
    joined_.assign(at(most_), 0);
    for (Index weight = 1; weight <= most_; ++weight) join(weight);
  }

  const std::vector<Edge>& edges() const { return edges_; }
  /// By weight: how many edges have joined two components that the root does not see.
  const std::vector<Index>& joined() const { return joined_; }

  /// The groups, and for every own point the number of its group.
  std::vector<Group> groups(std::vector<Index>& group_of) {
    std::vector<Group> result;
    std::vector<Index> number(own_.ids.size(), kNobody);
    for (Index i = 0; i < std::ssize(own_.ids); ++i) {
      const Index set = sets_.find(i);
      if (number[at(set)] == kNobody) {
        number[at(set)] = std::ssize(result);
        result.push_back({.border = border_[at(set)], .lowest = own_.ids[at(i)]});
      }
      ++result[at(number[at(set)])].size;
      group_of.push_back(number[at(set)]);
    }
    return result;
  }

 private:
  /// Both ends of an edge between ranks are at the border; the other rank may not have the edge.
  void mark_border(const Ranks& ranks, Index n) {
    std::vector<Index> foreign;
    for (Index i = 0; i < own_.graph.size(); ++i)
      for (const Index j : own_.graph.neighbors_of(i))
        if (place_of(j, own_.ids) == kNobody) {
          foreign.push_back(j);
          border_[at(i)] = own_.ids[at(i)];
        }
    std::sort(foreign.begin(), foreign.end());
    foreign.erase(std::unique(foreign.begin(), foreign.end()), foreign.end());
    // Their homes know who holds them.
    const std::vector<Index> holder = holders(ranks, own_.ids, n);
    const ByRank<Index> asked = ranks.exchange(ByRank<Index>{foreign, offsets_by_home(ranks, foreign, n)});
    std::vector<std::vector<Index>> told(at(ranks.count()));
    for (const Index id : asked.items) told[at(holder[at(id - ranks.begin_of(ranks.rank(), n))])].push_back(id);
    ByRank<Index> messages{.offsets = {0}};
    for (const std::vector<Index>& ids : told) {
      messages.items.insert(messages.items.end(), ids.begin(), ids.end());
      messages.offsets.push_back(std::ssize(messages.items));
    }
    for (const Index id : ranks.exchange(messages).items) border_[at(place_of(id, own_.ids))] = id;
  }

  void join(Index weight) {
    for (Index i = 0; i < own_.graph.size(); ++i) {
      if (own_.graph.degree(i) < weight) continue;
      const Index id = own_.graph.neighbors_of(i)[at(weight - 1)], j = place_of(id, own_.ids);
      if (j == kNobody) {
        edges_.push_back({weight, own_.ids[at(i)], id});
        continue;
      }
      const Index here = border_[at(sets_.find(i))], there = border_[at(sets_.find(j))];
      if (!sets_.join(i, j)) continue;
      if (here != kNobody && there != kNobody) {
        edges_.push_back({weight, here, there});
      } else {
        ++joined_[at(weight - 1)];
      }
      border_[at(sets_.find(i))] = here != kNobody ? here : there;
    }
  }

  const RankGraph& own_;
  DisjointSets sets_;
  std::vector<Index> border_;  ///< of a set's root: the id of its point at the border
  Index most_ = 0;
  std::vector<Index> joined_;
  std::vector<Edge> edges_;
};

/// The points at the border, at the root.
class BorderForest {
 public:
  explicit BorderForest(std::vector<Edge> edges) : edges_(std::move(edges)), sets_(0) {
    for (const Edge& edge : edges_) ids_.insert(ids_.end(), {edge.first, edge.second});
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    sets_ = DisjointSets(std::ssize(ids_));
    std::stable_sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) { return a.weight < b.weight; });
  }

  /// Adds the joins of every weight.
  void join_all(std::vector<Index>& joined) {
    for (const Edge& edge : edges_)
      if (sets_.join(place_of(edge.first, ids_), place_of(edge.second, ids_))) ++joined[at(edge.weight - 1)];
  }

  /// Numbers the components of all groups in the order of their lowest points; returns the number of every group.
  std::vector<Index> number(const std::vector<Group>& groups, std::vector<Index>& sizes) {
    std::vector<Index> set(groups.size()), order(groups.size()), label_of(ids_.size(), kNobody), label(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g)
      set[g] = groups[g].border == kNobody ? kNobody : sets_.find(place_of(groups[g].border, ids_));
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return groups[at(a)].lowest < groups[at(b)].lowest; });
    for (const Index g : order) {
      Index own = kNobody;
      Index& number = set[at(g)] == kNobody ? own : label_of[at(set[at(g)])];
      if (number == kNobody) {
        number = std::ssize(sizes);
        sizes.push_back(0);
      }
      sizes[at(number)] += groups[at(g)].size;
      label[at(g)] = number;
    }
    return label;
  }

 private:
  std::vector<Edge> edges_;
  std::vector<Index> ids_;
  DisjointSets sets_;
};

/// The number of components after the joins of every weight.
Connectivity counted(const std::vector<Index>& joined, Index n) {
  Connectivity result;
  Index components = n;
  for (const Index joins : joined) {
    components -= joins;
    result.components_for_k.push_back(components);
    if (components == 1 && !result.smallest_connecting_k)
      result.smallest_connecting_k = std::ssize(result.components_for_k);
  }
  return result;
}

}  // namespace

RankComponents find_components(const Ranks& ranks, const RankGraph& own, Index n) {
  OwnForest forest(ranks, own, n);
  std::vector<Index> joined = forest.joined();
  joined.resize(at(ranks.largest(std::ssize(joined))));
  joined = ranks.sum(std::move(joined));
  RankComponents result;
  std::vector<Index> group_of;
  const ByRank<Group> groups = ranks.gather_at_root(forest.groups(group_of));
  BorderForest border(ranks.gather_at_root(forest.edges()).items);
  ByRank<Index> labels{.items = {}, .offsets = groups.offsets};
  ranks.together([&] {
    if (!ranks.is_root()) return;
    border.join_all(joined);
    labels.items = border.number(groups.items, result.sizes);
  });
  ranks.share(joined);
  ranks.share(result.sizes);
  result.connectivity = counted(joined, n);
  const std::vector<Index> label = ranks.exchange(labels).items;
  for (const Index group : group_of) result.labels.push_back(label[at(group)]);
  return result;
}

}  // namespace unroll::cluster
