#include "neighbors/kd_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "neighbors/spatial_order.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr double kNoCoordinate = std::numeric_limits<double>::quiet_NaN();
constexpr Index kLeavesPerBlock = 32;

}  // namespace

KdTree::KdTree(TreeSpace space, const Run& run)
    : points_(space.coordinates.rows()), dims_(space.coordinates.cols()), space_(std::move(space)) {
  const Array2<double> coordinates = std::move(space_.coordinates);
  order_ = spatial_order(coordinates.view(), kLeaf, run);
  fill_leaves(coordinates, run);
  boxes_.resize(static_cast<std::size_t>((2 * leaves() - 1) * 2 * dims_));
  fill_box(0, {0, leaves()});
}

void KdTree::fill_leaves(const Array2<double>& coordinates, const Run& run) {
  leaves_.resize(static_cast<std::size_t>(leaves() * kLeaf * dims_));
  parallel_for(run, leaves(), kLeavesPerBlock, [&](Index begin, Index end) {
    for (Index place = begin * kLeaf; place < end * kLeaf; ++place) {
      double* to = leaves_.data() + place / kLeaf * kLeaf * dims_ + place % kLeaf;
      for (Index d = 0; d < dims_; ++d)
        to[d * kLeaf] = place < points_ ? coordinates(order_[static_cast<std::size_t>(place)], d) : kNoCoordinate;
    }
  });
}

void KdTree::fill_box(Index node, LeafRange range) {
  double* low = boxes_.data() + node * 2 * dims_;
  double* high = low + dims_;
  if (range.count == 1) {
    const double* values = leaf(range.first);
    for (Index d = 0; d < dims_; ++d) {
      low[d] = high[d] = values[d * kLeaf];
      for (Index i = 1; i < std::min(kLeaf, points_ - range.first * kLeaf); ++i) {
        low[d] = std::min(low[d], values[d * kLeaf + i]);
        high[d] = std::max(high[d], values[d * kLeaf + i]);
      }
    }
    return;
  }
  const TreeBranch whole{node, range}, left = whole.left(), right = whole.right();
  fill_box(left.node, left.range);
  fill_box(right.node, right.range);
  for (Index d = 0; d < dims_; ++d) {
    low[d] = std::min(box(left.node)[d], box(right.node)[d]);
    high[d] = std::max(box(left.node)[dims_ + d], box(right.node)[dims_ + d]);
  }
}

/// The search of one query through the tree.
class TreeWalk {
 public:
  /// `slack`: the rounding of the queries, if they are not the tree's own points.
  TreeWalk(const KdTree& tree, const RowDistance& distance, SearchLimits limits, double slack = 0)
      : tree_(tree),
        distance_(distance),
        list_(limits),
        kernel_(kernel(tree.space_.norm)),
        slack_(tree.space_.slack + std::max(slack, tree.space_.slack)) {}

  std::span<const Candidate> from_root(Index query, const double* at) {
    start(query, at);
    descend(tree_.root());
    return list_.sorted();
  }

  /// For a point of the tree: searches its own leaf first, then the other side of each split on the way up. The nearest
  /// points come early, and boxes exclude most of the rest.
  std::span<const Candidate> from_leaf(Index place, const double* at) {
    start(tree_.order_[static_cast<std::size_t>(place)], at);
    std::array<TreeBranch, 64> others;
    std::size_t depth = 0;
    TreeBranch branch = tree_.root();
    const Index leaf = place / KdTree::kLeaf;
    while (branch.range.count > 1) {
      const TreeBranch left = branch.left(), right = branch.right();
      const bool is_left = leaf < right.range.first;
      others[depth++] = is_left ? right : left;
      branch = is_left ? left : right;
    }
    scan(leaf);
    while (depth > 0) {
      const TreeBranch& other = others[--depth];
      if (bound(other.node) <= limit_) descend(other);
    }
    return list_.sorted();
  }

  void exclude_self() { exclude_self_ = true; }
  /// Points of the query's own group do not count.
  void exclude_group(const std::vector<Index>& group) { group_ = &group; }

