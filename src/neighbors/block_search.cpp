#include "neighbors/block_search.h"

#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr Index kBlock = LocalBlocks::kBlock;
constexpr double kSingle = 0x1p-24;  // unit roundoff of float
constexpr float kNever = -std::numeric_limits<float>::infinity();
/// The norm of what fills up a block: no comparison with it holds, however far the limit.
constexpr float kNoPoint = std::numeric_limits<float>::quiet_NaN();

/// Up to this many features the filter uses them as they are; else a sketch of kCoarse, and then of kFine, axes.
constexpr Index kFewFeatures = 64;
constexpr Index kCoarse = 64;
constexpr Index kFine = 256;
/// Beyond this many points half of the fine axes must do: they are the largest part of the memory.
constexpr Index kManyPoints = 300'000;

/// Buffers for one tile, kept per thread: they are too large to be taken from the system anew for each.
struct TileMemory {
  std::vector<float> rows;
  std::vector<float> points;
  std::vector<float> shift;
  float row_norms[kBlock];
  float point_norms[kBlock];
  float row_limits[kBlock];
  float point_limits[kBlock];
  std::vector<simd::TileHit> hits = std::vector<simd::TileHit>(kBlock * kBlock);
};

/// One set of points with the state of its search.
struct Side {
  const LocalBlocks& blocks;
  std::vector<NearestList>* lists;  ///< by place; nullptr: nothing is searched for these points
};

/// Compares the points of block `a` of one set with those of block `b` of another (or the same) one.
class TileSearch {
 public:
  TileSearch(Side left, Side right, const RowDistance& distance)
      : left_(left), right_(right), distance_(distance), kernels_(simd::kernels().pairs) {
    // |r|^2 + |p|^2 - 2 r.p in single precision is off by at most 2 (depth + 4) u (|r|^2 + |p|^2), and so is what the
    // rounding of the coordinates does to it; twice that for good measure.
    coarse_error_ = 8 * (static_cast<double>(left_.blocks.coarse().depth) + 8) * kSingle;
    fine_error_ = 4 * (static_cast<double>(left_.blocks.fine().depth) + 8) * kSingle;
    slack_ = left_.blocks.slack() + right_.blocks.slack();
  }

  void operator()(Index a, Index b) {
    static thread_local TileMemory memory;
    const bool same = &left_.blocks == &right_.blocks && a == b;
    pack_rows(a, memory);
    pack_points(a, b, memory);
    set_limits(left_, a, memory.row_limits);
    set_limits(right_, b, memory.point_limits);
    const Index depth = left_.blocks.coarse().depth;
    const simd::Tile tile{depth,
                          (left_.blocks.block_size(a) + simd::kRowGroup - 1) / simd::kRowGroup,
                          memory.rows.data(),
                          memory.row_norms,
                          (right_.blocks.block_size(b) + simd::kPanelPoints - 1) / simd::kPanelPoints,
                          memory.points.data(),
                          memory.point_norms};
    const Index count = kernels_.select(tile, memory.row_limits, memory.point_limits, memory.hits.data());
    if (left_.blocks.has_fine()) set_fine_shift(a, b, memory);
    for (Index h = 0; h < count; ++h) {
      const simd::TileHit hit = memory.hits[static_cast<std::size_t>(h)];
      if (same && hit.row >= hit.point) continue;
      judge(a * kBlock + hit.row, b * kBlock + hit.point, memory);
    }
  }

 private:
  void pack_rows(Index a, TileMemory& memory) const {
    const auto& coarse = left_.blocks.coarse();
    const Index depth = coarse.depth;
    memory.rows.assign(static_cast<std::size_t>(kBlock * depth), 0);
    std::fill_n(memory.row_norms, kBlock, kNoPoint);
    for (Index i = 0; i < left_.blocks.block_size(a); ++i) {
      const float* row = coarse.row(a * kBlock + i);
      float* to = memory.rows.data() + i / simd::kRowGroup * depth * simd::kRowGroup + i % simd::kRowGroup;
      float norm = 0;
      for (Index c = 0; c < depth; ++c) {
        to[c * simd::kRowGroup] = row[c];
        norm += row[c] * row[c];
      }
      memory.row_norms[i] = norm * static_cast<float>(1 - coarse_error_);
    }
  }

  /// Around the center of block a.
  void pack_points(Index a, Index b, TileMemory& memory) const {
    const auto& coarse = right_.blocks.coarse();
    const Index depth = coarse.depth;
    memory.points.assign(static_cast<std::size_t>(kBlock * depth), 0);
    memory.shift.resize(static_cast<std::size_t>(depth));
    const double* from = coarse.centers.row(b);
    const double* to_center = left_.blocks.coarse().centers.row(a);
    for (Index c = 0; c < depth; ++c)
      memory.shift[static_cast<std::size_t>(c)] = static_cast<float>(from[c] - to_center[c]);
    std::fill_n(memory.point_norms, kBlock, kNoPoint);
    for (Index i = 0; i < right_.blocks.block_size(b); ++i) {
      const float* row = coarse.row(b * kBlock + i);
      float* to = memory.points.data() + i / simd::kPanelPoints * depth * simd::kPanelPoints + i % simd::kPanelPoints;
      float norm = 0;
      for (Index c = 0; c < depth; ++c) {
        const float value = row[c] + memory.shift[static_cast<std::size_t>(c)];
        to[c * simd::kPanelPoints] = value;
        norm += value * value;
      }
      memory.point_norms[i] = norm * static_cast<float>(1 - coarse_error_);
    }
  }

  /// The squared length beyond which a pair cannot matter to a point any more.
  float limit(const NearestList& list) const {
    const double length = distance_.to_length(list.limit()) + slack_;
    return static_cast<float>(length * length * (1 + 1e-5));
  }

