#include "neighbors/approximate.h"

#include <algorithm>
#include <limits>

#include "core/parallel.h"
#include "neighbors/block_search.h"
#include "neighbors/candidate_lists.h"
#include "neighbors/neighbor_descent.h"
#include "neighbors/projection_forest.h"
#include "neighbors/recall_probe.h"
#include "neighbors/search_limits.h"
#include "neighbors/sketch_floats.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kFirstTrees = 5;
constexpr Index kMoreTrees = 4;
constexpr Index kFirstRounds = 2;
constexpr Index kMostRounds = 6;
/// How many entries of every list are followed to their own neighbours at first: the work grows with the square.
constexpr Index kMostReach = 24;
/// If the last round gained less, another round alone is not worth its time.
constexpr double kLeastGain = 1e-2;

class ApproximateSearch {
 public:
  ApproximateSearch(const MetricRows& rows, Metric metric, Index count, std::uint64_t seed, const Run& run)
      : exact_(rows, metric, seed, run),
        points_(sketch_floats(exact_.blocks(), run)),
        lists_(points_.points, std::min(points_.points - 1, 2 * count + kSpare)),
        distance_(rows, rows, metric, 2),
        probe_(exact_, rows, count, seed),
        count_(count),
        seed_(seed),
        run_(run) {}

  ApproximateResult run(double limits, NeighborGraphBuilder& out) {
    grow(kFirstTrees);
    Index reach = std::min({lists_.width(), count_ + count_ / 3 + 1, kMostReach});
    double reached = 0;
    for (Index round = 1; round <= kMostRounds; ++round) {
      run_.report({.stage = "refining", .fraction = static_cast<double>(round - 1) / kMostRounds});
      descend_neighbors(points_, reach, lists_, run_);
      if (round < kFirstRounds) continue;
      const double before = reached;
      reached = measure();
      if (reached >= limits) break;
      if (reached - before > kLeastGain) continue;
      // Neighbours of neighbours bring nothing new; new trees and a longer reach do.
      if (round == kMostRounds) break;
      reach = std::min({lists_.width(), reach + count_ / 3 + 1, 2 * kMostReach});
      grow(kMoreTrees);
    }
    parallel_for(
        run_, points_.points, 256,
        [&](Index begin, Index end) {
          NearestList nearest({count_});
          for (Index place = begin; place < end; ++place) out.set(exact_.blocks().point(place), judged(place, nearest));
        },
        "judging");
    return {reached, probe_.sample()};
  }

 private:
  static constexpr Index kSpare = 4;

  void grow(Index trees) {
    for (Index t = 0; t < trees; ++t) {
      run_.report({.stage = "growing trees", .fraction = static_cast<double>(t) / static_cast<double>(trees)});
      add_tree_neighbors(points_, seed_, trees_++, lists_, run_);
    }
  }

  /// The candidates of a point in their true order. They come by ascending estimate; for those that cannot be near
  /// enough the distance is not computed.
  std::span<const Candidate> judged(Index place, NearestList& nearest) const {
    const LocalBlocks& blocks = exact_.blocks();
    nearest.clear();
    const auto places = lists_.places(place);
    const auto estimates = lists_.values(place);
    for (std::size_t s = 0; s < places.size() && places[s] != CandidateLists::kNone; ++s) {
      const double length = distance_.to_length(nearest.limit()) * blocks.unit();
      if (static_cast<double>(points_.least(estimates[s], place, places[s])) > length * length) continue;
      const Index other = blocks.point(places[s]);
      nearest.add(distance_(blocks.point(place), other), other);
    }
    if (static_cast<Index>(nearest.sorted().size()) < count_) scan_all(place, nearest);
    return nearest.sorted();
  }

  /// Compares a point with all others, if it has fewer candidates than neighbours wanted.
  void scan_all(Index place, NearestList& nearest) const {
    const Index point = exact_.blocks().point(place);
    nearest.clear();
    for (Index other = 0; other < points_.points; ++other)
      if (other != point) nearest.add(distance_(point, other), other);
  }

  double measure() {
    NearestList nearest({count_});
    return probe_.measure([&](Index place) { return judged(place, nearest); }, run_);
  }

  BlockSearch exact_;
  SketchFloats points_;
  CandidateLists lists_;
  RowDistance distance_;
  RecallProbe probe_;
  Index count_;
  std::uint64_t seed_;
  const Run& run_;
  Index trees_ = 0;
};

}  // namespace

ApproximateResult approximate_search(const MetricRows& rows, Metric metric, Index count, double recall,
                                     std::uint64_t seed, NeighborGraphBuilder& out, const Run& run) {
  if (rows.rows() > std::numeric_limits<Place>::max())
    throw Error(ErrorKind::Unsupported, "the approximate search takes at most 2^31 - 1 points",
                "use algorithm=kd_tree, or fewer points");
  // The lists of candidates exist twice while they are refined.
  plan_search(rows.rows(), static_cast<double>(2 * count + 4), 2 * (sizeof(float) + sizeof(Place) + 1), run);
  return ApproximateSearch(rows, metric, count, seed, run).run(recall, out);
}

}  // namespace unroll
