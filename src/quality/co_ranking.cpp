#include "unroll/quality/co_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/reported_as.h"
#include "data/feature_scaler.h"
#include "neighbors/pair_distance.h"
#include "quality/neighborhoods.h"
#include "quality/row_order.h"

namespace unroll {
namespace {

constexpr Index kMostRanks = 100'000'000, kFewestPoints = 500;

Index rank_points(Index n, const QualityOptions& options) {
  return std::min(n, options.rank_points.value_or(std::max(kFewestPoints, kMostRanks / n)));
}

/// Rows whose distances are computed together, so that points are read from memory once for all of them.
Index rows_together(Index n) {
  constexpr Index kDistances = 4'000'000, kMostRows = 16;
  return std::clamp<Index>(kDistances / n, 1, kMostRows);
}

/// The distances of some points to all, in tiles whose points stay in the cache.
void fill_rows(const PairDistance& distance, std::span<const Index> points, Array2<double>& rows) {
  constexpr Index kTile = 128;
  for (Index first = 0; first < rows.cols(); first += kTile)
    for (std::size_t r = 0; r < points.size(); ++r)
      for (Index j = first; j < std::min(first + kTile, rows.cols()); ++j)
        rows(static_cast<Index>(r), j) = distance.scaled(points[r], j);
}

/// A map, and what is counted of it: counts[m], m = 1 .. n - 1, is the number of pairs (i, j) whose ranks in `high` and
/// in the map have the maximum m. The pairs of Q_NX(K) are those with m <= K.
struct RankedMap {
  PairDistance distance;
  std::vector<Index> counts;
  std::vector<double> areas;  ///< of the points of the sample

  RankedMap(PointsView low, std::size_t sample, const QualityOptions& options, const Run& run)
      : distance(low, low_search(options), run), counts(at(low.rows())), areas(sample) {}
};

/// R_NX(K) / K = ((n - 1) Q_NX(K) - K) / ((n - 1 - K) K) of one point; `kept` are its K Q_NX(K) pairs.
double area_part(double others, double kept, double k) { return (others * kept / k - k) / ((others - k) * k); }

/// sum of 1 / K, K = 1 .. n - 2, in the order in which areas are summed: that of a perfect map is exactly 1.
double whole_area(Index n) {
  double sum = 0;
  for (Index k = 1; k <= n - 2; ++k) sum += 1 / static_cast<double>(k);
  return sum;
}

/// Measures the rows of some points.
class RankCounts {
 public:
  RankCounts(Index n, Index rows)
      : n_(n),
        whole_(whole_area(n)),
        distances_(Array2<double>::uninitialized(rows, n)),
        ranks_(Array2<std::uint32_t>::uninitialized(rows, n)),
        order_(n),
        row_(at(n)),
        block_(at(n)) {}

  void rank(const PairDistance& high, std::span<const Index> points) {
    fill_rows(high, points, distances_);
    for (std::size_t r = 0; r < points.size(); ++r) {
      order_.sort(distances_.row(static_cast<Index>(r)), points[r]);
      std::uint32_t* ranks = ranks_.row(static_cast<Index>(r));
      for (Index place = 0; place < n_ - 1; ++place) ranks[order_[place]] = static_cast<std::uint32_t>(place + 1);
    }
  }

  /// Of the points that were ranked last.
  void compare(RankedMap& map, std::span<const Index> points, Index first, std::mutex& mutex) {
    fill_rows(map.distance, points, distances_);
    std::fill(block_.begin(), block_.end(), 0U);
    for (std::size_t r = 0; r < points.size(); ++r) {
      order_.sort(distances_.row(static_cast<Index>(r)), points[r]);
      const std::uint32_t* ranks = ranks_.row(static_cast<Index>(r));
      std::fill(row_.begin(), row_.end(), 0U);
      for (Index place = 0; place < n_ - 1; ++place)
        ++row_[std::max(ranks[order_[place]], static_cast<std::uint32_t>(place + 1))];
      map.areas[at(first) + r] = area();
      for (std::size_t m = 0; m < row_.size(); ++m) block_[m] += row_[m];
    }
    const std::lock_guard lock(mutex);  // whole numbers have the same sum in every order
    for (std::size_t m = 0; m < block_.size(); ++m) map.counts[m] += block_[m];
  }

 private:
  double area() const {
    const auto others = static_cast<double>(n_ - 1);
    double sum = 0;
    std::uint32_t kept = 0;
    for (Index k = 1; k <= n_ - 2; ++k) {
      kept += row_[at(k)];
      sum += area_part(others, kept, static_cast<double>(k));
    }
    return sum / whole_;
  }

