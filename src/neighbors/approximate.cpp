#include "neighbors/approximate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/at.h"
#include "core/parallel.h"
#include "neighbors/block_search.h"
#include "neighbors/cell_search.h"
#include "neighbors/recall_probe.h"
#include "neighbors/search_limits.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The reach and the lists are changed at most so often until the sample has the recall asked for.
constexpr int kMostTrials = 8;
constexpr Index kCellsPerBlock = 2;

/// How thorough a search is.
struct Effort {
  float reach = 0;
  Index kept = 0;    ///< candidates by the leading coordinates
  Index judged = 0;  ///< candidates by all coordinates
};

class ApproximateSearch {
 public:
  ApproximateSearch(const MetricRows& rows, Metric metric, Index count, std::uint64_t seed, const Run& run)
      : exact_(rows, metric, seed, run),
        points_(sketch_floats(exact_.blocks(), run)),
        cells_(points_, run),
        distance_(rows, rows, metric, 2),
        probe_(exact_, rows, count, seed),
        count_(count),
        run_(run) {}

  ApproximateResult run(double target, NeighborGraphBuilder& out) {
    // All coordinates of a point may be less than its distances need: then more candidates are judged.
    Effort effort = points_.has_more() ? Effort{0, 2 * count_ + 32, count_ + count_ / 4 + 8}
                                       : Effort{0, count_ + 4, count_ + 4};
    const Recall reached = tune(target, effort);
    parallel_for(
        run_, cells_.count(), kCellsPerBlock,
        [&](Index begin, Index end) {
          CellSearch search(points_, cells_, count_, effort.kept);
          NearestList nearest({count_});
          std::vector<Index> slots;
          for (Index cell = begin; cell < end; ++cell) {
            slots.resize(at(cells_.size(cell)));
            std::iota(slots.begin(), slots.end(), Index{0});
            search.start(cell, slots);
            search.extend(effort.reach);
            for (const Index slot : slots) {
              const Place place = cells_.members(cell)[at(slot)];
              out.set(exact_.blocks().point(place), judged(place, search.nearest(slot), effort.judged, nearest));
            }
          }
        },
        "searching");
    return {reached.share, static_cast<Index>(probe_.places().size())};
  }

 private:
  using Found = std::vector<std::vector<Candidate>>;

  /// Finds an effort with which the sample has the recall asked for, less its standard error.
  Recall tune(double target, Effort& effort) {
    probe_.find_truth(sample_found(effort), run_);
    const std::vector<float> reaches = reaches_to_truth(effort);
    const auto all = static_cast<double>(reaches.size());
    double coverage = target;
    Recall recall;
    for (int trial = 0; trial < kMostTrials; ++trial) {
      const auto covered = static_cast<std::size_t>(std::clamp(std::ceil(coverage * all), 1.0, all));
      effort.reach = std::max(0.0F, reaches[covered - 1]);
      if (std::isinf(effort.reach)) effort.reach = std::numeric_limits<float>::max();
      recall = probe_.measure(sample_found(effort));
      const double missing = target + recall.error - recall.share;
      if (missing <= 0) break;
      // Of the neighbours in cells that were looked into, some are lost to candidates that seem nearer.
      const double lost = static_cast<double>(covered) / all - recall.share;
      if (lost > 0.5 * (1 - target) && effort.kept < 8 * count_ + 64) {
        effort.kept *= 2;
        effort.judged *= 2;
      } else if (coverage >= 1) {
        break;
      } else {
        coverage = std::min(1.0, coverage + missing);
      }
    }
    return recall;
  }

