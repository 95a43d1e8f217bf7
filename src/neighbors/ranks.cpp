#include "neighbors/ranks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "core/parallel.h"
#include "data/column_statistics.h"
#include "neighbors/kd_tree.h"
#include "neighbors/pair_distance.h"
#include "neighbors/row_distance.h"
#include "neighbors/sketch.h"
#include "neighbors/spatial_order.h"
#include "neighbors/tile_schedule.h"
#include "neighbors/tree_space.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr Index kRankTile = 192;                // a multiple of simd::kRowGroup and of simd::kPanelPoints
constexpr Index kPackedPoints = 4 * kRankTile;  // points that are packed at once: enough to make packing cheap
constexpr Index kChunk = 64;  // coordinates whose products are summed before they are added to the rest
constexpr float kNotCounted = std::numeric_limits<float>::quiet_NaN();

/// An edge whose rank is counted.
struct RankedEdge {
  Index from;
  Index to;
  double distance;
  double squared;  ///< length
};

/// Points with their edges, in the order of blocks.
struct RankedPoints {
  const MetricRows& rows;
  const RowDistance& distance;
  std::vector<Index> order = {};
  double unit = 1;  ///< a power of two: lengths times it are about 1, and no square leaves the range of float
  std::vector<Index> first_edge = {0};  ///< by place; one more than places
  std::vector<RankedEdge> edges = {};   ///< in the order of places
  std::vector<Index> closer = {};       ///< per edge: points nearer than its end

  Index point(Index place) const { return order[static_cast<std::size_t>(place)]; }
  Index size() const { return rows.rows(); }
};

/// Rows around a center: chunk after chunk of coordinates, in groups of some rows; and their squared lengths.
struct Packed {
  std::vector<float> values;
  std::vector<float> norms;
  Index filled = 0;  ///< rows, with the padding of the last tile
};

/// Counts by squared lengths in single precision, computed tile by tile like a matrix product. If a length is too close
/// to that of an edge, the judge (RowDistance) decides which is longer.
class RankCounter {
 public:
  explicit RankCounter(RankedPoints& points) : points_(points), kernels_(simd::kernels().pairs) {
    // The bound of block_search.cpp, for sums of kChunk products and sums of these sums.
    error_ =
        8 * (static_cast<double>(std::min(depth(), kChunk) + block_count(depth(), kChunk)) + 8) * simd::kFloatRoundoff;
    center_.resize(static_cast<std::size_t>(depth()));
    row_.resize(center_.size());
    values_.resize(kRankTile * kRankTile);
    transposed_.resize(kRankTile * kRankTile);
  }

  /// Counts points of block a for edges of block b, and the reverse.
  void operator()(Index a, Index b) {
    if (!has_edges(a) && !has_edges(b)) return;
    find_center(a);
    pack(a, simd::kRowGroup, rows_);
    pack(b, simd::kPanelPoints, columns_);
    for (Index i = 0; i < size_of(a); i += kRankTile)
      for (Index j = 0; j < size_of(b); j += kRankTile) {
        const Index row_count = std::min(kRankTile, size_of(a) - i);
        const Index column_count = std::min(kRankTile, size_of(b) - j);
        compute(i, row_count, j, column_count);
        if (a == b && i == j)
          for (Index r = 0; r < row_count; ++r)
            values_[static_cast<std::size_t>(r * width(column_count) + r)] = kNotCounted;
        const double longest = longest_of(rows_, i, row_count) + longest_of(columns_, j, column_count);
        count(a * kPackedPoints + i, row_count, b * kPackedPoints + j, column_count, values_.data(),
              width(column_count), longest);
        if (a == b || !has_edges(b)) continue;  // within a block, the loop also visits the tile (j, i)
        transpose(row_count, column_count);
        count(b * kPackedPoints + j, column_count, a * kPackedPoints + i, row_count, transposed_.data(), kRankTile,
              longest);
      }
  }

 private:
  Index depth() const { return points_.rows.cols(); }
  Index size_of(Index block) const { return std::min(kPackedPoints, points_.size() - block * kPackedPoints); }
  static Index width(Index points) { return block_count(points, simd::kPanelPoints) * simd::kPanelPoints; }
  bool has_edges(Index block) const {
    return points_.first_edge[static_cast<std::size_t>(block * kPackedPoints)] <
           points_.first_edge[static_cast<std::size_t>(block * kPackedPoints + size_of(block))];
  }
  static double longest_of(const Packed& packed, Index first, Index count) {
    return static_cast<double>(*std::max_element(packed.norms.begin() + first, packed.norms.begin() + first + count));
  }

