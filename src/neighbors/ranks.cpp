#include "neighbors/ranks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "core/parallel.h"
#include "neighbors/pair_distance.h"
#include "neighbors/row_distance.h"
#include "neighbors/sketch.h"
#include "neighbors/spatial_order.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr Index kPoints = 192;  // per tile: a multiple of simd::kPanelPoints
constexpr Index kRows = 768;    // per tile: a multiple of simd::kRowGroup, so many that packing the points costs little
constexpr Index kChunk = 128;   // coordinates whose products are summed before they are added to the rest
constexpr double kSingle = 0x1p-24;
constexpr float kNotCounted = std::numeric_limits<float>::quiet_NaN();

/// Counts by squared lengths in single precision, computed tile by tile like a matrix product. Where a length is too
/// close to that of an edge to tell which is longer, the judge decides.
class RankCounter {
 public:
  RankCounter(const MetricRows& rows, const RowDistance& distance, const NeighborGraph& graph,
              const std::vector<Index>& order, std::vector<Index>& ranks)
      : rows_(rows), distance_(distance), graph_(graph), order_(order), ranks_(ranks), kernels_(simd::kernels().pairs) {
    const Index chunks = block_count(depth(), kChunk);
    // As in block_search.cpp, for sums of kChunk products and sums of those.
    error_ = 8 * (static_cast<double>(std::min(depth(), kChunk) + chunks) + 8) * kSingle;
    packed_rows_.values.resize(static_cast<std::size_t>(kRows * depth()));
    packed_points_.values.resize(static_cast<std::size_t>(kPoints * depth()));
    packed_rows_.norms.resize(kRows);
    packed_points_.norms.resize(kPoints);
    center_.resize(static_cast<std::size_t>(depth()));
    row_.resize(center_.size());
    values_.resize(kRows * kPoints);
  }

  /// Ranks of the edges of the points at these places, at most kRows.
  void count_edges(std::span<const Index> places) {
    const auto row_count = static_cast<Index>(places.size());
    find_edges(places);
    find_center(places);
    pack(places, simd::kRowGroup, packed_rows_);
    std::vector<Index> others;
    for (Index first = 0; first < rows_.rows(); first += kPoints) {
      const Index point_count = std::min(kPoints, rows_.rows() - first);
      others.resize(static_cast<std::size_t>(point_count));
      std::iota(others.begin(), others.end(), first);
      pack(others, simd::kPanelPoints, packed_points_);
      compute(row_count, point_count);
      const auto own = std::lower_bound(places.begin(), places.end(), first);
      for (auto place = own; place != places.end() && *place < first + point_count; ++place)
        values_[static_cast<std::size_t>((place - places.begin()) * width(point_count) + *place - first)] = kNotCounted;
      const double longest =
          *std::max_element(packed_points_.norms.begin(), packed_points_.norms.begin() + point_count);
      for (const Edge& edge : edges_) count_edge(edge, first, point_count, longest);
    }
  }

 private:
  struct Edge {
    Index row;  ///< within the block
    Index from;
    Index to;
    double distance;
    double squared;  ///< length
    std::size_t slot;
  };

  Index depth() const { return rows_.cols(); }
  Index point(Index place) const { return order_[static_cast<std::size_t>(place)]; }
  static Index width(Index points) { return block_count(points, simd::kPanelPoints) * simd::kPanelPoints; }

  void find_edges(std::span<const Index> places) {
    edges_.clear();
    for (Index i = 0; i < static_cast<Index>(places.size()); ++i) {
      const Index from = point(places[static_cast<std::size_t>(i)]);
      auto slot = static_cast<std::size_t>(graph_.offsets[static_cast<std::size_t>(from)]);
      for (const Index to : graph_.neighbors_of(from)) {
        const double distance = distance_(from, to);
        const double length = distance_.to_length(distance);
        edges_.push_back({i, from, to, distance, length * length, slot});
        ranks_[slot++] = 1;
      }
    }
  }

  void find_center(std::span<const Index> places) {
    std::fill(center_.begin(), center_.end(), 0.0);
    for (const Index place : places) {
      rows_.pack(point(place), row_.data());
      for (std::size_t c = 0; c < center_.size(); ++c) center_[c] += row_[c] / static_cast<double>(places.size());
    }
  }

  /// Rows around the center: chunk after chunk, in groups of some rows; and their squared lengths.
  struct Packed {
    std::vector<float> values;
    std::vector<float> norms;
  };

