#include "layout/nonmetric_stress.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "layout/monotone_regression.h"
#include "simd/kernels.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

using OrderedPair = NonmetricStress::OrderedPair;

constexpr Index kPairsAtOnce = Index{1} << 15;

bool is_before(const OrderedPair& x, const OrderedPair& y) {
  return x.distance != y.distance ? x.distance < y.distance : x.entry < y.entry;
}

/// Sorts what was sorted before the map moved a little: by insertion, as long as that moves few pairs.
void sort_again(std::vector<OrderedPair>& pairs) {
  constexpr std::size_t kMovesPerPair = 8;
  std::size_t moves = kMovesPerPair * pairs.size();
  for (std::size_t k = 1; k < pairs.size(); ++k) {
    const OrderedPair next = pairs[k];
    std::size_t to = k;
    for (; to > 0 && is_before(next, pairs[to - 1]); --to) pairs[to] = pairs[to - 1];
    pairs[to] = next;
    if (k - to > moves) return std::sort(pairs.begin(), pairs.end(), is_before);
    moves -= k - to;
  }
}

/// Blocks are sorted, then merged two by two. No two pairs are equal, so there is one order.
void sort_pairs(std::vector<OrderedPair>& pairs, const Run& run) {
  const Index count = std::ssize(pairs);
  const auto place = [&](std::vector<OrderedPair>& all, Index k) { return all.begin() + std::min(k, count); };
  parallel_for(
      run, count, kPairsAtOnce,
      [&](Index begin, Index end) { std::sort(place(pairs, begin), place(pairs, end), is_before); },
      "sorting distances");
  if (count <= kPairsAtOnce) return;
  std::vector<OrderedPair> merged;
  resize_large(merged, pairs.size(), run);
  for (Index size = kPairsAtOnce; size < count; size *= 2) {
    parallel_for(
        run, count, 2 * size,
        [&](Index begin, Index end) {
          const auto middle = place(pairs, begin + size);
          std::merge(place(pairs, begin), middle, middle, place(pairs, end), place(merged, begin), is_before);
        },
        "sorting distances");
    pairs.swap(merged);
  }
}

std::vector<OrderedPair> ordered_pairs(Index n, const TargetTiles::Distance& distance, const Run& run) {
  const Index blocks = stress_blocks(n);
  std::vector<OrderedPair> pairs;
  resize_large(pairs, at(n * (n - 1) / 2), run);
  parallel_for(run, n, 1, [&](Index i, Index) {
    for (Index j = i + 1; j < n; ++j) {
      const Index a = i / simd::kStressBlock, b = j / simd::kStressBlock;
      const Index entry = stress_tile(blocks, a, b) * kStressTileSize + i % simd::kStressBlock * simd::kStressBlock +
                          j % simd::kStressBlock;
      pairs[at(i * n - i * (i + 1) / 2 + j - i - 1)] = {distance(i, j), static_cast<std::uint32_t>(entry)};
    }
  });
  sort_pairs(pairs, run);
  if (!std::isfinite(pairs.back().distance))
    throw Error(ErrorKind::InvalidData, "distances overflow (above 1.8e308)", "rescale the data, e.g. divide by 1024");
  return pairs;
}

}  // namespace

NonmetricStress::NonmetricStress(Index n, const TargetTiles::Distance& distance, bool ties_differ, const Run& run)
    : n_(n), ties_differ_(ties_differ), is_one_place_(false) {
  const Index blocks = stress_blocks(n), entries = (stress_tile(blocks, blocks - 1, blocks - 1) + 1) * kStressTileSize;
  if (entries > Index{std::numeric_limits<std::uint32_t>::max()})
    throw Error(ErrorKind::Unsupported, "there are more than 4e9 pairs of points",
                "use fewer points; where the input is points, n_landmarks=1000 does");
  set_order(ordered_pairs(n, distance, run));
  // The sum of r^2 of a normalised map is n^2; see FullStress.
  majorizer_.assign(at(n), 2 / static_cast<double>(n));
}

