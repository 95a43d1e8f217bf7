#include "neighbors/geodesics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "neighbors/path_search.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// One search per thread, lent out for a batch.
template <class T>
class Searches {
 public:
  explicit Searches(const PathGraph<T>& graph) : graph_(graph) {}

  std::unique_ptr<PathSearch<T>> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto search = std::move(idle_.back());
        idle_.pop_back();
        return search;
      }
    }
    return std::make_unique<PathSearch<T>>(graph_);
  }
  void give_back(std::unique_ptr<PathSearch<T>> search) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(search));
  }

 private:
  const PathGraph<T>& graph_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<PathSearch<T>>> idle_;
};

/// Where the path of row r may start: [offsets[r], offsets[r + 1]) of points and lengths.
struct Starts {
  std::vector<Index> offsets = {0};
  std::vector<Index> points = {};
  std::vector<double> lengths = {};

  Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
  Index count(Index row) const { return offsets[at(row + 1)] - offsets[at(row)]; }
  void add(Index point, double length) {
    points.push_back(point);
    lengths.push_back(length);
  }
  void end_row() { offsets.push_back(static_cast<Index>(points.size())); }
};

/// The number of threads that can have a batch. (Batches may be partly filled.)
template <class T>
Index threads_used(Index rows, const Run& run) {
  return std::min<Index>(thread_count(run), 2 * block_count(rows, PathSearch<T>::kLanes));
}

/// `rows_in_memory` is the number of result rows in memory at once.
template <class T>
void plan_memory(const NeighborGraph& graph, Index rows, double rows_in_memory, const Run& run) {
  const auto n = static_cast<double>(graph.size());
  MemoryPlan()
      .add("the distances", n, rows_in_memory, sizeof(T))
      .add("the graph", static_cast<double>(graph.edges()), 1, sizeof(std::int32_t) + sizeof(T))
      .add("the order of the points", n, 5, sizeof(Index))
      .add("the search", n, static_cast<double>(threads_used<T>(rows, run)), PathSearch<T>::kVertexBytes)
      .require(run, "use fewer sources (landmarks), fewer points, or single precision");
}

/// The rows whose paths are searched together: those of batch b are [ends[b - 1], ends[b]) of `rows`.
struct Batches {
  std::vector<Index> rows;
  std::vector<Index> ends = {0};

  Index count() const { return static_cast<Index>(ends.size()) - 1; }
  std::span<const Index> batch(Index b) const {
    return std::span(rows).subspan(at(ends[at(b)]), at(ends[at(b + 1)] - ends[at(b)]));
  }
};

/// Sources of one batch are near each other. A row without a start is in the last batch.
template <class T>
struct Plan {
  PathGraph<T> graph;
  Batches batches;
};

constexpr Index kNowhere = -1;

std::vector<Index> first_points(const Starts& starts) {
  std::vector<Index> points;
  for (Index row = 0; row < starts.rows(); ++row)
    points.push_back(starts.count(row) > 0 ? starts.points[at(starts.offsets[at(row)])] : kNowhere);
  return points;
}

template <class T>
Plan<T> make_plan(const NeighborGraph& graph, const Starts& starts, const Run& run) {
  constexpr Index kLanes = PathSearch<T>::kLanes;
  const std::vector<Index> first = first_points(starts);
  std::vector<Index> weights(at(graph.size()));
  for (const Index point : first)
    if (point != kNowhere) weights[at(point)] = std::min(kLanes, weights[at(point)] + 1);
  const GraphOrder order = graph_order(graph, weights, kLanes, run);
  Plan<T> plan{PathGraph<T>(graph, order), {}};

  std::vector<std::pair<Index, Index>> placed;  // (start vertex, row)
  for (Index row = 0; row < starts.rows(); ++row)
    placed.emplace_back(first[at(row)] == kNowhere ? graph.size() : plan.graph.vertex_of(first[at(row)]), row);
  std::sort(placed.begin(), placed.end());
  auto cut = order.cuts.begin();
  Batches& batches = plan.batches;
  for (const auto& [place, row] : placed) {
    const Index begun = batches.ends.back(), size = static_cast<Index>(batches.rows.size());
    bool new_group = false;
    for (; cut != order.cuts.end() && *cut <= place; ++cut) new_group = true;
    if (size > begun && (new_group || size - begun == kLanes)) batches.ends.push_back(size);
    batches.rows.push_back(row);
  }
  if (!placed.empty()) batches.ends.push_back(starts.rows());
  return plan;
}

/// Calls use(rows of the batch, its finished search) for all batches.
template <class T, class Use>
void search_batches(const NeighborGraph& graph, const Starts& starts, const Run& run, Use&& use) {
  const Plan<T> plan = make_plan<T>(graph, starts, run);
  Searches<T> searches(plan.graph);
  const auto work = [&](Index b, Index) {
    const std::span<const Index> rows = plan.batches.batch(b);
    std::vector<PathSeed<T>> seeds;
    for (std::size_t lane = 0; lane < rows.size(); ++lane)
      for (Index s = starts.offsets[at(rows[lane])]; s < starts.offsets[at(rows[lane] + 1)]; ++s)
        seeds.push_back({static_cast<Index>(lane), plan.graph.vertex_of(starts.points[at(s)]),
                         static_cast<T>(starts.lengths[at(s)])});
    auto search = searches.take();
    search->search(seeds, run);
    use(rows, *search);
    searches.give_back(std::move(search));
  };
  parallel_for(run, plan.batches.count(), 1, work, "geodesics");
}