  void pack(std::span<const Index> places, Index group, Packed& out) {
    const auto count = static_cast<Index>(places.size());
    const Index filled = block_count(count, group) * group;
    for (Index i = 0; i < filled; ++i) {
      if (i < count) {
        rows_.pack(point(places[static_cast<std::size_t>(i)]), row_.data());
        for (std::size_t c = 0; c < row_.size(); ++c) row_[c] -= center_[c];
      } else {
        std::fill(row_.begin(), row_.end(), 0.0);
      }
      for (Index begin = 0; begin < depth(); begin += kChunk) {
        const Index size = std::min(kChunk, depth() - begin);
        float* to = out.values.data() + begin * filled + i / group * size * group + i % group;
        for (Index c = 0; c < size; ++c) to[c * group] = static_cast<float>(row_[static_cast<std::size_t>(begin + c)]);
      }
      out.norms[static_cast<std::size_t>(i)] =
          static_cast<float>(std::inner_product(row_.begin(), row_.end(), row_.begin(), 0.0));
    }
  }

  void compute(Index row_count, Index point_count) {
    const Index groups = block_count(row_count, simd::kRowGroup);
    const Index panels = block_count(point_count, simd::kPanelPoints);
    for (Index begin = 0; begin < depth(); begin += kChunk) {
      const simd::Tile tile{
          std::min(kChunk, depth() - begin), groups, packed_rows_.values.data() + begin * groups * simd::kRowGroup,
          packed_rows_.norms.data(),         panels, packed_points_.values.data() + begin * panels * simd::kPanelPoints,
          packed_points_.norms.data()};
      begin == 0 ? kernels_.values(tile, values_.data()) : kernels_.add_products(tile, values_.data());
    }
  }

  void count_edge(const Edge& edge, Index first, Index count, double longest) {
    const double slack =
        error_ * (static_cast<double>(packed_rows_.norms[static_cast<std::size_t>(edge.row)]) + longest);
    const auto low = static_cast<float>((edge.squared - slack) * (edge.squared > slack ? 1 - 1e-6 : 1 + 1e-6));
    const auto high = static_cast<float>((edge.squared + slack) * (1 + 1e-6));
    const float* values = values_.data() + edge.row * width(count);
    Index below = 0;
    Index between = 0;
    kernels_.count(values, count, low, high, &below, &between);
    for (Index i = 0; between > 0 && i < count; ++i) {
      if (!(values[i] >= low && values[i] <= high)) continue;
      --between;
      const Index other = point(first + i);
      if (other == edge.to) continue;
      const double distance = distance_(edge.from, other);
      below += distance < edge.distance || (distance == edge.distance && other < edge.to) ? 1 : 0;
    }
    ranks_[edge.slot] += below;
  }

  const MetricRows& rows_;
  const RowDistance& distance_;
  const NeighborGraph& graph_;
  const std::vector<Index>& order_;
  std::vector<Index>& ranks_;
  const simd::PairKernels& kernels_;
  double error_;
  std::vector<Edge> edges_;
  std::vector<double> center_;
  std::vector<double> row_;
  Packed packed_rows_;
  Packed packed_points_;
  std::vector<float> values_;
};

/// Near points in one block: their lengths around its center are short, and single precision can tell them apart.
std::vector<Index> block_order(const MetricRows& rows, const NeighborOptions& options, const Run& run) {
  constexpr Index kCoordinates = 16;
  const Sketch sketch =
      make_sketch(rows, kCoordinates, kCoordinates, static_cast<std::uint64_t>(options.random_state), run);
  const SketchedRows sketched = sketched_rows(sketch, rows, {}, 0, run);
  return spatial_order(sketched.values.view(), kPoints, run);
}

/// Any metric: the distances from one point to all others at a time.
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
  std::vector<Index> ranks(static_cast<std::size_t>(graph.edges()));
  if (!is_euclidean(options.metric)) {
    const PairDistance distance(points, options, run);
    parallel_for(
        run, graph.size(), 8,
        [&](Index begin, Index end) {
          std::vector<double> from_i(static_cast<std::size_t>(points.rows()));
          for (Index i = begin; i < end; ++i) count_row(distance, graph, i, from_i, ranks);
        },
        "ranking");
    return ranks;
  }
  const MetricRows rows =
      metric_rows(points, options.metric, metric_scale(points, run), NeighborOptions::method_name, run);
  const RowDistance distance(rows, rows, options.metric, options.p);
  const std::vector<Index> order = block_order(rows, options, run);
  std::vector<Index> sources;  // places of the points that have edges
  for (Index place = 0; place < rows.rows(); ++place)
    if (graph.degree(order[static_cast<std::size_t>(place)]) > 0) sources.push_back(place);
  parallel_for(
      run, static_cast<Index>(sources.size()), kRows,
      [&](Index begin, Index end) {
        RankCounter(rows, distance, graph, order, ranks).count_edges({sources.data() + begin, sources.data() + end});
      },
      "ranking");
  return ranks;
}

}  // namespace unroll