  /// The points whose reach includes the query.
  std::vector<Candidate> within_reach(Index query, const double* at, const std::vector<double>& reach,
                                      const std::vector<double>& farthest) {
    query_ = query;
    at_ = at;
    std::vector<Candidate> found;
    collect(tree_.root(), reach, farthest, found);
    return found;
  }

 private:
  using Kernel = std::uint64_t (*)(const double*, const double*, Index, Index, double, double*);
  static Kernel kernel(TreeNorm norm) {
    const simd::PairKernels& pairs = simd::kernels().pairs;
    return norm == TreeNorm::Squared     ? pairs.leaf_squared
           : norm == TreeNorm::Manhattan ? pairs.leaf_manhattan
                                         : pairs.leaf_chebyshev;
  }

  void start(Index query, const double* at) {
    query_ = query;
    at_ = at;
    list_.clear();
    update_limit();
  }

  void update_limit() { limit_ = norm_limit(list_.limit()); }

  /// The largest norm of a difference if the distance is at most this.
  double norm_limit(double distance) const {
    const double length = tree_.space_.factor * distance_.to_length(distance) * (1 + 1e-12) + slack_;
    // Squares may underflow; 1e-290 keeps such points within the limit.
    return tree_.space_.norm == TreeNorm::Squared ? length * length * (1 + 1e-12) + 1e-290 : length;
  }

  double bound(Index node) const {
    const double* low = tree_.box(node);
    const double* high = low + tree_.dims_;
    double sum = 0;
    for (Index d = 0; d < tree_.dims_; ++d) {
      const double beyond = std::max(std::max(low[d] - at_[d], at_[d] - high[d]), 0.0);
      switch (tree_.space_.norm) {
        case TreeNorm::Squared: sum += beyond * beyond; break;
        case TreeNorm::Manhattan: sum += beyond; break;
        case TreeNorm::Chebyshev: sum = std::max(sum, beyond);
      }
    }
    return sum;
  }

  /// Requires that the box of the branch is near enough.
  void descend(const TreeBranch& branch) {
    if (branch.range.count == 1) {
      scan(branch.range.first);
      return;
    }
    TreeBranch near = branch.left();
    TreeBranch far = branch.right();
    double near_bound = bound(near.node);
    double far_bound = bound(far.node);
    if (far_bound < near_bound) {
      std::swap(near, far);
      std::swap(near_bound, far_bound);
    }
    if (near_bound <= limit_) descend(near);
    if (far_bound <= limit_) descend(far);
  }

  void scan(Index leaf) {
    double values[KdTree::kLeaf];
    std::uint64_t near = kernel_(at_, tree_.leaf(leaf), tree_.dims_, KdTree::kLeaf, limit_, values);
    for (; near != 0; near &= near - 1) {
      const int i = __builtin_ctzll(near);
      if (!(values[i] <= limit_)) continue;
      const Index point = tree_.order_[static_cast<std::size_t>(leaf * KdTree::kLeaf + i)];
      if (exclude_self_ && point == query_) continue;
      if (group_ != nullptr && group_of(point) == group_of(query_)) continue;
      list_.add(tree_.space_.direct ? distance_.from_norm(values[i], query_, point) : distance_(query_, point), point);
      update_limit();
    }
  }

  void collect(const TreeBranch& branch, const std::vector<double>& reach, const std::vector<double>& farthest,
               std::vector<Candidate>& found) const {
    if (bound(branch.node) > norm_limit(farthest[static_cast<std::size_t>(branch.node)])) return;
    if (branch.range.count > 1) {
      collect(branch.left(), reach, farthest, found);
      collect(branch.right(), reach, farthest, found);
      return;
    }
    const Index first = branch.range.first * KdTree::kLeaf;
    for (Index place = first; place < std::min(tree_.points_, first + KdTree::kLeaf); ++place) {
      const Index point = tree_.order_[static_cast<std::size_t>(place)];
      const double distance = distance_(query_, point);
      if (distance <= reach[static_cast<std::size_t>(point)]) found.push_back({distance, point});
    }
  }

  Index group_of(Index point) const { return (*group_)[static_cast<std::size_t>(point)]; }