  void set_limits(const Side& side, Index b, float* limits) const {
    std::fill_n(limits, kBlock, kNever);
    if (side.lists == nullptr) return;
    for (Index i = 0; i < side.blocks.block_size(b); ++i)
      limits[i] = limit((*side.lists)[static_cast<std::size_t>(b * kBlock + i)]);
  }

  void set_fine_shift(Index a, Index b, TileMemory& memory) {
    const auto& left = left_.blocks.fine();
    const auto& right = right_.blocks.fine();
    memory.shift.resize(static_cast<std::size_t>(left.depth));
    double squares = 0;
    for (Index c = 0; c < left.depth; ++c) {
      const double shift = left.centers(a, c) - right.centers(b, c);
      memory.shift[static_cast<std::size_t>(c)] = static_cast<float>(shift);
      squares += shift * shift;
    }
    fine_slack_ = slack_ + 4 * kSingle *
                               (left.radius[static_cast<std::size_t>(a)] + right.radius[static_cast<std::size_t>(b)] +
                                std::sqrt(squares));
  }

  void judge(Index row, Index point, const TileMemory& memory) {
    NearestList* row_list = left_.lists == nullptr ? nullptr : &(*left_.lists)[static_cast<std::size_t>(row)];
    NearestList* point_list = right_.lists == nullptr ? nullptr : &(*right_.lists)[static_cast<std::size_t>(point)];
    if (left_.blocks.has_fine()) {
      const double limit = std::max(row_list == nullptr ? 0 : row_list->limit(),
                                    point_list == nullptr ? 0 : point_list->limit());
      const double length = distance_.to_length(limit) + fine_slack_;
      const float bound = kernels_.shifted_squared(left_.blocks.fine().row(row), right_.blocks.fine().row(point),
                                                   memory.shift.data(), left_.blocks.fine().depth);
      if (static_cast<double>(bound) * (1 - fine_error_) > length * length) return;
    }
    const Index i = left_.blocks.point(row);
    const Index j = right_.blocks.point(point);
    const double distance = distance_(i, j);
    if (row_list != nullptr) row_list->add(distance, j);
    if (point_list != nullptr) point_list->add(distance, i);
  }

  Side left_;
  Side right_;
  const RowDistance& distance_;
  const simd::PairKernels& kernels_;
  double coarse_error_ = 0;
  double fine_error_ = 0;
  double slack_ = 0;
  double fine_slack_ = 0;
};

void put_in_input_order(std::vector<NearestList>& lists, const LocalBlocks& blocks, GraphRows& out) {
  for (std::size_t place = 0; place < lists.size(); ++place)
    out.set(blocks.point(static_cast<Index>(place)), lists[place].sorted());
}

Sketch search_sketch(const MetricRows& rows, std::uint64_t seed, const Run& run) {
  return make_sketch(rows, rows.rows() > kManyPoints ? kFine / 2 : kFine, kFewFeatures, seed, run);
}

}  // namespace

BlockSearch::BlockSearch(const MetricRows& rows, Metric metric, std::uint64_t seed, const Run& run)
    : rows_(rows), metric_(metric), blocks_(rows, search_sketch(rows, seed, run), kCoarse, run) {}

void BlockSearch::search_all(Wanted wanted, GraphRows& out, const Run& run) const {
  const RowDistance distance(rows_, rows_, metric_, 2);
  std::vector<NearestList> lists(static_cast<std::size_t>(blocks_.rows()), NearestList(wanted));
  const Side side{blocks_, &lists};
  const Index count = blocks_.blocks();
  // Tiles (b, b + offset): near blocks first, so that the lists are good early. A block is in two of them; those with
  // floor(b / offset) even share none, and neither do the odd ones: no two threads write to one list.
  for (Index offset = 0; offset < count; ++offset) {
    for (Index phase = 0; phase < (offset == 0 ? 1 : 2); ++phase) {
      std::vector<Index> left;
      for (Index b = 0; b + offset < count; ++b)
        if (offset == 0 || b / offset % 2 == phase) left.push_back(b);
      parallel_for(run, static_cast<Index>(left.size()), 1, [&](Index begin, Index end) {
        TileSearch search(side, side, distance);
        for (Index t = begin; t < end; ++t) search(left[static_cast<std::size_t>(t)], left[static_cast<std::size_t>(t)] + offset);
      });
    }
    const auto left_over = static_cast<double>(count - offset - 1);
    run.report({.stage = "searching", .fraction = 1 - left_over * (left_over + 1) / static_cast<double>(count * (count + 1))});
  }
  put_in_input_order(lists, blocks_, out);
}

void BlockSearch::search(const MetricRows& queries, Wanted wanted, GraphRows& out, const Run& run) const {
  search(queries, std::vector<Wanted>(static_cast<std::size_t>(queries.rows()), wanted), out, run);
}

void BlockSearch::search(const MetricRows& queries, const std::vector<Wanted>& wanted, GraphRows& out,
                         const Run& run) const {
  const RowDistance distance(queries, rows_, metric_, 2);
  const LocalBlocks query_blocks(queries, blocks_, run);
  std::vector<NearestList> lists;
  lists.reserve(wanted.size());
  for (const Wanted& each : wanted) lists.emplace_back(each);
  parallel_for(
      run, query_blocks.blocks(), 1,
      [&](Index begin, Index end) {
        TileSearch search({query_blocks, &lists}, {blocks_, nullptr}, distance);
        for (Index a = begin; a < end; ++a)
          for (Index b = 0; b < blocks_.blocks(); ++b) search(a, b);
      },
      "searching");
  put_in_input_order(lists, query_blocks, out);
}

}  // namespace unroll
