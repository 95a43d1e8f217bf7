#pragma once
#include <span>
#include <vector>

#include "neighbors/sketch_floats.h"

namespace unroll {

/// A partition of the points into cells of near points: blocks of the spatial order, improved by some rounds of
/// Lloyd's algorithm in which a point moves among the cells near its own. The points of a cell are packed for
/// simd::Tile, around the center of the cell: products then lose no digits to a far origin.
class Cells {
 public:
  Cells(const SketchFloats& points, const Run& run);

  Index count() const { return static_cast<Index>(offsets_.size()) - 1; }
  Index size(Index cell) const { return offsets_[static_cast<std::size_t>(cell) + 1] - first(cell); }
  std::span<const Place> members(Index cell) const {
    return {members_.data() + first(cell), static_cast<std::size_t>(size(cell))};
  }
  Index cell_of(Place place) const { return cell_of_[static_cast<std::size_t>(place)]; }
  /// Leading coordinates, zero up to a multiple of 16.
  const float* center(Index cell) const { return centers_.data() + cell * stride_; }
  float squared_between(Index cell, Index other) const {
    return simd::kernels().pairs.squared_float(center(cell), center(other), stride_);
  }
  /// The `most` nearest cells, nearest first; the cell itself is the first.
  std::vector<Index> nearest(Index cell, Index most) const;

  Index panels(Index cell) const { return panel_offsets_[static_cast<std::size_t>(cell) + 1] - first_panel(cell); }
  /// Coordinates of panel p of a cell.
  const float* panel(Index cell, Index p) const {
    return packed_.data() + (first_panel(cell) + p) * simd::kPanelPoints * points_.depth;
  }
  /// Squared lengths around the center, and beyond the leading coordinates; not a number where there is no point.
  const float* panel_norms(Index cell, Index p) const {
    return norms_.data() + (first_panel(cell) + p) * simd::kPanelPoints;
  }

 private:
  Index first(Index cell) const { return offsets_[static_cast<std::size_t>(cell)]; }
  Index first_panel(Index cell) const { return panel_offsets_[static_cast<std::size_t>(cell)]; }
  void gather(Index cells, const Run& run);
  void reassign(const Run& run);
  void split_large();
  void pack(const Run& run);

  const SketchFloats& points_;
  Index stride_;
  std::vector<Place> cell_of_;
  std::vector<Index> offsets_;
  std::vector<Place> members_;  ///< cell after cell, ascending in each
  std::vector<float> centers_;
  std::vector<Index> panel_offsets_;
  std::vector<float> packed_;
  std::vector<float> norms_;
};

/// Writes `row - origin` as member `slot` of a group of `lanes` packed points; returns its squared length.
inline float pack_around(const float* row, const float* origin, Index depth, Index lanes, Index slot, float* group) {
  float norm = 0;
  for (Index c = 0; c < depth; ++c) {
    const float value = row[c] - origin[c];
    group[c * lanes + slot] = value;
    norm += value * value;
  }
  return norm;
}

}  // namespace unroll
