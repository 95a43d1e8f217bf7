#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "neighbors/cells.h"

namespace unroll {

/// A candidate: the estimate of its squared distance and its place, in one number that sorts by both. The bits of
/// floats that are not negative sort as these do.
class Near {
 public:
  Near(float estimate, Place place)
      : key_(static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(std::max(0.0F, estimate))) << 32 |
             static_cast<std::uint32_t>(place)) {}
  float estimate() const { return std::bit_cast<float>(static_cast<std::uint32_t>(key_ >> 32)); }
  Place place() const { return static_cast<Place>(static_cast<std::uint32_t>(key_)); }
  bool operator<(const Near& other) const { return key_ < other.key_; }

 private:
  std::uint64_t key_;
};

/// Finds, for some points of a cell, those with the least estimate in the leading coordinates. All of them are compared
/// with the nearest cells. Then every point looks into the further cells that its neighbours may be in: those whose
/// border is within `reach` times the distance of its last neighbour so far. Neighbours are rarely just across the
/// border in all directions, so that a reach far below 1 finds nearly all of them.
class CellSearch {
 public:
  /// Keeps `kept` candidates per point, of which `count` neighbours are wanted.
  CellSearch(const SketchFloats& points, const Cells& cells, Index count, Index kept);

  /// The nearest cells, for those of the cell's members that are at `slots`.
  void start(Index cell, std::span<const Index> slots);
  /// The reach at which the point of a row, a position in `slots`, looks into a cell; infinite if it never does.
  float reach_to(Index row, Index cell) const;
  void extend(float reach);
  /// The candidates of a row, in no order.
  std::span<const Near> nearest(Index row);

 private:
  Index pack_rows(std::span<const Index> rows, const float* origin);
  void find_borders();
  void compare(Index cell, std::span<const Index> rows);
  void keep(Index row, Near candidate);
  void drop_surplus(Index row);

  const SketchFloats& points_;
  const Cells& cells_;
  std::size_t count_;
  std::size_t kept_;
  std::vector<Place> places_;
  std::vector<Index> near_cells_;
  std::size_t started_ = 0;     ///< of the near cells all points have been compared with so many
  std::vector<float> borders_;  ///< row after row: distance to the border of every near cell
  std::vector<float> radius_;   ///< by row: length of the count-th least estimate after the start
  std::vector<Index> scanned_;  ///< by row: number of points compared with
  std::vector<std::vector<Near>> lists_;
  std::vector<float> limits_;
  std::vector<float> packed_;
  std::vector<float> norms_;
  std::vector<float> row_limits_;
  std::vector<simd::TileValue> hits_;
  std::vector<float> values_;
};

}  // namespace unroll
