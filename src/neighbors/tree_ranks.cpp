#include <algorithm>
#include <limits>

#include "core/at.h"
#include "core/parallel.h"
#include "neighbors/kd_tree.h"
#include "simd/kernels.h"

namespace unroll {
/// Counts for all edges of one point in one walk. Boxes that lie within the length of an edge, or beyond it, are
/// counted without a look at their points: of n points in the plane O(sqrt(n)) are looked at per edge.
class TreeRanking {
 public:
  TreeRanking(const KdTree& tree, const RowDistance& distance)
      : tree_(tree), distance_(distance), kernel_(simd::kernels().pairs.leaf_squared), at_(at(tree.dims_)) {}

  void operator()(Index place, const NeighborGraph& graph, std::vector<Index>& counts) {
    place_ = place;
    point_ = tree_.order_[at(place)];
    const double* own = tree_.leaf(place / KdTree::kLeaf) + place % KdTree::kLeaf;
    for (Index d = 0; d < tree_.dims_; ++d) at_[at(d)] = own[d * KdTree::kLeaf];
    find_edges(graph);
    steps_.assign(edges_.size() + 1, 0);
    walk(tree_.root(), 0, std::ssize(edges_));
    Index count = 0;
    for (std::size_t e = 0; e < edges_.size(); ++e) counts[at(edges_[e].slot)] = count += steps_[e];
  }

 private:
  /// An edge whose points are counted: those at a norm below `low` are nearer than its end, those above `high` are not.
  struct Edge {
    double distance = 0;
    Index to = 0;
    double low = 0;
    double high = 0;
    Index slot = 0;  ///< in the graph

    bool operator<(const Edge& other) const {
      return distance < other.distance || (distance == other.distance && to < other.to);
    }
  };

  /// The edges of the point, nearest first: what is nearer than the end of one is nearer than those of all after it.
  void find_edges(const NeighborGraph& graph) {
    constexpr double kRounding = 1e-12, kUnderflow = 1e-290;
    edges_.clear();
    Index slot = graph.offsets[at(point_)];
    for (const Index to : graph.neighbors_of(point_)) {
      const double distance = distance_(point_, to), length = distance_.to_length(distance), norm = length * length;
      edges_.push_back(
          {distance, to, norm * (1 - kRounding) - kUnderflow, norm * (1 + kRounding) + kUnderflow, slot++});
    }
    std::sort(edges_.begin(), edges_.end());
  }

  /// Adds to the counts of edges from `first` to before `last`.
  void add(Index points, Index first, Index last) {
    steps_[at(first)] += points;
    steps_[at(last)] -= points;
  }

  /// Edges before `first` are too short to reach the branch, those from `last` on have counted it.
  void walk(const TreeBranch& branch, Index first, Index last) {
    const auto [nearest, farthest] = norms_of(branch.node);
    const auto begin = edges_.begin();
    first = std::partition_point(begin + first, begin + last,
                                 [&, near = nearest](const Edge& edge) { return edge.high < near; }) -
            begin;
    const Index within = std::partition_point(begin + first, begin + last,
                                              [&, far = farthest](const Edge& edge) { return edge.low <= far; }) -
                         begin;
    if (within < last) add(points_of(branch), within, last);
    if (first == within) return;
    if (branch.range.count == 1) return scan(branch.range.first, first, within);
    walk(branch.left(), first, within);
    walk(branch.right(), first, within);
  }

  /// Points of a branch other than the point itself.
  Index points_of(const TreeBranch& branch) const {
    const Index begin = branch.range.first * KdTree::kLeaf;
    const Index end = std::min(tree_.points_, begin + branch.range.count * KdTree::kLeaf);
    return end - begin - (place_ >= begin && place_ < end ? 1 : 0);
  }

  struct Norms {
    double nearest = 0, farthest = 0;
  };
  Norms norms_of(Index node) const {
    const double* low = tree_.box(node);
    const double* high = low + tree_.dims_;
    Norms norms;
    for (Index d = 0; d < tree_.dims_; ++d) {
      const double below = low[d] - at_[at(d)], above = at_[at(d)] - high[d];
      const double nearest = std::max({below, above, 0.0}), farthest = std::max(-below, -above);
      norms.nearest += nearest * nearest;
      norms.farthest += farthest * farthest;
    }
    return norms;
  }

  void scan(Index leaf, Index first, Index last) {
    double norms[KdTree::kLeaf];
    kernel_(at_.data(), tree_.leaf(leaf), tree_.dims_, KdTree::kLeaf, edges_[at(last - 1)].high, norms);
    // Neither below nor above any limit: the point itself, and places without a point.
    if (place_ / KdTree::kLeaf == leaf) norms[place_ % KdTree::kLeaf] = std::numeric_limits<double>::quiet_NaN();
    for (Index e = first; e < last; ++e) {
      const Edge& edge = edges_[at(e)];
      int nearer = 0, unsure = 0;
      for (const double norm : norms) {
        nearer += norm < edge.low ? 1 : 0;
        unsure += norm <= edge.high ? 1 : 0;
      }
      for (Index i = 0; nearer < unsure && i < KdTree::kLeaf; ++i)
        if (norms[i] >= edge.low && norms[i] <= edge.high && is_nearer(norms[i], leaf * KdTree::kLeaf + i, edge))
          add(1, e, e + 1);
      add(nearer, e, e + 1);
    }
  }

  bool is_nearer(double norm, Index place, const Edge& edge) const {
    const Index point = tree_.order_[at(place)];
    const double distance = distance_.from_norm(norm, point_, point);
    return distance < edge.distance || (distance == edge.distance && point < edge.to);
  }

  const KdTree& tree_;
  const RowDistance& distance_;
  std::uint64_t (*kernel_)(const double*, const double*, Index, Index, double, double*);
  std::vector<double> at_;
  Index place_ = 0;
  Index point_ = 0;
  std::vector<Edge> edges_ = {};
  std::vector<Index> steps_ = {};  ///< the count of an edge less that of the one before it
};

std::vector<Index> KdTree::count_nearer(const RowDistance& distance, const NeighborGraph& graph, const Run& run) const {
  constexpr Index kPlaces = 512;
  std::vector<Index> counts(at(graph.edges()));
  parallel_for(
      run, points_, kPlaces,
      [&](Index begin, Index end) {
        TreeRanking ranking(*this, distance);
        for (Index place = begin; place < end; ++place)
          if (graph.degree(order_[at(place)]) > 0) ranking(place, graph, counts);
      },
      "ranking");
  return counts;
}

}  // namespace unroll
