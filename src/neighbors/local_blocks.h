#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "neighbors/row_distance.h"
#include "neighbors/sketch.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Points in blocks, each with single-precision coordinates around its own center. The error of a coordinate is
/// relative to the size of its block, not of the data, so that neither distant tight clusters nor an outlier blur the
/// bounds.
///
/// There are two sets of coordinates: the coarse one has the first few of a sketch, the fine one all of them. In both,
/// the last coordinate bounds the part that the others miss: with rho the length of the missing part,
/// |y - y'|^2 >= |z - z'|^2 + (rho - rho')^2.
class LocalBlocks {
 public:
  static constexpr Index kBlock = 192;  ///< a multiple of simd::kRowGroup and of simd::kPanelPoints

  /// Coordinates of one kind, blocks in order.
  struct Coordinates {
    Index depth = 0;                  ///< per point
    std::vector<float> rows = {};     ///< around the block's center, point after point
    Array2<double> centers = {};      ///< one per block
    std::vector<double> radius = {};  ///< per block: length of its longest row
    const float* row(Index place) const { return rows.data() + place * depth; }
  };

  /// Points in spatial order.
  LocalBlocks(const MetricRows& rows, const Sketch& sketch, Index coarse_size, const Run& run);
  /// Rows, in their own order, to be compared with those of `reference`.
  LocalBlocks(const MetricRows& rows, const LocalBlocks& reference, const Run& run);

  Index rows() const { return static_cast<Index>(order_.size()); }
  Index blocks() const { return (rows() + kBlock - 1) / kBlock; }
  Index block_size(Index b) const { return std::min(kBlock, rows() - b * kBlock); }
  /// The point at a place of the order.
  Index point(Index place) const { return order_[static_cast<std::size_t>(place)]; }

  const Coordinates& coarse() const { return coarse_; }
  const Coordinates& fine() const { return fine_; }
  /// The number of coordinates of the sketch; in both kinds the coordinate that bounds the rest comes last.
  Index size() const { return sketch_.size; }
  /// Whether the fine coordinates are more than the coarse ones.
  bool has_fine() const { return coarse_size_ < sketch_.size; }
  /// Lengths are multiplied by this power of two: the longest is about 1, so that no square leaves the range of single
  /// precision.
  double unit() const { return unit_; }
  /// The most by which a length is overestimated beside the rounding of single precision; in the unit.
  double slack() const { return slack_; }

 private:
  /// Longer rows, in the unit, are shortened to this length: that brings them nearer to all points, so that bounds
  /// hold.
  static constexpr double kLongestRow = 0x1p20;

  void build(const MetricRows& rows, const LocalBlocks* reference, const Run& run);
  Coordinates localize(const SketchedRows& sketched, Index count, Index rest, Index depth, const Run& run) const;

  Sketch sketch_;
  Index coarse_size_ = 0;
  double threshold_ = 0;  ///< see rest_threshold
  double unit_ = 1;
  double slack_ = 0;
  std::vector<Index> order_;
  Coordinates coarse_;
  Coordinates fine_;
};

}  // namespace unroll
