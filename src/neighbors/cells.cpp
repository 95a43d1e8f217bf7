#include "neighbors/cells.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/parallel.h"

namespace unroll {
namespace {

/// Points per cell. There are at most kMostCells cells, whose distances from each other are all computed.
constexpr Index kCellPoints = LocalBlocks::kBlock;
constexpr Index kMostCells = 16384;
constexpr Index kLloydRounds = 3;
/// A point may move to this many cells.
constexpr Index kCellsToMoveTo = 32;

Index points_per_cell(Index points) { return std::max(kCellPoints, (points + kMostCells - 1) / kMostCells); }

}  // namespace

Cells::Cells(const SketchFloats& points, const Run& run) : points_(points), stride_((points.depth + 15) / 16 * 16) {
  const Index size = points_per_cell(points.points);
  cell_of_.resize(static_cast<std::size_t>(points.points));
  for (std::size_t i = 0; i < cell_of_.size(); ++i) cell_of_[i] = static_cast<Place>(static_cast<Index>(i) / size);
  gather((points.points + size - 1) / size, run);
  for (Index round = 0; round < kLloydRounds; ++round) {
    reassign(run);
    gather(count(), run);
  }
  split_large();
  gather(count(), run);
  pack(run);
}

/// The members and the center of every cell, from the cell of every point.
void Cells::gather(Index cells, const Run& run) {
  offsets_.assign(static_cast<std::size_t>(cells) + 1, 0);
  for (const Place cell : cell_of_) ++offsets_[static_cast<std::size_t>(cell) + 1];
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  std::vector<Index> next(offsets_.begin(), offsets_.end() - 1);
  members_.resize(cell_of_.size());
  for (std::size_t i = 0; i < cell_of_.size(); ++i)
    members_[static_cast<std::size_t>(next[static_cast<std::size_t>(cell_of_[i])]++)] = static_cast<Place>(i);
  centers_.resize(static_cast<std::size_t>(cells * stride_));
  parallel_for(run, cells, 16, [&](Index begin, Index end) {
    std::vector<double> sum(static_cast<std::size_t>(stride_));
    for (Index cell = begin; cell < end; ++cell) {
      if (size(cell) == 0) continue;  // keeps its center
      std::fill(sum.begin(), sum.end(), 0.0);
      for (const Place place : members(cell))
        for (std::size_t c = 0; c < static_cast<std::size_t>(points_.depth); ++c)
          sum[c] += static_cast<double>(points_.row(place)[c]);
      float* center = centers_.data() + cell * stride_;
      for (std::size_t c = 0; c < sum.size(); ++c)
        center[c] = static_cast<float>(sum[c] / static_cast<double>(size(cell)));
    }
  });
}

std::vector<Index> Cells::nearest(Index cell, Index most) const {
  std::vector<std::pair<float, Index>> others;
  others.reserve(static_cast<std::size_t>(count()));
  for (Index other = 0; other < count(); ++other)
    others.emplace_back(other == cell ? -1.0F : squared_between(cell, other), other);
  const auto last = others.begin() + std::min(most, count());
  std::nth_element(others.begin(), last - 1, others.end());
  std::sort(others.begin(), last);
  std::vector<Index> result;
  for (auto i = others.begin(); i < last; ++i) result.push_back(i->second);
  return result;
}

/// Moves every point to the nearest center; it stays where it is if none is nearer.
void Cells::reassign(const Run& run) {
  const auto& squared = simd::kernels().pairs.squared_float;
  parallel_for(run, count(), 4, [&](Index begin, Index end) {
    for (Index cell = begin; cell < end; ++cell) {
      if (size(cell) == 0) continue;
      const std::vector<Index> near = nearest(cell, kCellsToMoveTo);
      for (const Place place : members(cell)) {
        float least = std::numeric_limits<float>::infinity();
        for (const Index other : near) {
          const float distance = squared(points_.row(place), center(other), stride_);
          if (!(distance < least)) continue;
          least = distance;
          cell_of_[static_cast<std::size_t>(place)] = static_cast<Place>(other);
        }
      }
    }
  });
}

/// Cuts cells of more than twice the usual size into pieces of about it, in the spatial order. Numbers cells anew,
/// without empty ones.
void Cells::split_large() {
  const Index usual = points_per_cell(points_.points);
  std::vector<Index> cuts{0};
  for (Index cell = 0; cell < count(); ++cell) {
    const Index pieces = size(cell) <= 2 * usual ? std::min<Index>(1, size(cell)) : (size(cell) + usual - 1) / usual;
    for (Index p = 1; p <= pieces; ++p) cuts.push_back(first(cell) + p * size(cell) / pieces);
  }
  for (std::size_t cell = 0; cell + 1 < cuts.size(); ++cell)
    for (Index m = cuts[cell]; m < cuts[cell + 1]; ++m)
      cell_of_[static_cast<std::size_t>(members_[static_cast<std::size_t>(m)])] = static_cast<Place>(cell);
  offsets_ = std::move(cuts);
}

void Cells::pack(const Run& run) {
  panel_offsets_.assign(1, 0);
  for (Index cell = 0; cell < count(); ++cell)
    panel_offsets_.push_back(panel_offsets_.back() + block_count(size(cell), simd::kPanelPoints));
  const Index slots = panel_offsets_.back() * simd::kPanelPoints;
  packed_.assign(static_cast<std::size_t>(checked_size(slots, points_.depth, sizeof(float))), 0);
  norms_.assign(static_cast<std::size_t>(slots), std::numeric_limits<float>::quiet_NaN());
  parallel_for(run, count(), 16, [&](Index begin, Index end) {
    for (Index cell = begin; cell < end; ++cell)
      for (Index i = 0; i < size(cell); ++i) {
        const Place place = members(cell)[static_cast<std::size_t>(i)];
        const Index panel = first_panel(cell) + i / simd::kPanelPoints;
        norms_[static_cast<std::size_t>(first_panel(cell) * simd::kPanelPoints + i)] =
            points_.beyond_of(place) + pack_around(points_.row(place), center(cell), points_.depth, simd::kPanelPoints,
                                                   i % simd::kPanelPoints,
                                                   packed_.data() + panel * simd::kPanelPoints * points_.depth);
      }
  });
}

}  // namespace unroll
