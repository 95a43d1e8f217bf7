#pragma once
#include <span>
#include <utility>
#include <vector>

#include "neighbors/cells.h"

namespace unroll {

/// Finds, for some points of a cell, those with the least estimate in the leading coordinates. All of them are compared
/// with the nearest cells. Then every point looks into the further cells that its neighbours may be in: those whose
/// border is within `reach` times the distance of its last neighbour so far. Neighbours are rarely just across the
/// border in all directions, so that a reach far below 1 finds nearly all of them.
class CellSearch {
 public:
  using Near = std::pair<float, Place>;  ///< estimate and place

  /// Keeps `kept` candidates per point, of which `count` neighbours are wanted.
  CellSearch(const SketchFloats& points, const Cells& cells, Index count, Index kept);

  /// The nearest cells, for those of the cell's members that are at `slots`.
  void start(Index cell, std::span<const Index> slots);
  /// The reach at which the point of a row, a position in `slots`, looks into a cell; infinite if it never does.
  float reach_to(Index row, Index cell) const;
  void extend(float reach);
  /// In order, nearest first.
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
