#include "neighbors/local_blocks.h"

#include <array>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "data/column_statistics.h"
#include "neighbors/spatial_order.h"

namespace unroll {
namespace {

/// Number of coordinates that determine the order in memory.
constexpr Index kOrderingAxes = 32;

Index round_up(Index value, Index multiple) { return (value + multiple - 1) / multiple * multiple; }

}  // namespace

LocalBlocks::LocalBlocks(const MetricRows& rows, const Sketch& sketch, Index coarse_size, const Run& run)
    : sketch_(sketch), coarse_size_(std::min(coarse_size, sketch.size)) {
  build(rows, nullptr, run);
}

LocalBlocks::LocalBlocks(const MetricRows& rows, const LocalBlocks& reference, const Run& run)
    : sketch_(reference.sketch_), coarse_size_(reference.coarse_size_) {
  build(rows, &reference, run);
}

void LocalBlocks::build(const MetricRows& rows, const LocalBlocks* reference, const Run& run) {
  const Index size = sketch_.size;
  threshold_ = reference == nullptr ? rest_threshold(sketch_, rows, run) : reference->threshold_;
  const SketchedRows sketched = sketched_rows(sketch_, rows, std::array{coarse_size_, size}, threshold_, run);
  unit_ = reference == nullptr ? power_of_two_scale(sketched.longest) : reference->unit_;
  slack_ = sketched.slack * unit_;
  if (reference == nullptr) {
    const MatrixView<double> leading{sketched.values.data(), rows.rows(), std::min(size, kOrderingAxes),
                                     sketched.values.cols()};
    order_ = spatial_order(leading, kBlock, run);
  } else {
    order_.resize(static_cast<std::size_t>(rows.rows()));
    std::iota(order_.begin(), order_.end(), Index{0});
  }
  coarse_ = localize(sketched, coarse_size_, size, coarse_size_ + 1, run);
  if (has_fine()) fine_ = localize(sketched, size, size + 1, round_up(size + 1, 16), run);
}

/// The first `count` values of each row and the one at `rest`, around the mean of the block.
LocalBlocks::Coordinates LocalBlocks::localize(const SketchedRows& sketched, Index count, Index rest, Index depth,
                                               const Run& run) const {
  Coordinates local{.depth = depth, .centers = Array2<double>(blocks(), depth)};
  local.rows.resize(static_cast<std::size_t>(checked_size(rows(), depth, sizeof(float))));
  local.radius.resize(static_cast<std::size_t>(blocks()));
  parallel_for(run, blocks(), 1, [&](Index b, Index) {
    double* center = local.centers.row(b);
    const Index first = b * kBlock;
    std::vector<double> factor;
    for (Index place = first; place < first + block_size(b); ++place) {
      const double* row = sketched.values.row(point(place));
      const double length = std::sqrt(std::inner_product(row, row + count, row, row[rest] * row[rest])) * unit_;
      factor.push_back(length > kLongestRow ? unit_ * (kLongestRow / length) : unit_);
    }
    const auto value = [&](Index place, Index c) {
      return sketched.values(point(place), c < count ? c : rest) * factor[static_cast<std::size_t>(place - first)];
    };
    for (Index place = first; place < first + block_size(b); ++place)
      for (Index c = 0; c <= count; ++c) center[c] += value(place, c) / static_cast<double>(block_size(b));
    double longest = 0;
    for (Index place = first; place < first + block_size(b); ++place) {
      float* row = local.rows.data() + place * depth;
      double squares = 0;
      for (Index c = 0; c <= count; ++c) {
        const double around = value(place, c) - center[c];
        row[c] = static_cast<float>(around);
        squares += around * around;
      }
      longest = std::max(longest, squares);
    }
    local.radius[static_cast<std::size_t>(b)] = std::sqrt(longest);
  });
  return local;
}

}  // namespace unroll