  void find_center(Index block) {
    std::fill(center_.begin(), center_.end(), 0.0);
    for (Index i = 0; i < size_of(block); ++i) {
      points_.rows.pack(points_.point(block * kPackedPoints + i), row_.data());
      for (std::size_t c = 0; c < center_.size(); ++c) center_[c] += row_[c] / static_cast<double>(size_of(block));
    }
  }

  void pack(Index block, Index group, Packed& out) {
    out.filled = block_count(size_of(block), kRankTile) * kRankTile;
    out.values.assign(static_cast<std::size_t>(out.filled * depth()), 0);
    out.norms.assign(static_cast<std::size_t>(out.filled), 0);
    for (Index i = 0; i < size_of(block); ++i) {
      points_.rows.pack(points_.point(block * kPackedPoints + i), row_.data());
      double squares = 0;
      for (std::size_t c = 0; c < row_.size(); ++c) {
        row_[c] = (row_[c] - center_[c]) * points_.unit;
        squares += row_[c] * row_[c];
      }
      for (Index begin = 0; begin < depth(); begin += kChunk) {
        const Index size = std::min(kChunk, depth() - begin);
        float* to = out.values.data() + begin * out.filled + i / group * size * group + i % group;
        for (Index c = 0; c < size; ++c) to[c * group] = static_cast<float>(row_[static_cast<std::size_t>(begin + c)]);
      }
      out.norms[static_cast<std::size_t>(i)] = static_cast<float>(squares);
    }
  }

  void compute(Index i, Index row_count, Index j, Index column_count) {
    for (Index begin = 0; begin < depth(); begin += kChunk) {
      const Index size = std::min(kChunk, depth() - begin);
      const simd::Tile tile{size,
                            block_count(row_count, simd::kRowGroup),
                            rows_.values.data() + begin * rows_.filled + i * size,
                            rows_.norms.data() + i,
                            block_count(column_count, simd::kPanelPoints),
                            columns_.values.data() + begin * columns_.filled + j * size,
                            columns_.norms.data() + j};
      begin == 0 ? kernels_.values(tile, values_.data()) : kernels_.add_products(tile, values_.data());
    }
  }

  void transpose(Index row_count, Index column_count) {
    constexpr Index kSquare = 16;  // stays in the first-level cache
    const Index stride = width(column_count);
    for (Index r0 = 0; r0 < row_count; r0 += kSquare)
      for (Index c0 = 0; c0 < column_count; c0 += kSquare)
        for (Index r = r0; r < std::min(r0 + kSquare, row_count); ++r)
          for (Index c = c0; c < std::min(c0 + kSquare, column_count); ++c)
            transposed_[static_cast<std::size_t>(c * kRankTile + r)] =
                values_[static_cast<std::size_t>(r * stride + c)];
  }

  /// Counts the points at the `count` places from `first` on, for the edges of the points at the `row_count` places
  /// from `row` on.
  void count(Index row, Index row_count, Index first, Index count, const float* values, Index stride, double longest) {
    for (Index r = 0; r < row_count; ++r) {
      const auto begin = static_cast<std::size_t>(points_.first_edge[static_cast<std::size_t>(row + r)]);
      const auto end = static_cast<std::size_t>(points_.first_edge[static_cast<std::size_t>(row + r) + 1]);
      for (std::size_t e = begin; e < end; ++e)
        points_.closer[e] += count_closer(points_.edges[e], first, count, values + r * stride, error_ * longest);
    }
  }

  Index count_closer(const RankedEdge& edge, Index first, Index count, const float* values, double slack) const {
    const auto low = static_cast<float>((edge.squared - slack) * (edge.squared > slack ? 1 - 1e-6 : 1 + 1e-6));
    const auto high = static_cast<float>((edge.squared + slack) * (1 + 1e-6));
    Index below = 0;
    Index between = 0;
    kernels_.count(values, count, low, high, &below, &between);
    for (Index i = 0; between > 0 && i < count; ++i) {
      if (!(values[i] >= low && values[i] <= high)) continue;
      --between;
      const Index other = points_.point(first + i);
      if (other == edge.to) continue;
      const double distance = points_.distance(edge.from, other);
      below += distance < edge.distance || (distance == edge.distance && other < edge.to) ? 1 : 0;
    }
    return below;
  }

  RankedPoints& points_;
  const simd::PairKernels& kernels_;
  double error_;
  std::vector<double> center_;
  std::vector<double> row_;
  Packed rows_;
  Packed columns_;
  std::vector<float> values_;
  std::vector<float> transposed_;
};

