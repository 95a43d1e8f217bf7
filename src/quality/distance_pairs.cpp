#include "quality/distance_pairs.h"

#include <limits>

#include "core/finite.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/reported_as.h"
#include "data/feature_scaler.h"
#include "neighbors/pair_distance.h"

namespace unroll {
namespace {

double pairs_among(Index n) { return static_cast<double>(n) * static_cast<double>(n - 1) / 2; }

void add_all(const PairDistance& high, const PairDistance& low, Index n, DistancePairs& pairs, const Run& run) {
  constexpr Index kRowsPerBlock = 16;
  parallel_for(run, n, kRowsPerBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      auto pair = static_cast<std::size_t>(i * (2 * n - i - 1) / 2);
      for (Index j = i + 1; j < n; ++j, ++pair) {
        pairs.high[pair] = high.scaled(i, j);
        pairs.low[pair] = low.scaled(i, j);
      }
    }
  });
}

void add_some(const PairDistance& high, const PairDistance& low, Index n, const Random& random, DistancePairs& pairs,
              const Run& run) {
  constexpr Index kPairsPerBlock = 1 << 14;
  parallel_for(run, pairs.size(), kPairsPerBlock, [&](Index begin, Index end) {
    for (auto pair = static_cast<std::size_t>(begin); pair < static_cast<std::size_t>(end); ++pair) {
      const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(n), pair, 0));
      auto j = static_cast<Index>(random.below(static_cast<std::uint64_t>(n - 1), pair, 1));
      if (j >= i) ++j;
      pairs.high[pair] = high.scaled(i, j);
      pairs.low[pair] = low.scaled(i, j);
    }
  });
}

}  // namespace

DistancePairs distance_pairs(PointsView high, PointsView low, Index count, const QualityOptions& options,
                             const Run& run) {
  const Index n = high.rows();
  const bool exact = pairs_among(n) <= static_cast<double>(count);
  const auto size = static_cast<std::size_t>(exact ? n * (n - 1) / 2 : count);
  constexpr double kBytesPerPair = 3 * sizeof(double) + 2 * sizeof(std::uint32_t);
  MemoryPlan plan;
  plan.add("the distances of pairs", static_cast<double>(size), 1, kBytesPerPair);
  plan.require(run, "use a smaller max_pairs");

  const ScaledPoints scaled(high, options.scale, run);
  const PairDistance in_high(scaled.view(), high_search(options), run), in_low(low, low_search(options), run);
  DistancePairs pairs{.high = std::vector<double>(size),
                      .low = std::vector<double>(size),
                      .high_factor = in_high.factor(),
                      .low_factor = in_low.factor(),
                      .all = pairs_among(n),
                      .exact = exact};
  const Random random(static_cast<std::uint64_t>(options.random_state), "quality.pairs");
  exact ? add_all(in_high, in_low, n, pairs, run) : add_some(in_high, in_low, n, random, pairs, run);
  return pairs;
}

DistanceCorrelation distance_correlation(PointsView high, PointsView low, const QualityOptions& options,
                                         const Run& run) {
  return reported_as("distance_correlation", [&]() -> DistanceCorrelation {
    check_rows(high, low, options, run);
    return distance_correlation(distance_pairs(high, low, options.max_pairs, options, run), run);
  });
}

Stress stress(PointsView high, PointsView low, const QualityOptions& options, const Run& run) {
  return reported_as("stress", [&]() -> Stress {
    check_rows(high, low, options, run);
    return stress(distance_pairs(high, low, options.max_pairs, options, run), run);
  });
}

Array2<double> shepard_pairs(PointsView high, PointsView low, Index count, const QualityOptions& options,
                             const Run& run) {
  return reported_as("shepard_pairs", [&]() -> Array2<double> {
    check_rows(high, low, options, run);
    const DistancePairs pairs = distance_pairs(high, low, count, options, run);
    Array2<double> rows = Array2<double>::uninitialized(pairs.size(), 2);
    for (Index pair = 0; pair < rows.rows(); ++pair) {
      rows(pair, 0) = pairs.high[static_cast<std::size_t>(pair)] / pairs.high_factor;
      rows(pair, 1) = pairs.low[static_cast<std::size_t>(pair)] / pairs.low_factor;
    }
    require_finite(rows, "distances");
    return rows;
  });
}

}  // namespace unroll