void NonmetricStress::set_order(const std::vector<OrderedPair>& pairs) {
  const auto is_new = [&](std::size_t k) { return k == 0 || pairs[k].distance != pairs[k - 1].distance; };
  std::size_t groups = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) groups += is_new(k) ? 1U : 0U;
  groups_.reserve(groups + 1);
  order_.reserve(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (is_new(k)) groups_.push_back(static_cast<std::uint32_t>(k));
    order_.push_back(pairs[k].entry);
  }
  groups_.push_back(static_cast<std::uint32_t>(pairs.size()));
  is_one_place_ = pairs.back().distance == 0;
}

void NonmetricStress::normalize(Array2<double>& map) const {
  const auto n = static_cast<double>(map.rows());
  double squares = 0, largest = 0;
  for (Index d = 0; d < map.cols(); ++d) {
    double mean = 0;
    for (Index i = 0; i < map.rows(); ++i) mean += map(i, d) / n;
    for (Index i = 0; i < map.rows(); ++i) map(i, d) -= mean, largest = std::max(largest, std::abs(map(i, d)));
  }
  if (largest == 0) return;
  // A given start may be in any unit.
  for (Index i = 0; i < map.size(); ++i) map.data()[i] /= largest, squares += map.data()[i] * map.data()[i];
  for (Index i = 0; i < map.size(); ++i) map.data()[i] /= std::sqrt(squares / n);
}

/// Equal distances take the order that they have in the map. Integer features have few distances, so that most pairs
/// are in long runs. Few runs are sorted at a time, since their lengths differ.
void NonmetricStress::order_ties_as_in_map(const Run& run) {
  constexpr Index kRunsAtOnce = 8;
  parallel_for(run, std::ssize(groups_) - 1, kRunsAtOnce, [&](Index begin, Index end) {
    std::vector<OrderedPair> ties;
    for (Index g = begin; g < end; ++g) {
      const std::size_t first = groups_[at(g)], last = groups_[at(g) + 1];
      ties.resize(last - first);
      for (std::size_t k = first; k < last; ++k) ties[k - first] = {tiles_[order_[k]], order_[k]};
      sort_again(ties);
      for (std::size_t k = first; k < last; ++k) {
        order_[k] = ties[k - first].entry;
        fitted_[k] = sorted_[k] = ties[k - first].distance;
      }
    }
  });
}

/// From the distances of the map in their order to the disparities.
void NonmetricStress::find_disparities(const Run& run) {
  const bool has_ties = groups_.size() <= order_.size();
  if (has_ties && ties_differ_) {
    order_ties_as_in_map(run);
  } else {
    parallel_for(run, std::ssize(order_), kPairsAtOnce, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) fitted_[at(k)] = sorted_[at(k)] = tiles_[order_[at(k)]];
    });
  }
  for (std::size_t g = 0; g + 1 < groups_.size() && has_ties && !ties_differ_; ++g) {
    const auto begin = fitted_.begin() + groups_[g], end = fitted_.begin() + groups_[g + 1];
    std::fill(begin, end, std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin));
  }
  monotone_regression(fitted_);
}

/// Takes the memory of a map's distances when the first map comes: before, ranks and their start need as much.
void NonmetricStress::prepare(const Run& run) {
  if (!tiles_.empty()) return;
  const Index blocks = stress_blocks(n_);
  std::uint32_t longest = 0;
  for (std::size_t g = 0; g + 1 < groups_.size(); ++g) longest = std::max(longest, groups_[g + 1] - groups_[g]);
  const auto pairs = static_cast<double>(order_.size());
  MemoryPlan plan;
  plan.add("the distances in the map", pairs, kBytesPerPair - 8, 1);
  if (ties_differ_ && longest > 1)
    plan.add("runs of equal distances", std::min(pairs, static_cast<double>(thread_count(run)) * longest),
             sizeof(OrderedPair), 1);
  plan.require(run, "use fewer points, or ties=secondary");
  resize_large(tiles_, at((stress_tile(blocks, blocks - 1, blocks - 1) + 1) * kStressTileSize), run);
  resize_large(sorted_, order_.size(), run);
  resize_large(fitted_, order_.size(), run);
}

