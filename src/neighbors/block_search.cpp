#include "neighbors/block_search.h"

#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "neighbors/row_subset.h"
#include "neighbors/search_limits.h"
#include "neighbors/tile_schedule.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr Index kBlock = LocalBlocks::kBlock;
constexpr float kNever = -std::numeric_limits<float>::infinity();
/// The norm of padding at the end of a block: every comparison with it is false.
constexpr float kNoPoint = std::numeric_limits<float>::quiet_NaN();

/// Up to this many features the filter uses the features themselves; else a sketch of kCoarseAxes, and then of
/// kFineAxes, axes.
constexpr Index kFewFeatures = 64;
constexpr Index kCoarseAxes = 64;
constexpr Index kFineAxes = BlockSearch::kMostAxes;
/// Beyond this many points only half of the fine axes are used: they are the largest part of the memory.
constexpr Index kManyPoints = 300'000;

/// Buffers for one tile, kept per thread: they are too large to be allocated for each tile.
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

using Side = BlockSide;

/// Compares the points of block `a` of one set with those of block `b` of another (or the same) one.
class TileSearch {
 public:
  TileSearch(Side left, Side right, const RowDistance& distance)
      : left_(left), right_(right), distance_(distance), kernels_(simd::kernels().pairs) {
    // |r|^2 + |p|^2 - 2 r.p in single precision is off by at most 2 (depth + 4) u (|r|^2 + |p|^2), and the rounding of
    // the coordinates adds as much; the bound is twice that, to be safe.
    coarse_error_ = 8 * (static_cast<double>(left_.blocks.coarse().depth) + 8) * simd::kFloatRoundoff;
    fine_error_ = 4 * (static_cast<double>(left_.blocks.fine().depth) + 8) * simd::kFloatRoundoff;
    slack_ = left_.blocks.slack() + right_.blocks.slack();
  }

  /// Collects, by row, the points within whose reach the row lies.
  void collect_within_reach(std::vector<std::vector<Candidate>>& rows) { within_ = &rows; }

  void operator()(Index a, Index b) {
    static thread_local TileMemory memory;
    const bool same = &left_.blocks == &right_.blocks && a == b;
    pack_rows(a, memory);
    pack_points(a, b, memory);
    coarse_slack_ = slack_ + rounding(left_.blocks.coarse(), a, right_.blocks.coarse(), b);
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

  /// Packs block b around the center of block a.
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

  /// The distance beyond which a pair does not matter to the point at a place; -1: no pair matters.
  static double farthest_of_use(const Side& side, Index place) {
    if (side.lists != nullptr) return (*side.lists)[static_cast<std::size_t>(place)].limit();
    if (side.reach != nullptr) return (*side.reach)[static_cast<std::size_t>(side.blocks.point(place))];
    return -1;
  }

  /// A distance as a length in the unit of the blocks.
  double length_of(double distance) const { return distance_.to_length(distance) * left_.blocks.unit(); }

  /// A distance as a squared length, rounded up.
  float limit(double distance) const {
    const double length = length_of(distance) + coarse_slack_;
    return static_cast<float>(std::min<double>(length * length * (1 + 1e-5), std::numeric_limits<float>::max()));
  }

  /// The error of the length of a difference from rounding the coordinates and the shift between two centers. It is
  /// proportional to these, which may be much larger than the difference.
  static double rounding(const LocalBlocks::Coordinates& left, Index a, const LocalBlocks::Coordinates& right,
                         Index b) {
    double squares = 0;
    for (Index c = 0; c < left.depth; ++c) {
      const double shift = left.centers(a, c) - right.centers(b, c);
      squares += shift * shift;
    }
    return 4 * simd::kFloatRoundoff *
           (left.radius[static_cast<std::size_t>(a)] + right.radius[static_cast<std::size_t>(b)] + std::sqrt(squares));
  }

  void set_limits(const Side& side, Index b, float* limits) const {
    std::fill_n(limits, kBlock, kNever);
    for (Index i = 0; i < side.blocks.block_size(b); ++i) {
      const double farthest = farthest_of_use(side, b * kBlock + i);
      if (farthest >= 0) limits[i] = limit(farthest);
    }
  }

  void set_fine_shift(Index a, Index b, TileMemory& memory) {
    const auto& left = left_.blocks.fine();
    const auto& right = right_.blocks.fine();
    memory.shift.resize(static_cast<std::size_t>(left.depth));
    for (Index c = 0; c < left.depth; ++c)
      memory.shift[static_cast<std::size_t>(c)] = static_cast<float>(left.centers(a, c) - right.centers(b, c));
    fine_slack_ = slack_ + rounding(left, a, right, b);
  }

  void judge(Index row, Index point, const TileMemory& memory) {
    const Index i = left_.blocks.point(row);
    const Index j = right_.blocks.point(point);
    if (left_.groups != nullptr && group_of(left_, i) == group_of(right_, j)) return;
    if (left_.blocks.has_fine()) {
      const double farthest = std::max(farthest_of_use(left_, row), farthest_of_use(right_, point));
      const double length = length_of(farthest) + fine_slack_;
      const float bound = kernels_.shifted_squared(left_.blocks.fine().row(row), right_.blocks.fine().row(point),
                                                   memory.shift.data(), left_.blocks.fine().depth);
      if (static_cast<double>(bound) * (1 - fine_error_) > length * length) return;
    }
    const double distance = distance_(i, j);
    if (left_.lists != nullptr) (*left_.lists)[static_cast<std::size_t>(row)].add(distance, j);
    if (right_.lists != nullptr) (*right_.lists)[static_cast<std::size_t>(point)].add(distance, i);
    if (within_ != nullptr && distance <= (*right_.reach)[static_cast<std::size_t>(j)])
      (*within_)[static_cast<std::size_t>(i)].push_back({distance, j});
  }

  static Index group_of(const Side& side, Index point) { return (*side.groups)[static_cast<std::size_t>(point)]; }

  Side left_;
  Side right_;
  const RowDistance& distance_;
  const simd::PairKernels& kernels_;
  double coarse_error_ = 0;
  double fine_error_ = 0;
  double slack_ = 0;
  double coarse_slack_ = 0;
  double fine_slack_ = 0;
  std::vector<std::vector<Candidate>>* within_ = nullptr;
};

void put_in_input_order(std::vector<NearestList>& lists, const LocalBlocks& blocks, NeighborGraphBuilder& out) {
  for (std::size_t place = 0; place < lists.size(); ++place)
    out.set(blocks.point(static_cast<Index>(place)), lists[place].sorted());
}

Sketch search_sketch(const MetricRows& rows, std::uint64_t seed, const Run& run) {
  // Coordinates are made in double, then stored in single precision, coarse and fine.
  const double size = static_cast<double>(rows.cols() <= kFewFeatures ? rows.cols() : std::min(rows.cols(), kFineAxes));
  plan_search(rows.rows(), size + 2, sizeof(double) + 2 * sizeof(float), run);
  return make_sketch(rows, rows.rows() > kManyPoints ? kFineAxes / 2 : kFineAxes, kFewFeatures, seed, run);
}

}  // namespace

