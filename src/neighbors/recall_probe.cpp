#include "neighbors/recall_probe.h"

#include <algorithm>

#include "core/random.h"
#include "neighbors/row_subset.h"

namespace unroll {

RecallProbe::RecallProbe(const BlockSearch& exact, const MetricRows& rows, Index count, std::uint64_t seed)
    : exact_(exact), rows_(rows), count_(count) {
  const Index n = rows.rows();
  places_ = Random(seed, "neighbors.recall").sample(n, std::min(n, kSample));
}

/// The true neighbours are not farther than those found, which limits the exact search from the start.
void RecallProbe::find_truth(const Found& found, const Run& run) {
  std::vector<Index> points;
  std::vector<SearchLimits> limits;
  for (const Index place : places_) {
    const auto nearest = found(place);
    points.push_back(exact_.blocks().point(place));
    limits.push_back({count_ + 1});  // the point finds itself, too
    if (static_cast<Index>(nearest.size()) == count_) limits.back().radius = nearest.back().distance;
  }
  const RowSubset sampled(rows_, points);
  NeighborGraphBuilder truth(sample(), {SearchLimits::kAll, 0}, 0, run);
  exact_.search(sampled.rows(), limits, truth, run);
  const NeighborGraph graph = truth.take();
  for (Index s = 0; s < sample(); ++s) {
    const auto neighbors = graph.neighbors_of(s);
    const auto distances = graph.distances_of(s);
    // Leaves out the point itself, which may be missing from the list if it has more than `count` duplicates.
    const auto self = std::find(neighbors.begin(), neighbors.end(), points[static_cast<std::size_t>(s)]);
    const auto last = std::min(static_cast<Index>(neighbors.size()), self == neighbors.end() ? count_ : count_ + 1) - 1;
    farthest_.push_back(distances[static_cast<std::size_t>(last)]);
  }
}

double RecallProbe::measure(const Found& found, const Run& run) {
  if (farthest_.empty()) find_truth(found, run);
  Index right = 0;
  for (std::size_t s = 0; s < places_.size(); ++s)
    for (const Candidate& candidate : found(places_[s])) right += candidate.distance <= farthest_[s] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(count_ * sample());
}

}  // namespace unroll