double NonmetricStress::evaluate(const Array2<double>& map, Array2<double>& gradient, const Run& run) {
  prepare(run);
  const Index blocks = stress_blocks(n_);
  const BlockedMap places(map);
  BlockedMap forces(n_, map.cols());
  const auto points_in = [&](Index block) { return std::min(simd::kStressBlock, n_ - block * simd::kStressBlock); };
  const auto tile_at = [&](Index a, Index b) { return tiles_.data() + stress_tile(blocks, a, b) * kStressTileSize; };
  const auto both = [&](Index a, Index b) {
    return simd::StressPlaces{map.cols(), places.block(a), places.block(b), forces.block(a), forces.block(b)};
  };
  for_block_pairs(blocks, run, {}, [&](Index a, Index b) {
    simd::kernels().stress.distances(both(a, b), points_in(a), points_in(b), tile_at(a, b));
  });
  find_disparities(run);
  using Sums = std::pair<double, double>;
  const Sums sums = parallel_reduce(
      run, std::ssize(order_), kPairsAtOnce, Sums{},
      [&](Index begin, Index end) {
        Sums own{};
        for (Index k = begin; k < end; ++k) {
          const double r = sorted_[at(k)], d = fitted_[at(k)];
          own.first += (r - d) * (r - d), own.second += r * r;
          tiles_[order_[at(k)]] = d;
        }
        return own;
      },
      [](const Sums& a, const Sums& b) {
        return Sums{a.first + b.first, a.second + b.second};
      });
  const double squares = sums.second > 0 ? sums.second : 1, value = sums.first / squares;
  // With S the value and T the sum of r^2, its gradient is 2 / T times the sum of ((1 - S) - d / r) (y_i - y_j).
  for_block_pairs(blocks, run, {}, [&](Index a, Index b) {
    const simd::StressTile<double> tile{tile_at(a, b), points_in(a), points_in(b), a == b, 0};
    simd::kernels().stress.add_forces_f64(tile, 1 - value, both(a, b));
  });
  forces.unpack(2 / squares, gradient);
  return value;
}

std::pair<Index, Index> NonmetricStress::pair_at(std::uint32_t entry) const {
  const Index blocks = stress_blocks(n_), within = Index{entry} % kStressTileSize;
  Index tile = Index{entry} / kStressTileSize, a = 0;
  for (; tile >= blocks - a; ++a) tile -= blocks - a;
  return {a * simd::kStressBlock + within / simd::kStressBlock,
          (a + tile) * simd::kStressBlock + within % simd::kStressBlock};
}

Array2<double> NonmetricStress::ranks() const {
  Array2<double> result(n_, n_);
  for (std::size_t g = 0; g + 1 < groups_.size(); ++g) {
    const double rank =
        is_one_place_ ? 0 : 0.5 * (static_cast<double>(groups_[g]) + static_cast<double>(groups_[g + 1]) + 1);
    for (std::size_t k = groups_[g]; k < groups_[g + 1]; ++k) {
      const auto ends = pair_at(order_[k]);
      result(ends.first, ends.second) = result(ends.second, ends.first) = rank;
    }
  }
  return result;
}

std::pair<std::vector<double>, std::vector<double>> NonmetricStress::corners(
    const TargetTiles::Distance& distance) const {
  constexpr std::size_t kMostCorners = 1000;
  const std::size_t groups = groups_.size() - 1, step = std::max<std::size_t>(1, groups / kMostCorners);
  std::vector<double> distances, disparities;
  for (std::size_t g = 0; g < groups; g = g + step < groups || g + 1 == groups ? g + step : groups - 1) {
    double sum = 0;
    for (std::size_t k = groups_[g]; k < groups_[g + 1]; ++k) sum += fitted_[k];
    const auto ends = pair_at(order_[groups_[g]]);
    distances.push_back(distance(ends.first, ends.second));
    disparities.push_back(sum / static_cast<double>(groups_[g + 1] - groups_[g]));
    if (disparities.size() > 1)  // the mean of equal numbers may be rounded down
      disparities.back() = std::max(disparities.back(), disparities[disparities.size() - 2]);
  }
  return {std::move(distances), std::move(disparities)};
}

}  // namespace unroll