  const KdTree& tree_;
  const RowDistance& distance_;
  NearestList list_;
  Kernel kernel_;
  double slack_;
  const std::vector<Index>* group_ = nullptr;
  bool exclude_self_ = false;
  Index query_ = 0;
  const double* at_ = nullptr;
  double limit_ = 0;
};

namespace {

/// The coordinates of the point at a place of a leaf.
void read_point(const double* leaf, Index within, std::vector<double>& at) {
  for (std::size_t d = 0; d < at.size(); ++d) at[d] = leaf[static_cast<Index>(d) * KdTree::kLeaf + within];
}

}  // namespace

void KdTree::search_all(const RowDistance& distance, SearchLimits limits, NeighborGraphBuilder& out,
                        const Run& run) const {
  parallel_for(
      run, points_, kLeavesPerBlock * kLeaf,
      [&](Index begin, Index end) {
        TreeWalk walk(*this, distance, limits);
        walk.exclude_self();
        std::vector<double> at(static_cast<std::size_t>(dims_));
        for (Index place = begin; place < end; ++place) {
          read_point(leaf(place / kLeaf), place % kLeaf, at);
          out.set(order_[static_cast<std::size_t>(place)], walk.from_leaf(place, at.data()));
        }
      },
      "searching");
}

void KdTree::search_other_groups(const RowDistance& distance, const std::vector<Index>& points,
                                 const std::vector<Index>& group, SearchLimits limits, NeighborGraphBuilder& out,
                                 const Run& run) const {
  std::vector<Index> place(static_cast<std::size_t>(points_));
  for (Index p = 0; p < points_; ++p) place[static_cast<std::size_t>(order_[static_cast<std::size_t>(p)])] = p;
  parallel_for(run, static_cast<Index>(points.size()), kLeaf, [&](Index begin, Index end) {
    TreeWalk walk(*this, distance, limits);
    walk.exclude_group(group);
    std::vector<double> at(static_cast<std::size_t>(dims_));
    for (Index q = begin; q < end; ++q) {
      const Index p = place[static_cast<std::size_t>(points[static_cast<std::size_t>(q)])];
      read_point(leaf(p / kLeaf), p % kLeaf, at);
      out.set(q, walk.from_leaf(p, at.data()));
    }
  });
}

void KdTree::search(const RowDistance& distance, const TreeSpace& queries, SearchLimits limits,
                    NeighborGraphBuilder& out, const Run& run) const {
  parallel_for(
      run, queries.coordinates.rows(), kLeaf,
      [&](Index begin, Index end) {
        TreeWalk walk(*this, distance, limits, queries.slack);
        for (Index q = begin; q < end; ++q) out.set(q, walk.from_root(q, queries.coordinates.row(q)));
      },
      "searching");
}

std::vector<double> KdTree::farthest_reach(const std::vector<double>& reach) const {
  std::vector<double> farthest(static_cast<std::size_t>(2 * leaves() - 1));
  const auto fill = [&](const auto& self, const TreeBranch& branch) -> double {
    double& result = farthest[static_cast<std::size_t>(branch.node)];
    if (branch.range.count > 1) return result = std::max(self(self, branch.left()), self(self, branch.right()));
    const Index first = branch.range.first * kLeaf;
    for (Index place = first; place < std::min(points_, first + kLeaf); ++place)
      result = std::max(result, reach[static_cast<std::size_t>(order_[static_cast<std::size_t>(place)])]);
    return result;
  };
  fill(fill, root());
  return farthest;
}

void KdTree::search_adjacent(const RowDistance& distance, const TreeSpace& queries, SearchLimits limits,
                             const std::vector<double>& reach, NeighborGraphBuilder& out, const Run& run) const {
  const std::vector<double> farthest = farthest_reach(reach);
  parallel_for(
      run, queries.coordinates.rows(), kLeaf,
      [&](Index begin, Index end) {
        TreeWalk walk(*this, distance, limits, queries.slack);
        for (Index q = begin; q < end; ++q) {
          std::vector<Candidate> reaching = walk.within_reach(q, queries.coordinates.row(q), reach, farthest);
          out.set(q, united(walk.from_root(q, queries.coordinates.row(q)), std::move(reaching)));
        }
      },
      "searching");
}

}  // namespace unroll
