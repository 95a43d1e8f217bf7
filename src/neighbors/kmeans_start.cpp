#include "neighbors/kmeans_start.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/parallel.h"
#include "neighbors/center_search.h"

namespace unroll {
namespace {

constexpr Index kGrain = 256;

/// Squared distances from every point to its nearest center, times its weight, with their sums over blocks.
class Potential {
 public:
  explicit Potential(Index n, std::span<const double> weights = {})
      : weights_(weights),
        nearest_(static_cast<std::size_t>(n), std::numeric_limits<double>::infinity()),
        sums_(static_cast<std::size_t>(block_count(n, kGrain))) {}

  double total() const { return std::accumulate(sums_.begin(), sums_.end(), 0.0); }

  /// The potential with one more center.
  Potential with(const CenteredPoints& z, const double* center, const Run& run) const {
    Potential result = *this;
    parallel_for(run, z.rows(), kGrain, [&](Index begin, Index end) {
      Array2<double> rows = Array2<double>::uninitialized(end - begin, z.cols());
      z.pack(begin, end - begin, rows.data());
      double sum = 0;
      for (Index i = begin; i < end; ++i) {
        double& nearest = result.nearest_[static_cast<std::size_t>(i)];
        const double distance = squared_distance(rows.row(i - begin), center, z.cols());
        nearest = std::min(nearest, weights_.empty() ? distance : weights_[static_cast<std::size_t>(i)] * distance);
        sum += nearest;
      }
      result.sums_[static_cast<std::size_t>(begin / kGrain)] = sum;
    });
    return result;
  }

  /// The point where the running sum of weighted squared distances passes `target`.
  Index point_at(double target) const {
    std::size_t block = 0;
    for (; block + 1 < sums_.size() && target >= sums_[block]; ++block) target -= sums_[block];
    const std::size_t begin = block * kGrain, end = std::min(nearest_.size(), begin + kGrain);
    std::size_t last = begin;  // rounding may leave a target above all sums
    for (std::size_t i = begin; i < end; ++i) {
      if (nearest_[i] == 0) continue;
      last = i;
      if (target < nearest_[i]) break;
      target -= nearest_[i];
    }
    return static_cast<Index>(last);
  }

 private:
  std::span<const double> weights_;
  std::vector<double> nearest_;
  std::vector<double> sums_;
};

/// A point drawn with a probability proportional to its weight.
Index first_center(Index n, std::span<const double> weights, const Random& random, std::uint64_t draw) {
  if (weights.empty()) return static_cast<Index>(random.below(static_cast<std::uint64_t>(n), draw));
  double target = random.uniform(draw) * std::accumulate(weights.begin(), weights.end(), 0.0);
  Index last = 0;  // rounding may leave a target above all sums
  for (Index i = 0; i < n; ++i) {
    const double weight = weights[static_cast<std::size_t>(i)];
    if (weight == 0) continue;
    last = i;
    if (target < weight) break;
    target -= weight;
  }
  return last;
}

}  // namespace

Array2<double> kmeans_start(const CenteredPoints& z, Index count, const Random& random, Index attempt, const Run& run,
                            std::span<const double> weights) {
  const auto trials = 2 + static_cast<std::uint64_t>(std::log(static_cast<double>(count)));
  const auto draw = static_cast<std::uint64_t>(attempt * count);
  Array2<double> centers(count, z.cols());
  z.pack(first_center(z.rows(), weights, random, draw), 1, centers.row(0));
  Potential potential = Potential(z.rows(), weights).with(z, centers.row(0), run);
  std::vector<double> candidate(static_cast<std::size_t>(z.cols()));
  for (Index c = 1; c < count; ++c) {
    const double total = potential.total();
    if (total == 0) {  // every point is a center already
      std::copy_n(centers.row(0), z.cols(), centers.row(c));
      continue;
    }
    Potential best(0);
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
      const double target = total * random.uniform(draw + static_cast<std::uint64_t>(c), trial);
      z.pack(potential.point_at(target), 1, candidate.data());
      Potential with_candidate = potential.with(z, candidate.data(), run);
      if (trial > 0 && with_candidate.total() >= best.total()) continue;
      best = std::move(with_candidate);
      std::copy(candidate.begin(), candidate.end(), centers.row(c));
    }
    potential = std::move(best);
    run.check_cancelled();
  }
  return centers;
}

}  // namespace unroll
