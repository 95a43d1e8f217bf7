#include "unroll/neighbors/neighbor_index.h"

#include <fmt/format.h>

#include "core/owned_points.h"
#include "core/reported_as.h"
#include "neighbors/given_distances.h"
#include "neighbors/neighbor_lookup.h"
#include "neighbors/search_limits.h"
#include "unroll/core/error.h"

namespace unroll {

/// What a NeighborLookup looks at, and the lookup.
struct NeighborIndex::State {
  State(NeighborGraph nearest, const NeighborOptions& options)
      : graph(std::move(nearest)), size(graph.size()), lookup(PointsView(), graph, options, {}) {}
  State(PointsView given, const NeighborOptions& options, const Run& run)
      : points(options.metric == Metric::Precomputed ? OwnedPoints() : copied(given)),
        has_graph(false),
        size(given.rows()),
        lookup(view_of(points), given.rows(), options, resolve_search_limits(options, given.rows()), run) {}
  State(PointsView given, NeighborGraph nearest, const NeighborOptions& options, const Run& run)
      : points(copied(given)),
        graph(std::move(nearest)),
        size(graph.size()),
        lookup(view_of(points), graph, options, run) {}

  OwnedPoints points = {};  ///< empty if distances are given
  NeighborGraph graph = {};
  bool has_graph = true;
  Index size = 0;
  NeighborLookup lookup;
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
      state_ = std::make_shared<const State>(points, std::move(nearest), options, run);
    }
  });
}

NeighborIndex::NeighborIndex(NeighborGraph nearest, const NeighborOptions& options) {
  reported_as(NeighborOptions::method_name, [&] {
    if (options.metric != Metric::Precomputed)
      throw Error(ErrorKind::InvalidOption,
                  {.problem = fmt::format("an index without points is for metric=precomputed, not metric={}",
                                          name_of(options.metric)),
                   .option = "metric"});
    state_ = std::make_shared<const State>(std::move(nearest), options);
  });
}

NeighborIndex::NeighborIndex(std::shared_ptr<const State> state) : state_(std::move(state)) {}

NeighborIndex NeighborIndex::without_graph(PointsView points, const NeighborOptions& options, const Run& run) {
  return reported_as(NeighborOptions::method_name, [&] {
    if (options.metric == Metric::Precomputed) check_distances(points, run);
    return NeighborIndex(std::make_shared<const State>(points, options, run));
  });
}

Index NeighborIndex::size() const { return state_->size; }
Index NeighborIndex::n_features() const { return state_->lookup.n_features(); }
const NeighborGraph& NeighborIndex::graph() const { return state_->graph; }
const std::vector<double>& NeighborIndex::reach() const { return state_->lookup.reach(); }

NeighborGraph NeighborIndex::nearest(PointsView queries, const Run& run) const {
  return reported_as(NeighborOptions::method_name, [&] { return state_->lookup.nearest(queries, run); });
}

NeighborGraph NeighborIndex::adjacent(PointsView queries, const Run& run) const {
  return reported_as(NeighborOptions::method_name, [&] {
    if (!state_->has_graph)
      throw Error(ErrorKind::Unsupported, "an index without a graph knows no points within whose reach others lie",
                  "construct the index, which finds the graph");
    return state_->lookup.adjacent(queries, run);
  });
}

}  // namespace unroll
