#include "neighbors/path_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/at.h"
#include "simd/kernels.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

template <class T>
constexpr T kNoPath = std::numeric_limits<T>::infinity();
/// Vertices within this distance of the batch's middle, in radii of the batch, are ordered by their labels.
template <class T>
constexpr T kNearRadii = T(0.6);
/// In units of the mean edge length.
constexpr double kBucketWidth = 2;

template <class T>
void check_edge(Index from, Index to, double length, Index points) {
  if (to < 0 || to >= points)
    throw Error(
        ErrorKind::InvalidData,
        fmt::format("point {} has an edge to number {} (from 0), but there are {} points", from + 1, to, points));
  if (!(length >= 0) || !std::isfinite(static_cast<T>(length)))
    throw Error(
        ErrorKind::InvalidData,
        fmt::format("the edge from point {} to point {} has length {}; lengths are 0 or more and at most {:.3g}",
                    from + 1, to + 1, length, static_cast<double>(std::numeric_limits<T>::max())));
}

}  // namespace

template <class T>
void check_edges(const NeighborGraph& graph) {
  const Index n = graph.size();
  if (n > std::numeric_limits<std::int32_t>::max() / 4)
    throw Error(ErrorKind::Unsupported, fmt::format("shortest paths through {} points, above 2^29", n),
                "use fewer points");
  for (Index i = 0; i < n; ++i)
    for (std::size_t e = 0; e < graph.neighbors_of(i).size(); ++e)
      check_edge<T>(i, graph.neighbors_of(i)[e], graph.distances_of(i)[e], n);
}

template <class T>
PathGraph<T>::PathGraph(const NeighborGraph& graph, const GraphOrder& order) {
  const Index n = graph.size();
  vertex_of_.resize(at(n));
  for (Index v = 0; v < n; ++v) vertex_of_[at(order.points[at(v)])] = static_cast<std::int32_t>(v);

  offsets_.reserve(at(n + 1));
  targets_.reserve(at(graph.edges()));
  lengths_.reserve(at(graph.edges()));
  offsets_.push_back(0);
  for (const Index point : order.points) {
    for (const Index neighbor : graph.neighbors_of(point)) targets_.push_back(vertex_of(neighbor));
    for (const double length : graph.distances_of(point)) {
      lengths_.push_back(static_cast<T>(length));
      mean_length_ += length / static_cast<double>(graph.edges());
    }
    largest_degree_ = std::max(largest_degree_, graph.degree(point));
    offsets_.push_back(static_cast<Index>(targets_.size()));
  }
}

template <class T>
PathSearch<T>::PathSearch(const PathGraph<T>& graph)
    : graph_(graph),
      buckets_per_length_(1 / std::max(kBucketWidth * graph.mean_length(), std::numeric_limits<double>::min())),
      most_buckets_(static_cast<std::int32_t>(graph.size() / 2) + 1024),
      labels_(at(graph.size())),
      rough_(at(graph.size())),
      turn_(at(graph.size())),
      queue_(at(graph.size())),
      improved_(at(graph.largest_degree())) {}

template <class T>
std::int32_t PathSearch<T>::bucket_of(T length) const {
  const double bucket = static_cast<double>(length) * buckets_per_length_;
  return bucket < most_buckets_ ? static_cast<std::int32_t>(bucket) : most_buckets_ - 1;
}

/// Distances from one vertex to those that have none yet.
template <class T>
void PathSearch<T>::measure_from(std::int32_t start) {
  rough_[at(start)] = 0;
  queue_.put(start, 0);
  for (std::int32_t u = start; (u = queue_.take()) >= 0;) {
    const simd::OutEdges<T> edges = graph_.edges_of(u);
    for (Index e = 0; e < edges.count; ++e) {
      const T length = rough_[at(u)] + edges.lengths[e];
      T& label = rough_[at(edges.targets[e])];
      if (!(length < label)) continue;
      label = length;
      queue_.put(edges.targets[e], bucket_of(length));
    }
  }
}

