#include "neighbors/neighbor_lookup.h"

#include <fmt/format.h>

#include "core/owned_points.h"
#include "data/validate.h"
#include "neighbors/given_distances.h"
#include "neighbors/search_limits.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

std::vector<double> reach_of(const NeighborGraph& graph) {
  std::vector<double> reach(static_cast<std::size_t>(graph.size()));
  for (Index i = 0; i < graph.size(); ++i)
    if (graph.degree(i) > 0) reach[static_cast<std::size_t>(i)] = graph.distances_of(i).back();
  return reach;
}

}  // namespace

NeighborLookup::NeighborLookup(PointsView points, const NeighborGraph& nearest, const NeighborOptions& options,
                               const Run& run)
    : NeighborLookup(points, nearest.size(), options, resolve_search_limits(options, nearest.size()), run) {
  reach_ = reach_of(nearest);
}

NeighborLookup::NeighborLookup(PointsView points, Index size, const NeighborOptions& options, SearchLimits limits,
                               const Run& run)
    : options_(options), limits_(limits), features_(options.metric == Metric::Precomputed ? size : points.cols()) {
  check_count(size, 2);
  if (options.metric == Metric::Precomputed) return;
  check_points(points, 2, run);
  rows_ = metric_rows(points, options.metric, metric_scale(points, run), run);
  SearchAlgorithm algorithm =
      options.algorithm == SearchAlgorithm::Auto ? choose_algorithm(rows_, options, limits, run) : options.algorithm;
  if (algorithm == SearchAlgorithm::Approximate) algorithm = SearchAlgorithm::Brute;
  engine_ = make_engine(rows_, algorithm, options, run);
}

void NeighborLookup::check_queries(PointsView queries, const Run& run) const {
  check_points(queries, 1, run);
  if (queries.cols() != features_)
    throw Error(
        ErrorKind::InvalidData,
        fmt::format("X has {} features, but the index is expecting {} features as input", queries.cols(), features_));
  // Squared differences from rows much longer than the stored ones would overflow.
  constexpr double kLargestRatio = 1e120;
  const auto is_too_large = [&](PointsView some) { return rows_.scale / metric_scale(some, run) > kLargestRatio; };
  if (!engine_ || !has_unit(options_.metric) || !is_too_large(queries)) return;
  for (Index i = 0; i < queries.rows(); ++i)
    if (is_too_large(queries.slice(i, 1)))
      throw Error(
          ErrorKind::InvalidData,
          Error::Parts{.problem = fmt::format("is more than {} times as large as the training points", kLargestRatio),
                       .advice = "is it in the same units?",
                       .row = i});
}

template <class Search>
NeighborGraph NeighborLookup::look_up(PointsView queries, const Run& run, Search&& search) const {
  check_queries(queries, run);
  const OwnedPoints own = copied_alike(queries, rows_.points);
  NeighborGraphBuilder found(queries.rows(), {SearchLimits::kAll, 0}, 0, run);
  search(metric_rows(view_of(own), options_.metric, rows_.scale, run), found);
  return found.take();
}

/// A row that equals a stored point has that point besides its neighbours, as the point itself has.
SearchLimits NeighborLookup::with_coincident() const {
  return {limits_.count == SearchLimits::kAll ? limits_.count : limits_.count + 1, limits_.radius};
}

/// Removes the extra neighbour of rows that equal no stored point.
NeighborGraph NeighborLookup::without_extra(const NeighborGraph& found, const Run& run) const {
  NeighborGraphBuilder kept(found.size(), {SearchLimits::kAll, 0}, 0, run);
  for (Index q = 0; q < found.size(); ++q) {
    std::vector<Candidate> row;
    for (std::size_t e = 0; e < found.neighbors_of(q).size(); ++e) {
      const Candidate candidate{found.distances_of(q)[e], found.neighbors_of(q)[e]};
      const bool is_extra = static_cast<Index>(e) == limits_.count && found.distances_of(q)[0] > 0 &&
                            candidate.distance > reach_[static_cast<std::size_t>(candidate.index)];
      if (!is_extra) row.push_back(candidate);
    }
    kept.set(q, row);
  }
  return kept.take();
}

/// For rows of distances; `within` is nullptr if only the nearest count.
NeighborGraph NeighborLookup::look_up_distances(PointsView queries, SearchLimits sought,
                                                const std::vector<double>* within, const Run& run) const {
  check_queries(queries, run);
  NeighborGraphBuilder found(queries.rows(), {SearchLimits::kAll, 0}, 0, run);
  queries.visit([&](auto x) {
    for (Index q = 0; q < x.rows; ++q) {
      NearestList nearest(sought);
      std::vector<Candidate> reaching;
      for (Index j = 0; j < x.cols; ++j) {
        const auto distance = static_cast<double>(x(q, j));
        if (distance < 0) throw_negative_distance(q, j, distance);
        nearest.add(distance, j);
        if (within != nullptr && distance <= (*within)[static_cast<std::size_t>(j)]) reaching.push_back({distance, j});
      }
      found.set(q, united(nearest.sorted(), std::move(reaching)));
    }
  });
  return found.take();
}

NeighborGraph NeighborLookup::nearest(PointsView queries, const Run& run) const {
  if (!engine_) return look_up_distances(queries, limits_, nullptr, run);
  return look_up(queries, run,
                 [&](const MetricRows& rows, NeighborGraphBuilder& out) { engine_->search(rows, limits_, out, run); });
}

NeighborGraph NeighborLookup::adjacent(PointsView queries, const Run& run) const {
  if (!engine_) return without_extra(look_up_distances(queries, with_coincident(), &reach_, run), run);
  const NeighborGraph found = look_up(queries, run, [&](const MetricRows& rows, NeighborGraphBuilder& out) {
    engine_->search_adjacent(rows, with_coincident(), reach_, out, run);
  });
  return without_extra(found, run);
}

}  // namespace unroll
