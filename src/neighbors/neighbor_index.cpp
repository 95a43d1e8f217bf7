#include "unroll/neighbors/neighbor_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/owned_points.h"
#include "core/reported_as.h"
#include "data/validate.h"
#include "neighbors/given_distances.h"
#include "neighbors/search_engine.h"
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

struct NeighborIndex::State {
  State(NeighborGraph nearest, const NeighborOptions& given)
      : options(given),
        limits(resolve_search_limits(given, nearest.size())),
        features(nearest.size()),
        graph(std::move(nearest)),
        reach(reach_of(graph)) {}
  State(PointsView points, NeighborGraph nearest, const NeighborOptions& given, const Run& run)
      : State(std::move(nearest), given) {
    features = points.cols();
    values = copied(points);
    const PointsView own = view_of(values);
    rows = metric_rows(own, options.metric, metric_scale(own, run), run);
    SearchAlgorithm algorithm =
        options.algorithm == SearchAlgorithm::Auto ? choose_algorithm(rows, options, limits, run) : options.algorithm;
    if (algorithm == SearchAlgorithm::Approximate) algorithm = SearchAlgorithm::Brute;
    engine = make_engine(rows, algorithm, options, run);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void check_queries(PointsView queries, const Run& run) const {
    check_points(queries, 1, run);
    if (queries.cols() != features)
      throw Error(
          ErrorKind::InvalidData,
          fmt::format("X has {} features, but the index is expecting {} features as input", queries.cols(), features));
    // Squared differences from rows much longer than the stored ones would overflow.
    constexpr double kFarthest = 1e120;
    if (options.metric != Metric::Precomputed && has_unit(options.metric) &&
        rows.scale / metric_scale(queries, run) > kFarthest)
      throw Error(
          ErrorKind::InvalidData,
          fmt::format(
              "the rows to look up are more than {} times as large as those of the index; are they in the same units?",
              kFarthest));
  }

  template <class Search>
  NeighborGraph look_up(PointsView queries, const Run& run, Search&& search) const {
    check_queries(queries, run);
    const OwnedPoints own = copied_as(queries, rows.points.is_float());
    if (rows.points.is_float() && !queries.is_float()) check_points(view_of(own), 1, run);  // too large for float
    NeighborGraphBuilder found(queries.rows(), {SearchLimits::kAll, 0}, 0, run);
    search(metric_rows(view_of(own), options.metric, rows.scale, run), found);
    return found.take();
  }

  /// A row that equals a stored point has that point besides its neighbours, as the point itself has.
  SearchLimits with_coincident() const {
    return {limits.count == SearchLimits::kAll ? limits.count : limits.count + 1, limits.radius};
  }

  /// Removes the extra neighbour of rows that equal no stored point.
  NeighborGraph without_extra(const NeighborGraph& found, const Run& run) const {
    NeighborGraphBuilder kept(found.size(), {SearchLimits::kAll, 0}, 0, run);
    for (Index q = 0; q < found.size(); ++q) {
      std::vector<Candidate> row;
      for (std::size_t e = 0; e < found.neighbors_of(q).size(); ++e) {
        const Candidate candidate{found.distances_of(q)[e], found.neighbors_of(q)[e]};
        const bool is_extra = static_cast<Index>(e) == limits.count && found.distances_of(q)[0] > 0 &&
                              candidate.distance > reach[static_cast<std::size_t>(candidate.index)];
        if (!is_extra) row.push_back(candidate);
      }
      kept.set(q, row);
    }
    return kept.take();
  }

  /// For rows of distances; `within` is nullptr if only the nearest count.
  NeighborGraph look_up_distances(PointsView queries, SearchLimits sought, const std::vector<double>* within,
                                  const Run& run) const {
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
          if (within != nullptr && distance <= (*within)[static_cast<std::size_t>(j)])
            reaching.push_back({distance, j});
        }
        found.set(q, united(nearest.sorted(), std::move(reaching)));
      }
    });
    return found.take();
  }

  NeighborOptions options;
  SearchLimits limits;
  Index features;
  OwnedPoints values;  ///< empty if distances are given
  NeighborGraph graph;
  std::vector<double> reach;
  MetricRows rows;
  std::unique_ptr<SearchEngine> engine;
};

NeighborIndex::NeighborIndex(PointsView points, const NeighborOptions& options, const Run& run)
    : NeighborIndex(points, neighbors(points, options, run).graph, options, run) {}

NeighborIndex::NeighborIndex(PointsView points, NeighborGraph nearest, const NeighborOptions& options, const Run& run) {
  reported_as(NeighborOptions::method_name, [&] {
    if (nearest.size() != points.rows())
      throw Error(ErrorKind::InvalidData,
                  fmt::format("a graph of {} points does not belong to {} points", nearest.size(), points.rows()));
    if (options.metric == Metric::Precomputed) {
      check_distances(points, run);
      state_ = std::make_shared<const State>(std::move(nearest), options);
    } else {
      check_points(points, 2, run);
      state_ = std::make_shared<const State>(points, std::move(nearest), options, run);
    }
  });
}

NeighborIndex::NeighborIndex(NeighborGraph nearest, const NeighborOptions& options) {
  reported_as(NeighborOptions::method_name, [&] {
    if (options.metric != Metric::Precomputed)
      throw Error(
          ErrorKind::InvalidOption,
          fmt::format("an index without points is for metric=precomputed, not metric={}", name_of(options.metric)));
    state_ = std::make_shared<const State>(std::move(nearest), options);
  });
}

Index NeighborIndex::size() const { return state_->graph.size(); }
Index NeighborIndex::n_features() const { return state_->features; }
const NeighborGraph& NeighborIndex::graph() const { return state_->graph; }
const std::vector<double>& NeighborIndex::reach() const { return state_->reach; }

NeighborGraph NeighborIndex::nearest(PointsView queries, const Run& run) const {
  return reported_as(NeighborOptions::method_name, [&]() -> NeighborGraph {
    const State& s = *state_;
    if (!s.engine) return s.look_up_distances(queries, s.limits, nullptr, run);
    return s.look_up(queries, run, [&](const MetricRows& rows, NeighborGraphBuilder& out) {
      s.engine->search(rows, s.limits, out, run);
    });
  });
}

NeighborGraph NeighborIndex::adjacent(PointsView queries, const Run& run) const {
  return reported_as(NeighborOptions::method_name, [&]() -> NeighborGraph {
    const State& s = *state_;
    if (!s.engine) return s.without_extra(s.look_up_distances(queries, s.with_coincident(), &s.reach, run), run);
    const NeighborGraph found = s.look_up(queries, run, [&](const MetricRows& rows, NeighborGraphBuilder& out) {
      s.engine->search_adjacent(rows, s.with_coincident(), s.reach, out, run);
    });
    return s.without_extra(found, run);
  });
}

}  // namespace unroll
