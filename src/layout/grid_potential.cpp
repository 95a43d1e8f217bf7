#include "layout/grid_potential.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"

namespace unroll {
namespace {

void add_value(const SplineGrid& grid, const simd::SplineValue& found, double scale, Index dims, double& potential,
               double* slope) {
  potential += scale * static_cast<double>(found.value);
  for (Index d = 0; d < dims; ++d) slope[d] += scale / grid.cell() * static_cast<double>(found.slope[d]);
}

}  // namespace

GridPotential::GridPotential(GridKernel kernel) : kernel_(std::move(kernel)), parts_(kernel_.parts.size()) {
  whole_part_.value = [this](double squared) { return 1 - kernel_.deficit(squared); };
  small_part_.value = [this](double squared) { return -kernel_.deficit(squared) / small_scale_; };
}

/// Decides on cells and levels by the extent of the map.
void GridPotential::choose(const Array2<double>& map) {
  constexpr double kOnePlace = 1e-100, kInOnePlace = kCell * 0x1p-40;
  constexpr Index kManyCells = 160;  // of a side, for parts to be faster than the whole
  extent_ = {};
  for (Index d = 0; d < map.cols(); ++d) extent_.low[at(d)] = extent_.high[at(d)] = map(0, d);
  for (Index i = 1; i < map.rows(); ++i)
    for (Index d = 0; d < map.cols(); ++d) {
      extent_.low[at(d)] = std::min(extent_.low[at(d)], map(i, d));
      extent_.high[at(d)] = std::max(extent_.high[at(d)], map(i, d));
    }
  const double longest = extent_.longest();
  cell_ = std::min(kCell, longest / static_cast<double>(kLeastCells));
  const Index most = parts_.empty() ? GridLevel::kMostNodes : GridLevel::kMostOfShortReach;
  cell_ = std::max(cell_, longest / static_cast<double>(most - SplineGrid::kMargins));
  if (longest < kOnePlace) cell_ = kInOnePlace;
  // A power of two below kCell, so that a mesh serves many iterations of a growing map.
  if (cell_ < kCell) cell_ = kCell * std::exp2(std::floor(std::log2(cell_ / kCell)));
  // Where all of K is near 1, single precision would lose the slopes of it.
  is_small_ = cell_ < kCell / 4;
  const double across = static_cast<double>(kLeastCells) * cell_;
  small_scale_ = is_small_ ? kernel_.deficit(across * across) : 1;
  if (!(small_scale_ > 0)) small_scale_ = 1;
  is_in_parts_ = !parts_.empty() && longest > static_cast<double>(kManyCells) * cell_;
}

void GridPotential::lay(const Array2<double>& map, const Run& run) {
  choose(map);
  if (is_small_) return small_.lay(small_part_, cell_, extent_, map, run);
  if (!is_in_parts_) return whole_.lay(whole_part_, cell_, extent_, map, run);
  double cell = cell_;
  for (std::size_t k = 0; k < parts_.size(); ++k, cell *= kCoarse)
    parts_[k].lay(kernel_.parts[k], cell, extent_, map, run);
}

std::span<const GridLevel> GridPotential::levels() const {
  if (is_in_parts_) return parts_;
  return {is_small_ ? &small_ : &whole_, 1};
}

void GridPotential::make(const Array2<double>& map, const std::vector<float>& charges, const Run& run) {
  auto total = static_cast<double>(map.rows());
  if (!charges.empty()) {
    total = 0;
    for (const float charge : charges) total += static_cast<double>(charge);
  }
  constant_ = is_small_ ? total : 0;
  if (is_small_) return small_.make(map, charges, run);
  if (!is_in_parts_) return whole_.make(map, charges, run);
  for (GridLevel& part : parts_) part.make(map, charges, run);
}

GridPotential::Value GridPotential::value_at(const double* place, Index dims) const {
  Value value{.potential = constant_};
  for (const GridLevel& level : levels())
    add_value(level.grid(), level.grid().value_at(place, dims), small_scale_, dims, value.potential,
              value.slope.data());
  return value;
}

void GridPotential::at_points(const Array2<double>& map, std::vector<double>& potential, Array2<double>& slopes,
                              const Run& run) const {
  potential.assign(at(map.rows()), constant_);
  std::fill_n(slopes.data(), slopes.size(), 0.0);
  for (const GridLevel& level : levels())
    level.grid().gather(map, run, [&](const std::int32_t* points, Index count, const simd::SplineValue* found) {
      for (Index k = 0; k < count; ++k)
        add_value(level.grid(), found[k], small_scale_, map.cols(), potential[at(points[k])], slopes.row(points[k]));
    });
}

}  // namespace unroll
