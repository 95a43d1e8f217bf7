#include "rank_search.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"

namespace unroll::cluster {

RankSearch::RankSearch(const Ranks& ranks, const RankPoints& own, const NeighborOptions& options,
                       SearchAlgorithm algorithm, double scale, const Run& run)
    : ranks_(ranks), own_(own), options_(options), scale_(scale), run_(run), boxes_(ranks, own, options.metric, scale) {
  ranks_.together([&] {
    rows_ = metric_rows(own_.view(), options_.metric, scale_, run_);
    if (own_.size() > 0) engine_ = make_engine(rows_, algorithm, options_, run_);
  });
}

NeighborGraph RankSearch::search(SearchLimits limits) const {
  NeighborGraph near = ranks_.together([&] { return search_own(limits); });
  std::vector<double> reach(at(own_.size()));  // of the ball that still may hold nearer points
  for (Index i = 0; i < own_.size(); ++i) {
    const bool is_full = near.degree(i) == limits.count;
    reach[at(i)] = length_of(is_full ? near.distances_of(i).back() : limits.radius);
  }
  const std::vector<Index> asked = reachable_ranks(reach);
  Lists foreign(at(own_.size()));
  Batch batch;
  do {
    batch = take_batch(batch.next, reach, asked);
    ask(batch, limits, foreign);
  } while (ranks_.largest(own_.size() - batch.next) > 0);
  return ranks_.together([&] { return merged(near, foreign, limits); });
}

NeighborGraph RankSearch::search_own(SearchLimits limits) const {
  constexpr double kCopies = 3;  // the graph, what foreign points are merged into, and what goes home
  if (limits.count != SearchLimits::kAll)
    MemoryPlan()
        .add("the neighbor graph of a rank", static_cast<double>(own_.size()), static_cast<double>(limits.count),
             kCopies * sizeof(Candidate))
        .require(run_, "use a smaller n_neighbors or more hosts");
  NeighborGraphBuilder graph(own_.size(), limits, own_.size() - 1, run_);
  if (engine_) engine_->search_all(limits, graph, run_);
  NeighborGraph found = graph.take();
  for (Index& j : found.neighbors) j = own_.ids[at(j)];
  return found;
}

/// The other ranks whose box is within the largest reach of all own points.
std::vector<Index> RankSearch::reachable_ranks(const std::vector<double>& reach) const {
  const double farthest = reach.empty() ? 0 : *std::max_element(reach.begin(), reach.end());
  const std::vector<Index> sizes = ranks_.all(own_.size());
  std::vector<Index> result;
  for (Index r = 0; r < ranks_.count(); ++r) {
    if (r == ranks_.rank() || sizes[at(r)] == 0) continue;
    if (!RankBoxes::can_exclude(options_.metric) || boxes_.bound_between(r, ranks_.rank()) <= farthest)
      result.push_back(r);
  }
  return result;
}

/// Questions are asked in batches of limited size: without useful boxes, every point is a question for every rank.
RankSearch::Batch RankSearch::take_batch(Index first, const std::vector<double>& reach,
                                         const std::vector<Index>& ranks) const {
  constexpr Index kQuestions = Index{1} << 18;
  const bool excludes = RankBoxes::can_exclude(options_.metric);
  std::vector<std::vector<Index>> points(at(ranks_.count()));
  Batch batch{.next = first};
  own_.view().visit([&](auto x) {
    for (Index questions = 0; batch.next < own_.size() && questions < kQuestions; ++batch.next)
      for (const Index r : ranks)
        if (!excludes || boxes_.bound(x.row(batch.next), r) <= reach[at(batch.next)]) {
          points[at(r)].push_back(batch.next);
          ++questions;
        }
  });
  batch.offsets.push_back(0);
  for (const std::vector<Index>& some : points) {
    batch.points.insert(batch.points.end(), some.begin(), some.end());
    batch.offsets.push_back(std::ssize(batch.points));
  }
  return batch;
}

void RankSearch::ask(const Batch& batch, SearchLimits limits, Lists& foreign) const {
  std::vector<Index> asking;  // offsets of the questions that came, by rank
  const NeighborGraph found = answers(batch, limits, asking);
  ByRank<Index> degrees{.offsets = asking};
  ByRank<Candidate> candidates{.offsets = {0}};
  for (Index q = 0; q < found.size(); ++q) degrees.items.push_back(found.degree(q));
  for (Index e = 0; e < found.edges(); ++e)
    candidates.items.push_back({found.distances[at(e)], own_.ids[at(found.neighbors[at(e)])]});
  for (std::size_t r = 1; r < asking.size(); ++r) candidates.offsets.push_back(found.offsets[at(asking[r])]);
  const std::vector<Index> counts = ranks_.exchange(degrees).items;
  const std::vector<Candidate> all = ranks_.exchange(candidates).items;
  std::size_t place = 0;
  for (std::size_t q = 0; q < counts.size(); ++q) {
    std::vector<Candidate>& list = foreign[at(batch.points[q])];
    const std::span<const Candidate> some(all.data() + place, at(counts[q]));
    list = united(some, std::move(list));
    if (std::ssize(list) > limits.count) list.resize(at(limits.count));
    place += some.size();
  }
}

/// Sends the questions of a batch, and finds the answers to those that came: neighbours are own points.
NeighborGraph RankSearch::answers(const Batch& batch, SearchLimits limits, std::vector<Index>& offsets) const {
  return std::visit(
      [&]<class T>(const Array2<T>& values) {
        const Index cols = values.cols();
        ByRank<T> questions;
        questions.items.reserve(batch.points.size() * at(cols));
        for (const Index i : batch.points)
          questions.items.insert(questions.items.end(), values.row(i), values.row(i) + cols);
        for (const Index offset : batch.offsets) questions.offsets.push_back(offset * cols);
        const ByRank<T> came = ranks_.exchange(questions);
        for (const Index offset : came.offsets) offsets.push_back(offset / cols);
        return ranks_.together([&] {
          const PointsView points(came.items.data(), offsets.back(), cols);
          NeighborGraphBuilder graph(points.rows(), limits, own_.size(), run_);
          if (points.rows() > 0)
            engine_->search(metric_rows(points, options_.metric, scale_, run_), limits, graph, run_);
          return graph.take();
        });
      },
      own_.values);
}

NeighborGraph RankSearch::merged(const NeighborGraph& near, const Lists& foreign, SearchLimits limits) const {
  NeighborGraphBuilder graph(near.size(), {SearchLimits::kAll, 0}, 0, run_);
  parallel_for(run_, near.size(), 1024, [&](Index begin, Index end) {
    std::vector<Candidate> own;
    for (Index i = begin; i < end; ++i) {
      own.clear();
      for (Index e = 0; e < near.degree(i); ++e)
        own.push_back({near.distances_of(i)[at(e)], near.neighbors_of(i)[at(e)]});
      if (!foreign[at(i)].empty()) own = united(own, foreign[at(i)]);
      if (std::ssize(own) > limits.count) own.resize(at(limits.count));
      graph.set(i, own);
    }
  });
  return graph.take();
}

}  // namespace unroll::cluster