/// The order of vertices decides how often they are visited again. Far from a batch of radius r, the labels of a vertex
/// become final one after the other, over 2 r of distance: ordered by the smallest label, as in Dijkstra's algorithm
/// for each source, the vertex is visited up to once per source. But far from the batch all shortest paths go outward.
/// So vertices there are ordered by their distance from the batch's middle, which one search finds before; a vertex
/// then has all its labels when it is visited. Labels decide only near the batch, where paths go in all directions.
///
/// Measured on Swiss rolls with 10 neighbours, float, AVX2, two busy cores, in ms of CPU time per source: all of 10^4
/// points 0.10 to 0.15, of which a fourth is the middle's search; all of 2 10^4 points 0.33; 512 of 2 10^5 points 8;
/// 500 of 10^6 points 74. A binary heap took 2.8, 7.4, 125 and 900 on the same machine. Visits per vertex are 1.1 for
/// the first and 6.6 for the last; by smallest label alone they were 2.4 and 20. Normal points in 10 dimensions, a
/// third of them 1000 times as dense, are harder: 0.45 ms and 5 visits for all of 10^4. Time is flat for kNearRadii
/// from 0.4 to 0.8 and kBucketWidth from 1 to 4.
template <class T>
void PathSearch<T>::plan(std::span<const PathSeed<T>> seeds) {
  std::fill(rough_.begin(), rough_.end(), kNoPath<T>);
  measure_from(seeds[seeds.size() / 2].vertex);
  T radius = 0, last = 0;
  first_ = kNoPath<T>;
  for (const PathSeed<T>& seed : seeds) {
    if (rough_[at(seed.vertex)] == kNoPath<T>) measure_from(seed.vertex);  // another component
    radius = std::max(radius, rough_[at(seed.vertex)]);
    first_ = std::min(first_, seed.length);
    last = std::max(last, seed.length);
  }
  near_buckets_ = bucket_of(2 * radius + (last - first_)) + 1;
  for (std::size_t v = 0; v < turn_.size(); ++v)
    turn_[v] =
        rough_[v] <= kNearRadii<T> * radius || rough_[v] == kNoPath<T> ? 0 : near_buckets_ + bucket_of(rough_[v]);
}

template <class T>
void PathSearch<T>::put(std::int32_t vertex, T shortest) {
  const std::int32_t turn = turn_[at(vertex)];
  queue_.put(vertex, turn > 0 ? turn : std::min(bucket_of(shortest - first_), near_buckets_ - 1));
}

template <class T>
void PathSearch<T>::search(std::span<const PathSeed<T>> seeds, const Run& run) {
  Labels none;
  std::fill_n(none.lanes, kLanes, kNoPath<T>);
  std::fill(labels_.begin(), labels_.end(), none);
  if (seeds.empty()) return;
  plan(seeds);
  for (const PathSeed<T>& seed : seeds) {
    T& label = labels_[at(seed.vertex)].lanes[seed.lane];
    label = std::min(label, seed.length);
    put(seed.vertex, seed.length);
  }
  constexpr Index kBetweenLooks = 4096;
  Index visits = 0;
  const auto relax = simd::kernels().paths.relax<T>();
  T* labels = labels_.front().lanes;
  for (std::int32_t u = 0; (u = queue_.take()) >= 0;) {
    if (++visits % kBetweenLooks == 0) run.check_cancelled();
    const Index count = relax(u, graph_.edges_of(u), labels, improved_.data());
    for (Index i = 0; i < count; ++i) put(improved_[at(i)].vertex, improved_[at(i)].shortest);
  }
}

template <class T>
void PathSearch<T>::copy_to(std::span<T* const> rows) const {
  constexpr Index kPoints = 16;  // their labels stay in the first-level cache while rows are written
  for (Index begin = 0; begin < graph_.size(); begin += kPoints) {
    const Index end = std::min(graph_.size(), begin + kPoints);
    for (std::size_t lane = 0; lane < rows.size(); ++lane)
      for (Index point = begin; point < end; ++point)
        rows[lane][point] = labels_[at(graph_.vertex_of(point))].lanes[lane];
  }
}

template void check_edges<float>(const NeighborGraph&);
template void check_edges<double>(const NeighborGraph&);
template class PathGraph<float>;
template class PathGraph<double>;
template class PathSearch<float>;
template class PathSearch<double>;

}  // namespace unroll