  Index n_;
  double whole_;
  Array2<double> distances_;
  Array2<std::uint32_t> ranks_;
  RowOrder order_;
  std::vector<std::uint32_t> row_, block_;  ///< counts as of a RankedMap
};

/// Q_NX, R_NX and what is read from them.
CoRanking curves_of(const std::vector<Index>& counts, Index sample) {
  const Index n = std::ssize(counts);
  const auto others = static_cast<double>(n - 1);
  CoRanking result{.k_max = 1};
  Index kept = 0;
  double most = 0;
  for (Index k = 1; k <= n - 1; ++k) {
    kept += counts[at(k)];
    const auto size = static_cast<double>(k);
    const double q = static_cast<double>(kept) / (static_cast<double>(sample) * size);
    result.q_nx.push_back(q);
    if (k < n - 1) result.r_nx.push_back((others * q - size) / (others - size));
    const double above_chance = q - size / others;
    if (k == 1 || above_chance > most) most = above_chance, result.k_max = k;
  }
  const auto peak = result.q_nx.begin() + result.k_max;
  result.q_local = std::accumulate(result.q_nx.begin(), peak, 0.0) / static_cast<double>(result.k_max);
  result.q_global = std::accumulate(peak - 1, result.q_nx.end(), 0.0) / static_cast<double>(n - result.k_max);
  return result;
}

/// The mean over the sample. That of m points without replacement has the variance s^2 / m (1 - m / n).
NeighborhoodMeasure mean_area(std::vector<double> areas, Index n) {
  const auto m = static_cast<double>(areas.size());
  const double mean = std::accumulate(areas.begin(), areas.end(), 0.0) / m;
  const double squares = std::accumulate(areas.begin(), areas.end(), 0.0,
                                         [&](double sum, double area) { return sum + (area - mean) * (area - mean); });
  NeighborhoodMeasure result{.value = mean, .low = mean, .high = mean, .sample = std::ssize(areas)};
  if (result.sample == n) {
    result.per_point = std::move(areas);
    return result;
  }
  const double half = kNormal95 * std::sqrt(squares / (m - 1) / m * (1 - m / static_cast<double>(n)));
  result.low = std::max(-1.0, mean - half);
  result.high = std::min(1.0, mean + half);
  return result;
}

void check_size(Index n) {
  if (n < 3)
    throw Error(ErrorKind::InvalidData, fmt::format("there are {} points; ranks of neighbors need at least 3", n),
                "give more points");
  if (n > INT64_C(4'000'000'000))
    throw Error(ErrorKind::Unsupported, fmt::format("{} points have too many ranks", n), "use fewer points");
}

void require_memory(Index n, std::size_t maps, const Run& run) {
  constexpr double kBytesPerDistance = sizeof(double) + sizeof(std::uint32_t);
  constexpr double kBytesPerRank = 2 * sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t);
  const auto points = static_cast<double>(n), threads = static_cast<double>(thread_count(run));
  MemoryPlan plan;
  plan.add("the distances of some points to all", points * threads, static_cast<double>(rows_together(n)),
           kBytesPerDistance);
  plan.add("their ranks", points, threads, kBytesPerRank);
  plan.add("counts of ranks", points, static_cast<double>(maps), sizeof(Index) + 2 * sizeof(double));
  plan.require(run, "use fewer threads");
}

std::vector<CoRanking> measure(PointsView high, std::span<const PointsView> maps, const QualityOptions& options,
                               const Run& run) {
  const Index n = high.rows();
  check_size(n);
  require_memory(n, maps.size(), run);
  const std::vector<Index> sample = sampled_points(n, rank_points(n, options), options);
  const PairDistance in_high(high, high_search(options), run);
  std::vector<std::unique_ptr<RankedMap>> ranked;
  for (const PointsView& low : maps) ranked.push_back(std::make_unique<RankedMap>(low, sample.size(), options, run));
  std::mutex mutex;
  parallel_for(
      run, std::ssize(sample), rows_together(n),
      [&](Index begin, Index end) {
        const auto points = std::span(sample).subspan(at(begin), at(end - begin));
        RankCounts counts(n, end - begin);
        counts.rank(in_high, points);
        for (const auto& map : ranked) counts.compare(*map, points, begin, mutex);
      },
      "comparing ranks");
  std::vector<CoRanking> results;
  for (const auto& map : ranked) {
    results.push_back(curves_of(map->counts, std::ssize(sample)));
    results.back().area = mean_area(std::move(map->areas), n);
  }
  return results;
}

}  // namespace

std::vector<CoRanking> co_rankings(PointsView high, std::span<const PointsView> maps, const QualityOptions& options,
                                   const Run& run) {
  return reported_as("co_ranking", [&]() -> std::vector<CoRanking> {
    for (const PointsView& low : maps) check_rows(high, low, options, run);
    const ScaledPoints scaled(high, options.scale, run);
    return measure(scaled.view(), maps, options, run);
  });
}

CoRanking co_ranking(PointsView high, PointsView low, const QualityOptions& options, const Run& run) {
  return std::move(co_rankings(high, {&low, 1}, options, run).front());
}

std::vector<Index> log_spaced_ranks(Index last, Index count) {
  std::vector<Index> ranks;
  for (Index i = 0; i < count; ++i) {
    const double part = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 1;
    const auto rank = static_cast<Index>(std::llround(std::exp(part * std::log(static_cast<double>(last)))));
    if (rank >= 1 && (ranks.empty() || rank > ranks.back())) ranks.push_back(std::min(rank, last));
  }
  return ranks;
}

}  // namespace unroll