template <class T>
Array2<T> all_rows(const NeighborGraph& graph, const Starts& starts, const Run& run) {
  check_edges<T>(graph);
  plan_memory<T>(graph, starts.rows(), static_cast<double>(starts.rows()), run);
  Array2<T> result = Array2<T>::uninitialized(starts.rows(), graph.size());
  search_batches<T>(graph, starts, run, [&](std::span<const Index> batch, const PathSearch<T>& search) {
    std::vector<T*> rows;
    for (const Index row : batch) rows.push_back(result.row(row));
    search.copy_to(rows);
  });
  return result;
}

Starts starts_at(const std::vector<Index>& sources, Index points) {
  Starts starts;
  for (const Index source : sources) {
    if (source < 0 || source >= points)
      throw Error(ErrorKind::InvalidData,
                  fmt::format("a path starts at number {} (from 0), but there are {} points", source, points));
    starts.add(source, 0);
    starts.end_row();
  }
  return starts;
}

/// `row` is attached to this point at this length.
template <class T>
void check_attachment(Index row, Index point, double length, Index points) {
  const auto refuse = [&](std::string problem) {
    throw Error(ErrorKind::InvalidData, Error::Parts{.problem = std::move(problem), .row = row});
  };
  if (point < 0 || point >= points)
    refuse(fmt::format("is attached to number {} (from 0), but there are {} points", point, points));
  if (!(length >= 0 && length <= static_cast<double>(std::numeric_limits<T>::max())))
    refuse(fmt::format("is attached to point {} at distance {}; distances are 0 or more and at most {:.3g}", point + 1,
                       length, static_cast<double>(std::numeric_limits<T>::max())));
}

template <class T>
Starts starts_from(const NeighborGraph& attachments, Index points) {
  Starts starts;
  for (Index row = 0; row < attachments.size(); ++row) {
    const auto ends = attachments.neighbors_of(row);
    const auto lengths = attachments.distances_of(row);
    for (std::size_t e = 0; e < ends.size(); ++e) check_attachment<T>(row, ends[e], lengths[e], points);
    const bool on_a_point = std::any_of(lengths.begin(), lengths.end(), [](double length) { return length == 0; });
    for (std::size_t e = 0; e < ends.size(); ++e)
      if (!on_a_point || lengths[e] == 0) starts.add(ends[e], std::abs(lengths[e]));  // turns -0 into 0
    starts.end_row();
  }
  return starts;
}

}  // namespace

template <class T>
Array2<T> geodesic_distances(const NeighborGraph& graph, const std::vector<Index>& sources, const Run& run) {
  return all_rows<T>(graph, starts_at(sources, graph.size()), run);
}

template <class T>
Array2<T> geodesic_distances_from(const NeighborGraph& graph, const NeighborGraph& attachments, const Run& run) {
  return all_rows<T>(graph, starts_from<T>(attachments, graph.size()), run);
}

template <class T>
void for_each_geodesic_block(const NeighborGraph& graph, const std::vector<Index>& sources,
                             const std::function<void(const GeodesicBlock<T>&)>& use, const Run& run) {
  check_edges<T>(graph);
  const Starts starts = starts_at(sources, graph.size());
  const auto in_memory = static_cast<double>(threads_used<T>(starts.rows(), run) * PathSearch<T>::kLanes);
  plan_memory<T>(graph, starts.rows(), in_memory, run);
  search_batches<T>(graph, starts, run, [&](std::span<const Index> batch, const PathSearch<T>& search) {
    auto block = Array2<T>::uninitialized(static_cast<Index>(batch.size()), graph.size());
    std::vector<T*> rows;
    for (Index r = 0; r < block.rows(); ++r) rows.push_back(block.row(r));
    search.copy_to(rows);
    use({batch, block.view()});
  });
}

template Array2<float> geodesic_distances(const NeighborGraph&, const std::vector<Index>&, const Run&);
template Array2<double> geodesic_distances(const NeighborGraph&, const std::vector<Index>&, const Run&);
template Array2<float> geodesic_distances_from(const NeighborGraph&, const NeighborGraph&, const Run&);
template Array2<double> geodesic_distances_from(const NeighborGraph&, const NeighborGraph&, const Run&);
template void for_each_geodesic_block(const NeighborGraph&, const std::vector<Index>&,
                                      const std::function<void(const GeodesicBlock<float>&)>&, const Run&);
template void for_each_geodesic_block(const NeighborGraph&, const std::vector<Index>&,
                                      const std::function<void(const GeodesicBlock<double>&)>&, const Run&);

}  // namespace unroll
