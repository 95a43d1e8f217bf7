#include "neighbors/cell_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
namespace {

/// A point looks into no cells beyond this many of those nearest to its own, and is compared with no more points than
/// this before the last cell: limits the work if most points are equally far from each other.
constexpr Index kMostNearCells = 256;
constexpr Index kMostCompared = 24'000;
/// Twice as many candidates are collected before the surplus is dropped.
constexpr std::size_t kSurplus = 2;
constexpr float kInfinite = std::numeric_limits<float>::infinity();

}  // namespace

CellSearch::CellSearch(const SketchFloats& points, const Cells& cells, Index count, Index kept)
    : points_(points), cells_(cells), count_(static_cast<std::size_t>(count)), kept_(static_cast<std::size_t>(kept)) {}

void CellSearch::start(Index cell, std::span<const Index> slots) {
  places_.clear();
  for (const Index slot : slots) places_.push_back(cells_.members(cell)[at(slot)]);
  lists_.resize(std::max(lists_.size(), slots.size()));
  for (auto& list : lists_) list.clear();
  limits_.assign(slots.size(), std::numeric_limits<float>::max());
  scanned_.assign(slots.size(), 0);
  near_cells_ = cells_.nearest(cell, kMostNearCells);
  std::vector<Index> rows(slots.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  // The point itself is among those compared.
  started_ = 0;
  for (std::size_t compared = 0; compared <= 2 * count_ && started_ < near_cells_.size(); ++started_) {
    compare(near_cells_[started_], rows);
    compared += static_cast<std::size_t>(cells_.size(near_cells_[started_]));
  }
  radius_.clear();
  for (auto& list : lists_) {
    if (radius_.size() == rows.size()) break;
    if (list.size() < count_) {
      radius_.push_back(kInfinite);
      continue;
    }
    const auto last = list.begin() + static_cast<std::ptrdiff_t>(count_) - 1;
    std::nth_element(list.begin(), last, list.end());
    radius_.push_back(std::sqrt(std::max(0.0F, last->estimate())));
  }
  find_borders();
}

/// Packs points around an origin; returns the number of groups.
Index CellSearch::pack_rows(std::span<const Index> rows, const float* origin) {
  const Index groups = block_count(static_cast<Index>(rows.size()), simd::kRowGroup);
  packed_.resize(static_cast<std::size_t>(groups * simd::kRowGroup * points_.depth));
  norms_.assign(static_cast<std::size_t>(groups * simd::kRowGroup), 0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto slot = static_cast<Index>(r);
    float* group = packed_.data() + slot / simd::kRowGroup * simd::kRowGroup * points_.depth;
    norms_[r] = pack_around(points_.row(places_[at(rows[r])]), origin, points_.depth, simd::kRowGroup,
                            slot % simd::kRowGroup, group);
  }
  return groups;
}

/// The border between cells a and b is the plane in the middle of their centers: it is at (|x - b|^2 - |x - a|^2) /
/// (2 |a - b|) from x.
void CellSearch::find_borders() {
  const auto cells = static_cast<Index>(near_cells_.size());
  const Index panels = block_count(cells, simd::kPanelPoints);
  const float* origin = cells_.center(near_cells_[0]);
  std::vector<float> centers(static_cast<std::size_t>(panels * simd::kPanelPoints * points_.depth));
  std::vector<float> center_norms(static_cast<std::size_t>(panels * simd::kPanelPoints));
  for (Index c = 0; c < cells; ++c)
    center_norms[at(c)] = pack_around(cells_.center(near_cells_[at(c)]), origin, points_.depth, simd::kPanelPoints,
                                      c % simd::kPanelPoints,
                                      centers.data() + c / simd::kPanelPoints * simd::kPanelPoints * points_.depth);
  std::vector<Index> rows(places_.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  const Index groups = pack_rows(rows, origin);
  const Index width = panels * simd::kPanelPoints;
  values_.resize(static_cast<std::size_t>(groups * simd::kRowGroup * width));
  simd::kernels().pairs.values(
      {points_.depth, groups, packed_.data(), norms_.data(), panels, centers.data(), center_norms.data()},
      values_.data());
  borders_.resize(places_.size() * near_cells_.size());
  for (std::size_t r = 0; r < places_.size(); ++r)
    for (Index c = 0; c < cells; ++c) {
      const float* value = values_.data() + static_cast<Index>(r) * width;
      const float between = 2 * std::sqrt(center_norms[at(c)]);
      borders_[r * near_cells_.size() + static_cast<std::size_t>(c)] =
          between > 0 ? (value[c] - value[0]) / between : 0.0F;
    }
}

float CellSearch::reach_to(Index row, Index cell) const {
  const auto found = std::find(near_cells_.begin(), near_cells_.end(), cell);
  if (found == near_cells_.end()) return kInfinite;
  if (found < near_cells_.begin() + static_cast<std::ptrdiff_t>(started_)) return -kInfinite;
  const float border = borders_[static_cast<std::size_t>(row) * near_cells_.size() +
                                static_cast<std::size_t>(found - near_cells_.begin())];
  if (border <= 0) return 0;
  return radius_[at(row)] > 0 ? border / radius_[at(row)] : kInfinite;
}

void CellSearch::extend(float reach) {
  std::vector<Index> rows;
  for (std::size_t c = started_; c < near_cells_.size(); ++c) {
    rows.clear();
    for (std::size_t r = 0; r < places_.size(); ++r)
      if (scanned_[r] < kMostCompared && borders_[r * near_cells_.size() + c] <= reach * radius_[r])
        rows.push_back(static_cast<Index>(r));
    if (!rows.empty()) compare(near_cells_[c], rows);
  }
}

void CellSearch::compare(Index cell, std::span<const Index> rows) {
  const Index groups = pack_rows(rows, cells_.center(cell));
  row_limits_.assign(norms_.size(), -kInfinite);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    norms_[r] += points_.beyond_of(places_[at(rows[r])]);
    row_limits_[r] = limits_[at(rows[r])];
    scanned_[at(rows[r])] += cells_.size(cell);
  }
  hits_.resize(norms_.size() * static_cast<std::size_t>(simd::kPanelPoints));
  for (Index p = 0; p < cells_.panels(cell); ++p) {
    const simd::Tile tile{
        points_.depth, groups, packed_.data(), norms_.data(), 1, cells_.panel(cell, p), cells_.panel_norms(cell, p)};
    const Index count = simd::kernels().pairs.select_values(tile, row_limits_.data(), hits_.data());
    for (Index h = 0; h < count; ++h) {
      const simd::TileValue& hit = hits_[at(h)];
      const Index row = rows[static_cast<std::size_t>(hit.row)];
      const Place place = cells_.members(cell)[at(p * simd::kPanelPoints + hit.point)];
      if (place == places_[at(row)]) continue;
      keep(row, {hit.value, place});
      row_limits_[at(hit.row)] = limits_[at(row)];
    }
  }
}

void CellSearch::keep(Index row, Near candidate) {
  auto& list = lists_[at(row)];
  list.push_back(candidate);
  if (list.size() == kSurplus * kept_) drop_surplus(row);
}

void CellSearch::drop_surplus(Index row) {
  auto& list = lists_[at(row)];
  if (list.size() <= kept_) return;
  std::nth_element(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(kept_) - 1, list.end());
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept_), list.end());
  limits_[at(row)] = list.back().estimate();
}

std::span<const Near> CellSearch::nearest(Index row) {
  drop_surplus(row);
  return lists_[at(row)];
}

}  // namespace unroll
