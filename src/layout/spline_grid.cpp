#include "layout/spline_grid.h"

#include <algorithm>
#include <utility>

#include "core/at.h"
#include "core/parallel.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr Index kBandRows = 8;  // at least kSplineOrder - 1, so that a band touches no more than the next one
constexpr Index kSortedAtOnce = 16'384;

}  // namespace

simd::SplineMesh SplineGrid::mesh() const { return {{box_.origin[0], box_.origin[1]}, 1 / box_.cell, values_.cols()}; }

Index SplineGrid::bands() const { return block_count(values_.rows(), kBandRows); }

void SplineGrid::lay(const GridBox& box, const Array2<double>& map, const Run& run) {
  box_ = box;
  if (values_.rows() != box.sides[0] || values_.cols() != box.sides[1])
    values_ = Array2<float>(box.sides[0], box.sides[1]);
  sort(map, run);
}

/// Counts and places, block by block: points of a band stay in their order.
void SplineGrid::sort(const Array2<double>& map, const Run& run) {
  const Index n = map.rows(), count = bands();
  points_.resize(at(n));
  band_.resize(at(n));
  Array2<Index> next(block_count(n, kSortedAtOnce), count);
  const double per_cell = 1 / box_.cell;
  parallel_for(run, n, kSortedAtOnce, [&](Index begin, Index end) {
    Index* own = next.row(begin / kSortedAtOnce);
    for (Index i = begin; i < end; ++i) {
      const auto node = static_cast<Index>((map(i, 0) - box_.origin[0]) * per_cell);
      band_[at(i)] = static_cast<std::int32_t>((node - (kMargin - 1)) / kBandRows);
      ++own[band_[at(i)]];
    }
  });
  starts_.assign(at(count + 1), 0);
  Index before = 0;
  for (Index b = 0; b < count; ++b) {
    starts_[at(b)] = before;
    for (Index block = 0; block < next.rows(); ++block) before += std::exchange(next(block, b), before);
  }
  starts_[at(count)] = n;
  parallel_for(run, n, kSortedAtOnce, [&](Index begin, Index end) {
    Index* own = next.row(begin / kSortedAtOnce);
    for (Index i = begin; i < end; ++i) points_[at(own[band_[at(i)]]++)] = static_cast<std::int32_t>(i);
  });
}

void SplineGrid::spread(const Array2<double>& map, const std::vector<float>& charges, const Run& run) {
  const simd::SplineMesh own = mesh();
  const auto fill = [&](Index band) {
    if (band >= bands()) return;
    const Index first = starts_[at(band)];
    simd::kernels().splines.spread(own, map.data(), map.cols(), points_.data() + first, starts_[at(band) + 1] - first,
                                   charges.empty() ? nullptr : charges.data(), values_.data());
  };
  const Index pairs = block_count(bands(), 2);
  parallel_for(run, pairs, 1, [&](Index pair, Index) {  // even bands clear the rows of both
    const Index first = 2 * pair * kBandRows, last = std::min(first + 2 * kBandRows, values_.rows());
    std::fill(values_.row(first), values_.row(first) + (last - first) * values_.cols(), 0.0F);
    fill(2 * pair);
  });
  parallel_for(run, pairs, 1, [&](Index pair, Index) { fill(2 * pair + 1); });
}

void SplineGrid::gather(const Array2<double>& map, const Run& run, const UseValues& use) const {
  constexpr Index kPoints = 512;
  parallel_for(run, map.rows(), kPoints, [&](Index begin, Index end) {
    std::array<simd::SplineValue, kPoints> found;
    const std::int32_t* points = points_.data() + begin;
    simd::kernels().splines.gather(mesh(), values_.data(), map.data(), map.cols(), points, end - begin, found.data());
    use(points, end - begin, found.data());
  });
}

simd::SplineValue SplineGrid::value_at(const double* place, Index dims) const {
  simd::SplineValue found;
  const std::int32_t first = 0;
  simd::kernels().splines.gather(mesh(), values_.data(), place, dims, &first, 1, &found);
  return found;
}

}  // namespace unroll
