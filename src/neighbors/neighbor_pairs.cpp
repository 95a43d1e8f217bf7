#include "neighbors/neighbor_pairs.h"

#include <algorithm>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"

namespace unroll {
namespace {

constexpr Index kPointsPerBlock = 256;

/// For every point those that have it among their nearest, and itself: the centers of the neighbourhoods it is in.
struct Centers {
  std::vector<Index> offsets, points;
};

Centers centers_of(const NeighborGraph& nearest) {
  const Index n = nearest.size();
  Centers centers{std::vector<Index>(at(n) + 1), std::vector<Index>(at(n + nearest.edges()))};
  for (Index i = 0; i < n; ++i) ++centers.offsets[at(i) + 1];
  for (const Index neighbor : nearest.neighbors) ++centers.offsets[at(neighbor) + 1];
  for (Index i = 0; i < n; ++i) centers.offsets[at(i) + 1] += centers.offsets[at(i)];
  std::vector<Index> next(centers.offsets.begin(), centers.offsets.end() - 1);
  for (Index i = 0; i < n; ++i) {
    centers.points[at(next[at(i)]++)] = i;
    for (const Index neighbor : nearest.neighbors_of(i)) centers.points[at(next[at(neighbor)]++)] = i;
  }
  return centers;
}

void plan_pairs(const NeighborGraph& nearest, const Run& run) {
  // A part per block, and all of them in one.
  constexpr double kCopies = 2, kPairBytes = 2 * sizeof(Index) + sizeof(double);
  double most = 0;  // each neighbourhood by itself; most pairs are in several
  for (Index i = 0; i < nearest.size(); ++i) {
    const auto degree = static_cast<double>(nearest.degree(i));
    most += degree * (degree + 1) / 2;
  }
  const auto n = static_cast<double>(nearest.size());
  MemoryPlan()
      .add("the pairs of neighbors", std::min(most, n * (n - 1) / 2), 1, kCopies * kPairBytes)
      .require(run, "use a smaller n_neighbors, or fewer points");
}

}  // namespace

NeighborPairs neighbor_pairs(const NeighborGraph& nearest, const std::vector<JoiningEdge>& joining,
                             const PairLength& length, const Run& run) {
  plan_pairs(nearest, run);
  const Centers centers = centers_of(nearest);
  std::vector<NeighborPairs> parts(at(block_count(nearest.size(), kPointsPerBlock)));
  parallel_for(run, nearest.size(), kPointsPerBlock, [&](Index begin, Index end) {
    NeighborPairs& own = parts[at(begin / kPointsPerBlock)];
    std::vector<Index> others;
    for (Index i = begin; i < end; ++i) {
      others.clear();
      const auto add = [&](Index j) {
        if (j > i) others.push_back(j);
      };
      for (Index e = centers.offsets[at(i)]; e < centers.offsets[at(i) + 1]; ++e) {
        const Index center = centers.points[at(e)];
        add(center);
        for (const Index j : nearest.neighbors_of(center)) add(j);
      }
      for (const JoiningEdge& edge : joining)
        if (edge.first == i) add(edge.second);
      std::sort(others.begin(), others.end());
      others.erase(std::unique(others.begin(), others.end()), others.end());
      for (const Index j : others)
        if (const std::optional<double> distance = length(i, j)) {
          own.first.push_back(i);
          own.second.push_back(j);
          own.distances.push_back(*distance);
        }
    }
  });
  NeighborPairs pairs;
  Index count = 0;
  for (const NeighborPairs& part : parts) count += part.size();
  pairs.first.reserve(at(count));
  pairs.second.reserve(at(count));
  pairs.distances.reserve(at(count));
  for (NeighborPairs& part : parts) {
    pairs.first.insert(pairs.first.end(), part.first.begin(), part.first.end());
    pairs.second.insert(pairs.second.end(), part.second.begin(), part.second.end());
    pairs.distances.insert(pairs.distances.end(), part.distances.begin(), part.distances.end());
    part = {};
  }
  return pairs;
}

}  // namespace unroll