/// Puts near points in one block: their lengths around its center are short, and single precision can distinguish them.
/// Points without edges come last: their blocks need not be compared with each other.
void find_order(RankedPoints& points, const NeighborGraph& graph, const NeighborOptions& options, const Run& run) {
  const MetricRows& rows = points.rows;
  constexpr Index kCoordinates = 16;
  const Sketch sketch =
      make_sketch(rows, kCoordinates, kCoordinates, static_cast<std::uint64_t>(options.random_state), run);
  const SketchedRows sketched = sketched_rows(sketch, rows, {}, 0, run);
  points.unit = power_of_two_scale(sketched.longest);
  points.order = spatial_order(sketched.values.view(), kRankTile, run);
  std::stable_partition(points.order.begin(), points.order.end(), [&](Index point) { return graph.degree(point) > 0; });
}

std::vector<Index> count_by_tiles(const MetricRows& rows, const RowDistance& distance, const NeighborGraph& graph,
                                  const NeighborOptions& options, const Run& run) {
  RankedPoints points{.rows = rows, .distance = distance};
  find_order(points, graph, options, run);
  std::vector<std::size_t> slots;  // places of the edges in the graph
  for (const Index from : points.order) {
    auto slot = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(from)]);
    for (const Index to : graph.neighbors_of(from)) {
      const double judged = distance(from, to);
      const double length = distance.to_length(judged) * points.unit;
      points.edges.push_back({from, to, judged, length * length});
      slots.push_back(slot++);
    }
    points.first_edge.push_back(static_cast<Index>(points.edges.size()));
  }
  points.closer.resize(points.edges.size());
  for_block_pairs(block_count(rows.rows(), kPackedPoints), run, "ranking", [&](Index a, Index b) {
    RankCounter counter(points);
    counter(a, b);
  });
  std::vector<Index> ranks(points.edges.size());
  for (std::size_t e = 0; e < slots.size(); ++e) ranks[slots[e]] = 1 + points.closer[e];
  return ranks;
}

/// Whether to count in a tree instead of tiles; both give the same ranks. In maps that keep neighbourhoods the tree
/// looks at few points: of 20 000, in the plane, it takes a fifth of the time. It takes twice the time for a random map
/// in space, and single precision does not bother it, which in maps of very uneven density sends the tiles to the
/// judge.
bool are_for_tree(const MetricRows& rows, const NeighborOptions& options) {
  constexpr Index kMostColumns = 3;
  return options.metric == Metric::Euclidean && rows.cols() <= kMostColumns;
}

std::vector<Index> count_in_tree(const MetricRows& rows, const NeighborGraph& graph, const NeighborOptions& options,
                                 const Run& run) {
  const TreeMap map(rows, options.metric, options.p, static_cast<std::uint64_t>(options.random_state), run);
  const KdTree tree(map.space(rows, run), run);
  std::vector<Index> ranks = tree.count_nearer(RowDistance(rows, rows, options.metric, options.p), graph, run);
  for (Index& rank : ranks) ++rank;
  return ranks;
}

/// For any metric: computes the distances from one point to all others.
void count_row(const PairDistance& distance, const NeighborGraph& graph, Index i, std::vector<double>& from_i,
               std::vector<Index>& ranks) {
  if (graph.degree(i) == 0) return;
  for (std::size_t l = 0; l < from_i.size(); ++l) from_i[l] = distance.scaled(i, static_cast<Index>(l));
  auto slot = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i)]);
  for (const Index j : graph.neighbors_of(i)) {
    const double length = from_i[static_cast<std::size_t>(j)];
    Index rank = 1;
    for (Index l = 0; l < static_cast<Index>(from_i.size()); ++l) {
      const double other = from_i[static_cast<std::size_t>(l)];
      rank += l != i && (other < length || (other == length && l < j)) ? 1 : 0;
    }
    ranks[slot++] = rank;
  }
}

}  // namespace

std::vector<Index> neighbor_ranks(PointsView points, const NeighborGraph& graph, const NeighborOptions& options,
                                  const Run& run) {
  const MetricRows rows =
      is_euclidean(options.metric) ? metric_rows(points, options.metric, metric_scale(points, run), run) : MetricRows();
  if (are_for_tree(rows, options)) return count_in_tree(rows, graph, options, run);
  // A row without a direction has distance 1 by definition; no place in space gives that.
  const bool has_places =
      is_euclidean(options.metric) && std::find(rows.factor.begin(), rows.factor.end(), 0.0) == rows.factor.end();
  if (has_places) {
    return count_by_tiles(rows, RowDistance(rows, rows, options.metric, options.p), graph, options, run);
  }
  const PairDistance distance(points, options, run);
  std::vector<Index> ranks(static_cast<std::size_t>(graph.edges()));
  parallel_for(
      run, graph.size(), 8,
      [&](Index begin, Index end) {
        std::vector<double> from_i(static_cast<std::size_t>(points.rows()));
        for (Index i = begin; i < end; ++i) count_row(distance, graph, i, from_i, ranks);
      },
      "ranking");
  return ranks;
}

}  // namespace unroll