BlockSearch::BlockSearch(const MetricRows& rows, Metric metric, std::uint64_t seed, const Run& run)
    : rows_(rows), metric_(metric), blocks_(rows, search_sketch(rows, seed, run), kCoarseAxes, run) {}

void BlockSearch::search_all(SearchLimits limits, NeighborGraphBuilder& out, const Run& run) const {
  const RowDistance distance(rows_, rows_, metric_, 2);
  std::vector<NearestList> lists(static_cast<std::size_t>(blocks_.rows()), NearestList(limits));
  const Side side{blocks_, &lists};
  for_block_pairs(blocks_.blocks(), run, "searching",
                  [&](Index a, Index b) { TileSearch(side, side, distance)(a, b); });
  put_in_input_order(lists, blocks_, out);
}

void BlockSearch::search(const MetricRows& queries, const std::vector<SearchLimits>& limits, NeighborGraphBuilder& out,
                         const Run& run) const {
  const LocalBlocks query_blocks(queries, blocks_, run);
  std::vector<NearestList> lists(limits.begin(), limits.end());
  search_rows(queries, {query_blocks, &lists}, {blocks_}, nullptr, run);
  put_in_input_order(lists, query_blocks, out);
}

void BlockSearch::search_other_groups(const std::vector<Index>& points, const std::vector<Index>& group,
                                      SearchLimits limits, NeighborGraphBuilder& out, const Run& run) const {
  const RowSubset queries(rows_, points);
  const LocalBlocks query_blocks(queries.rows(), blocks_, run);
  std::vector<NearestList> lists(points.size(), NearestList(limits));
  std::vector<Index> own;
  own.reserve(points.size());
  for (const Index point : points) own.push_back(group[static_cast<std::size_t>(point)]);
  search_rows(queries.rows(), {query_blocks, &lists, &own}, {blocks_, nullptr, &group}, nullptr, run);
  put_in_input_order(lists, query_blocks, out);
}

void BlockSearch::search_adjacent(const MetricRows& queries, SearchLimits limits, const std::vector<double>& reach,
                                  NeighborGraphBuilder& out, const Run& run) const {
  const LocalBlocks query_blocks(queries, blocks_, run);
  std::vector<NearestList> lists(static_cast<std::size_t>(queries.rows()), NearestList(limits));
  std::vector<std::vector<Candidate>> within(lists.size());
  search_rows(queries, {query_blocks, &lists}, {blocks_, nullptr, nullptr, &reach}, &within, run);
  for (std::size_t q = 0; q < lists.size(); ++q)
    out.set(static_cast<Index>(q), united(lists[q].sorted(), std::move(within[q])));
}

void BlockSearch::search_rows(const MetricRows& queries, const Side& rows, const Side& points,
                              std::vector<std::vector<Candidate>>* within, const Run& run) const {
  const RowDistance distance(queries, rows_, metric_, 2);
  parallel_for(
      run, rows.blocks.blocks(), 1,
      [&](Index begin, Index end) {
        TileSearch search(rows, points, distance);
        if (within != nullptr) search.collect_within_reach(*within);
        for (Index a = begin; a < end; ++a)
          for (Index b = 0; b < blocks_.blocks(); ++b) search(a, b);
      },
      "searching");
}

}  // namespace unroll
