#pragma once
#include <vector>

#include "rank_points.h"
#include "ranks.h"

namespace unroll::cluster {

/// A recursive bisection of space into as many parts as there are ranks, of about equally many points: every cut is at
/// a quantile of a sample, across its widest side. Points on a cut are split by their rows, so that equal points do not
/// end in one part.
class SpacePartition {
 public:
  SpacePartition(const PointSample& sample, Index parts);

  template <class T>
  Index part_of(const T* point, Index id) const {
    std::size_t node = 0;
    while (nodes_[node].axis >= 0) {
      const auto& [axis, value, row, left, right] = nodes_[node];
      const auto here = static_cast<double>(point[axis]);
      node = here < value || (here == value && id < row) ? left : right;
    }
    return nodes_[node].row;
  }

 private:
  struct Node {
    Index axis = -1;  ///< -1: a part
    double value = 0;
    Index row = 0;  ///< of the point on the cut; or the number of the part
    std::size_t left = 0, right = 0;
  };
  struct Parts {
    Index first, count;
  };
  std::size_t add(const PointSample& sample, std::vector<Index>& points, Index begin, Index end, Parts parts);

  std::vector<Node> nodes_;
};

/// Every rank gets the points of its part. Collective.
RankPoints moved_to_parts(const Ranks& ranks, const RankPoints& own, Index n);

}  // namespace unroll::cluster
