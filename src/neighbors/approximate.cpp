#include "neighbors/approximate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/at.h"
#include "core/parallel.h"
#include "neighbors/block_search.h"
#include "neighbors/candidate_judge.h"
#include "neighbors/recall_probe.h"
#include "neighbors/search_limits.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The reach is raised at most so often until the sample has the recall asked for.
constexpr int kMostTrials = 8;
/// Of the neighbours that may be missed, this share may be lost in either ranking to candidates that seem nearer.
constexpr double kLostByRank = 0.3;
constexpr Index kCellsPerBlock = 2;

/// How thorough a search is.
struct Effort {
  float reach = 0;
  Index kept = 0;    ///< candidates by the leading coordinates
  Index judged = 0;  ///< candidates by all coordinates, whose distances are computed
};

/// What a search must do to find a true neighbour.
struct Need {
  float reach = std::numeric_limits<float>::infinity();
  Index kept = std::numeric_limits<Index>::max();
  Index judged = std::numeric_limits<Index>::max();
};

/// The least value of a field that is enough for a share of the needs.
template <class T>
T enough_for(const std::vector<Need>& needs, T Need::*field, double share) {
  if (needs.empty()) return 0;
  std::vector<T> values;
  values.reserve(needs.size());
  for (const Need& need : needs) values.push_back(need.*field);
  const auto all = static_cast<double>(values.size());
  const auto last = values.begin() + static_cast<std::ptrdiff_t>(std::clamp(std::ceil(share * all), 1.0, all)) - 1;
  std::nth_element(values.begin(), last, values.end());
  return *last;
}

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
    Effort effort;
    const Recall reached = tune(target, effort);
    parallel_for(
        run_, cells_.count(), kCellsPerBlock,
        [&](Index begin, Index end) {
          CellSearch search(points_, cells_, count_, effort.kept);
          CandidateJudge judge = make_judge();
          std::vector<Index> slots;
          for (Index cell = begin; cell < end; ++cell) {
            slots.resize(at(cells_.size(cell)));
            std::iota(slots.begin(), slots.end(), Index{0});
            search.start(cell, slots);
            search.extend(effort.reach);
            for (const Index slot : slots) {
              const Place place = cells_.members(cell)[at(slot)];
              judge.rank(place, search.nearest(slot), effort.judged);
              out.set(exact_.blocks().point(place), judge.judge(place));
            }
          }
        },
        "searching");
    return {reached.share, static_cast<Index>(probe_.places().size())};
  }

 private:
  using Found = std::vector<std::vector<Candidate>>;

  CandidateJudge make_judge() const { return {points_, exact_.blocks(), distance_, count_}; }

  /// Finds an effort with which the sample has the recall asked for, and its standard error beyond that.
  Recall tune(double target, Effort& effort) {
    const Index most = std::min(points_.points - 1, 8 * count_ + 64);
    const double missed = 1 - target;
    effort = {0, most, points_.has_more() ? 2 * count_ : count_};
    probe_.find_truth(sample_found(effort), run_);
    // Ranks are those among all candidates that a search with about the final reach finds.
    effort.reach = finite(enough_for(needs_of_truth(effort), &Need::reach, 1 - kLostByRank * missed));
    const std::vector<Need> needs = needs_of_truth(effort);
    std::vector<Need> within = needs;
    std::erase_if(within, [&](const Need& need) { return need.reach > effort.reach; });
    effort.kept = std::clamp(enough_for(within, &Need::kept, 1 - kLostByRank * missed), count_, most);
    effort.judged = std::clamp(enough_for(within, &Need::judged, 1 - kLostByRank * missed), count_, most);
    Recall recall;
    double share = std::min(1.0, target + 0.1 * missed);
    for (int trial = 0; trial < kMostTrials; ++trial) {
      std::vector<Need> ranked = needs;
      for (Need& need : ranked)
        if (need.kept > effort.kept || need.judged > effort.judged) need.reach = Need().reach;
      effort.reach = finite(enough_for(ranked, &Need::reach, share));
      recall = probe_.measure(sample_found(effort));
      const double missing = target + recall.error - recall.share;
      if (missing <= 0) break;
      share = std::min(1.0, share + missing);
      effort.kept = std::min(most, effort.kept + effort.kept / 4 + 1);
      effort.judged = std::min(most, effort.judged + effort.judged / 4 + 1);
    }
    return recall;
  }

  static float finite(float reach) { return std::clamp(reach, 0.0F, std::numeric_limits<float>::max()); }

  /// Calls visit(search, row, sampled) for every sampled point, after the search of its cell.
  template <class Visit>
  void for_sample(const Effort& effort, Visit&& visit) const {
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
        search.extend(effort.reach);
        for (std::size_t i = first[f]; i < first[f + 1]; ++i)
          visit(search, static_cast<Index>(i - first[f]), sampled[i].second);
      }
    });
  }

  Found sample_found(const Effort& effort) const {
    Found found(probe_.places().size());
    for_sample(effort, [&](CellSearch& search, Index row, std::size_t sampled) {
      CandidateJudge judge = make_judge();
      judge.rank(probe_.places()[sampled], search.nearest(row), effort.judged);
      const auto best = judge.judge(probe_.places()[sampled]);
      found[sampled].assign(best.begin(), best.end());
    });
    return found;
  }

  /// One need for each true neighbour of the sample.
  std::vector<Need> needs_of_truth(const Effort& effort) const {
    std::vector<Place> place_of(at(points_.points));
    for (Index place = 0; place < points_.points; ++place)
      place_of[at(exact_.blocks().point(place))] = static_cast<Place>(place);
    std::vector<std::vector<Need>> by_point(probe_.places().size());
    for_sample(effort, [&](CellSearch& search, Index row, std::size_t sampled) {
      std::vector<Near> by_leading(search.nearest(row).begin(), search.nearest(row).end());
      std::sort(by_leading.begin(), by_leading.end());
      CandidateJudge judge = make_judge();
      const std::span<const Near> by_all = judge.rank(probe_.places()[sampled], by_leading, effort.kept);
      for (const Index point : probe_.truth(sampled)) {
        const Place place = place_of[at(point)];
        const auto rank_in = [&](std::span<const Near> list) {
          const auto found = std::find_if(list.begin(), list.end(), [&](Near near) { return near.place() == place; });
          return found == list.end() ? Need().kept : found - list.begin() + 1;
        };
        by_point[sampled].push_back(
            {search.reach_to(row, cells_.cell_of(place)), rank_in(by_leading), rank_in(by_all)});
      }
    });
    std::vector<Need> needs;
    for (const auto& some : by_point) needs.insert(needs.end(), some.begin(), some.end());
    return needs;
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
  // At most the axes of BlockSearch, twice: in the spatial order, and packed by cells.
  const Index axes = std::min(rows.cols(), BlockSearch::kMostAxes);
  plan_search(rows.rows(), 2 * static_cast<double>(axes), sizeof(float), run);
  return ApproximateSearch(rows, metric, count, seed, run).run(recall, out);
}

}  // namespace unroll
