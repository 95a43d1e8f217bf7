#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "neighbors/bucket_queue.h"
#include "neighbors/graph_order.h"
#include "simd/path_kernels.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/neighbor_graph.h"

/// Shortest paths from a batch of sources at once.
///
/// The length of a path is its edges' lengths added up from the source on, rounded to T at every step; the distance is
/// the smallest length of any path. Rounded addition of a length >= 0 is monotone and never makes a sum smaller, and
/// Dijkstra's proof needs no more: his algorithm finds this minimum. So does any other that lowers labels to label(u) +
/// length(u, v) until none can be lowered. The bits are therefore the same for any order of the steps, and the order
/// may be chosen for speed.
namespace unroll {

/// Throws InvalidData for edges that lead nowhere and lengths that are negative or not finite in T.
template <class T>
void check_edges(const NeighborGraph& graph);

/// A graph whose vertices are renumbered in graph_order: vertices that a search visits together are near in memory.
template <class T>
class PathGraph {
 public:
  PathGraph(const NeighborGraph& graph, const GraphOrder& order);

  Index size() const { return static_cast<Index>(vertex_of_.size()); }
  std::int32_t vertex_of(Index point) const { return vertex_of_[static_cast<std::size_t>(point)]; }
  double mean_length() const { return mean_length_; }
  Index largest_degree() const { return largest_degree_; }
  simd::OutEdges<T> edges_of(std::int32_t vertex) const {
    const auto begin = offsets_[static_cast<std::size_t>(vertex)], end = offsets_[static_cast<std::size_t>(vertex) + 1];
    return {targets_.data() + begin, lengths_.data() + begin, end - begin};
  }

 private:
  std::vector<std::int32_t> vertex_of_;  ///< by point
  std::vector<Index> offsets_;
  std::vector<std::int32_t> targets_;
  std::vector<T> lengths_;
  double mean_length_ = 0;
  Index largest_degree_ = 0;
};

/// A source, or one of several starting vertices of a source.
template <class T>
struct PathSeed {
  Index lane;  ///< less than simd::kLabels
  std::int32_t vertex;
  T length;  ///< from the source to the vertex
};

/// The memory of one thread's searches, and the search.
template <class T>
class PathSearch {
 public:
  static constexpr Index kLanes = simd::kLabels;
  /// Memory of a search per vertex, for a memory plan.
  static constexpr double kVertexBytes = kLanes * sizeof(T) + BucketQueue::kVertexBytes + 4 + sizeof(T);

  explicit PathSearch(const PathGraph<T>& graph);

  void search(std::span<const PathSeed<T>> seeds, const Run& run);
  /// The distances of the last search, by points: rows[l] receives lane l.
  void copy_to(std::span<T* const> rows) const;

 private:
  struct alignas(64) Labels {
    T lanes[static_cast<std::size_t>(kLanes)];
  };

  std::int32_t bucket_of(T length) const;
  void measure_from(std::int32_t start);
  void plan(std::span<const PathSeed<T>> seeds);
  void put(std::int32_t vertex, T shortest);

  const PathGraph<T>& graph_;
  double buckets_per_length_;
  std::int32_t most_buckets_;
  std::vector<Labels> labels_;
  std::vector<T> rough_;            ///< distance from the middle of the batch
  std::vector<std::int32_t> turn_;  ///< bucket of a vertex far from the batch; 0 near it
  T first_ = 0;
  std::int32_t near_buckets_ = 1;
  BucketQueue queue_;
  std::vector<simd::ImprovedVertex<T>> improved_;
};

}  // namespace unroll