  /// Calls visit(search, row, sampled) for every sampled point, after the start of its cell's search.
  template <class Visit>
  void for_sample(const Effort& effort, float reach, Visit&& visit) const {
    std::vector<std::pair<Index, std::size_t>> sampled;  // by cell
    for (std::size_t s = 0; s < probe_.places().size(); ++s)
      sampled.emplace_back(cells_.cell_of(static_cast<Place>(probe_.places()[s])), s);
    std::sort(sampled.begin(), sampled.end());
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < sampled.size(); ++i)
      if (i == 0 || sampled[i].first != sampled[i - 1].first) first.push_back(i);
    first.push_back(sampled.size());
    parallel_for(run_, static_cast<Index>(first.size()) - 1, kCellsPerBlock, [&](Index begin, Index end) {
      CellSearch search(points_, cells_, count_, effort.kept);
      std::vector<Index> slots;
      for (std::size_t f = at(begin); f < at(end); ++f) {
        const Index cell = sampled[first[f]].first;
        const auto members = cells_.members(cell);
        slots.clear();
        for (std::size_t i = first[f]; i < first[f + 1]; ++i)
          slots.push_back(std::lower_bound(members.begin(), members.end(), probe_.places()[sampled[i].second]) -
                          members.begin());
        search.start(cell, slots);
        if (reach >= 0) search.extend(reach);
        for (std::size_t i = first[f]; i < first[f + 1]; ++i)
          visit(search, static_cast<Index>(i - first[f]), sampled[i].second);
      }
    });
  }

  Found sample_found(const Effort& effort) const {
    Found found(probe_.places().size());
    for_sample(effort, effort.reach, [&](CellSearch& search, Index row, std::size_t sampled) {
      NearestList nearest({count_});
      const auto best = judged(probe_.places()[sampled], search.nearest(row), effort.judged, nearest);
      found[sampled].assign(best.begin(), best.end());
    });
    return found;
  }

  /// For every true neighbour of the sample, the reach that finds it; ascending.
  std::vector<float> reaches_to_truth(const Effort& effort) const {
    std::vector<Place> place_of(at(points_.points));
    for (Index place = 0; place < points_.points; ++place)
      place_of[at(exact_.blocks().point(place))] = static_cast<Place>(place);
    std::vector<float> reaches(probe_.places().size() * at(count_));
    for_sample(effort, -1, [&](const CellSearch& search, Index row, std::size_t sampled) {
      float* reach = reaches.data() + sampled * at(count_);
      for (const Index point : probe_.truth(sampled))
        *reach++ = search.reach_to(row, cells_.cell_of(place_of[at(point)]));
    });
    std::sort(reaches.begin(), reaches.end());
    return reaches;
  }

  /// The candidates of a point in their true order. They come by ascending estimate; for those that cannot be near
  /// enough the distance is not computed.
  std::span<const Candidate> judged(Index place, std::span<const CellSearch::Near> candidates, Index most,
                                    NearestList& nearest) const {
    const LocalBlocks& blocks = exact_.blocks();
    std::vector<CellSearch::Near> ranked(candidates.begin(), candidates.end());
    if (points_.has_more()) rank_by_all(place, ranked);
    ranked.resize(std::min(ranked.size(), at(most)));
    nearest.clear();
    for (const auto& [estimate, other] : ranked) {
      const double length = distance_.to_length(nearest.limit()) * blocks.unit();
      if (points_.least(estimate, place, other) > length * length) continue;
      nearest.add(distance_(blocks.point(place), blocks.point(other)), blocks.point(other));
    }
    if (static_cast<Index>(nearest.sorted().size()) < count_) scan_all(place, nearest);
    return nearest.sorted();
  }

  /// Orders candidates by their estimates in all coordinates.
  void rank_by_all(Index place, std::vector<CellSearch::Near>& candidates) const {
    constexpr std::size_t kAhead = 4;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (c + kAhead < candidates.size()) points_.prefetch(candidates[c + kAhead].second);
      candidates[c].first = points_.estimate(place, candidates[c].second);
    }
    std::sort(candidates.begin(), candidates.end());
  }

  /// Compares a point with all others, if it has fewer candidates than neighbours wanted.
  void scan_all(Index place, NearestList& nearest) const {
    const Index point = exact_.blocks().point(place);
    nearest.clear();
    for (Index other = 0; other < points_.points; ++other)
      if (other != point) nearest.add(distance_(point, other), other);
  }

  BlockSearch exact_;
  SketchFloats points_;
  Cells cells_;
  RowDistance distance_;
  RecallProbe probe_;
  Index count_;
  const Run& run_;
};

}  // namespace

ApproximateResult approximate_search(const MetricRows& rows, Metric metric, Index count, double recall,
                                     std::uint64_t seed, NeighborGraphBuilder& out, const Run& run) {
  if (rows.rows() > std::numeric_limits<Place>::max())
    throw Error(ErrorKind::Unsupported, "the approximate search takes at most 2^31 - 1 points",
                "use algorithm=kd_tree, or fewer points");
  return ApproximateSearch(rows, metric, count, seed, run).run(recall, out);
}

}  // namespace unroll
