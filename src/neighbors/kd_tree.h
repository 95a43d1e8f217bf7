#pragma once
#include <vector>

#include "neighbors/median_split.h"
#include "neighbors/neighbor_graph_builder.h"
#include "neighbors/row_distance.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// How differences of coordinates add up to a bound.
enum class TreeNorm { Squared, Manhattan, Chebyshev };

/// Coordinates in which the tree searches, and how lengths there bound distances.
struct TreeSpace {
  Array2<double> coordinates = {};  ///< per point
  TreeNorm norm = TreeNorm::Squared;
  double factor = 1;    ///< length <= factor * distance (Euclidean forms: of their own length)
  double slack = 0;     ///< + slack: the rounding of the coordinates
  bool direct = false;  ///< the norm of a difference equals, bit for bit, the sum in RowDistance
};

/// A node of the tree: its number in preorder, and the leaves below it.
struct TreeBranch {
  Index node = 0;
  LeafRange range = {};

  TreeBranch left() const { return {node + 1, range.left()}; }
  TreeBranch right() const { return {node + 2 * range.left_count(), range.right()}; }
};

/// An exact search in few coordinates: a balanced tree of bounding boxes over leaves of kLeaf points.
class KdTree {
 public:
  static constexpr Index kLeaf = 16;

  KdTree(TreeSpace space, const Run& run);

  /// The neighbours of every point among the others.
  void search_all(const RowDistance& distance, SearchLimits limits, NeighborGraphBuilder& out, const Run& run) const;
  /// For some of the points, the nearest of other groups.
  void search_other_groups(const RowDistance& distance, const std::vector<Index>& points,
                           const std::vector<Index>& group, SearchLimits limits, NeighborGraphBuilder& out,
                           const Run& run) const;
  /// The neighbours of other rows, given in the tree's space.
  void search(const RowDistance& distance, const TreeSpace& queries, SearchLimits limits, NeighborGraphBuilder& out,
              const Run& run) const;
  /// The same, and the points that have such a row within their `reach`.
  void search_adjacent(const RowDistance& distance, const TreeSpace& queries, SearchLimits limits,
                       const std::vector<double>& reach, NeighborGraphBuilder& out, const Run& run) const;
  /// For every edge (i, j) of `graph` that joins points of the tree, in its order: how many points are nearer to i than
  /// j, ties by index, i itself not counted. Needs a direct space of squares.
  std::vector<Index> count_nearer(const RowDistance& distance, const NeighborGraph& graph, const Run& run) const;

 private:
  friend class TreeWalk;
  friend class TreeRanking;
  Index leaves() const { return (points_ + kLeaf - 1) / kLeaf; }
  const double* box(Index node) const { return boxes_.data() + node * 2 * dims_; }
  const double* leaf(Index l) const { return leaves_.data() + l * kLeaf * dims_; }
  TreeBranch root() const { return {0, {0, leaves()}}; }
  void fill_leaves(const Array2<double>& coordinates, const Run& run);
  void fill_box(Index node, LeafRange range);
  /// Per node, the largest reach of a point below it.
  std::vector<double> farthest_reach(const std::vector<double>& reach) const;

  Index points_ = 0;
  Index dims_ = 0;
  TreeSpace space_;  ///< without its coordinates
  std::vector<Index> order_;
  std::vector<double> leaves_;  ///< leaf after leaf: coordinate after coordinate, NaN where there is no point
  std::vector<double> boxes_;   ///< node after node, in preorder: lower and upper corner
};

}  // namespace unroll
