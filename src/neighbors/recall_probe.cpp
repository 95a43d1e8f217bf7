#include "neighbors/recall_probe.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "neighbors/row_subset.h"

namespace unroll {

RecallProbe::RecallProbe(const BlockSearch& exact, const MetricRows& rows, Index count, std::uint64_t seed)
    : exact_(exact), rows_(rows), count_(count) {
  const Index n = rows.rows();
  places_ = Random(seed, "neighbors.recall").sample(n, std::min(n, kSample));
}

void RecallProbe::find_truth(const std::vector<std::vector<Candidate>>& found, const Run& run) {
  std::vector<Index> points;
  std::vector<SearchLimits> limits;
  for (std::size_t s = 0; s < places_.size(); ++s) {
    points.push_back(exact_.blocks().point(places_[s]));
    limits.push_back({count_ + 2});  // the point itself, and one more, which shows whether the last has an equal
    if (static_cast<Index>(found[s].size()) == count_) limits.back().radius = found[s].back().distance;
  }
  const RowSubset sampled(rows_, points);
  NeighborGraphBuilder builder(sampled.rows().rows(), {SearchLimits::kAll, 0}, 0, run);
  exact_.search(sampled.rows(), limits, builder, run);
  const NeighborGraph graph = builder.take();
  for (std::size_t s = 0; s < points.size(); ++s) {
    const auto neighbors = graph.neighbors_of(static_cast<Index>(s));
    const auto distances = graph.distances_of(static_cast<Index>(s));
    // Leaves out the point itself, which may be missing from the list if it has more than `count` duplicates.
    std::vector<Candidate> others;
    for (std::size_t i = 0; i < neighbors.size(); ++i)
      if (neighbors[i] != points[s]) others.push_back({distances[i], neighbors[i]});
    const auto count = std::min(others.size(), static_cast<std::size_t>(count_));
    farthest_.push_back(others[count - 1].distance);
    const bool has_equal = others.size() > count && others[count].distance == farthest_[s];
    std::vector<Index>& truth = truth_.emplace_back();
    for (std::size_t i = 0; i < count; ++i)
      if (!has_equal || others[i].distance < farthest_[s]) truth.push_back(others[i].index);
  }
}

Recall RecallProbe::measure(const std::vector<std::vector<Candidate>>& found) const {
  double sum = 0;
  double squares = 0;
  for (std::size_t s = 0; s < places_.size(); ++s) {
    const auto right = std::count_if(found[s].begin(), found[s].end(),
                                     [&](const Candidate& candidate) { return candidate.distance <= farthest_[s]; });
    const double share = static_cast<double>(right) / static_cast<double>(count_);
    sum += share;
    squares += share * share;
  }
  const auto size = static_cast<double>(places_.size());
  const double variance = std::max(0.0, squares / size - sum / size * (sum / size));
  return {sum / size, std::sqrt(variance / size * (1 - size / static_cast<double>(rows_.rows())))};
}

}  // namespace unroll
