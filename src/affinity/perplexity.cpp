#include "affinity/perplexity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "affinity/sparse_join.h"
#include "core/at.h"
#include "core/parallel.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

/// The weight of the nearest ones alone: the limit of large beta.
void share_among_nearest(std::span<const double> excess, std::span<double> weights) {
  const auto nearest = static_cast<double>(std::count(excess.begin(), excess.end(), 0.0));
  for (std::size_t j = 0; j < excess.size(); ++j) weights[j] = excess[j] == 0 ? 1 / nearest : 0;
}

/// d_j^2 - d_0^2, in a unit near the distance number `pivot`: the weights do not depend on the unit, and neither 1e300
/// nor 1e-300 overflows or vanishes. Distances beyond kFar of these units, which have no weight, count as kFar. False:
/// all distances are equal.
bool squared_excess(std::span<const double> distances, std::size_t pivot, std::span<double> excess) {
  constexpr double kFar = 1e70;
  const double unit = distances[pivot] > 0 ? distances[pivot] : distances.back();
  int exponent = 0;
  std::frexp(unit, &exponent);
  const auto scaled = [&](double distance) { return std::min(std::ldexp(distance, -exponent), kFar); };
  const double nearest = scaled(distances.front());
  for (std::size_t j = 0; j < distances.size(); ++j) {
    const double own = scaled(distances[j]);
    excess[j] = (own - nearest) * (own + nearest);
  }
  return excess.back() > 0;
}

}  // namespace

void perplexity_weights(std::span<const double> distances, double perplexity, std::span<double> weights) {
  constexpr int kMostSteps = 200;
  constexpr double kTolerance = 1e-12;  // of the entropy
  const auto n = static_cast<double>(distances.size());
  if (distances.empty()) return;
  std::vector<double> excess(distances.size());
  const std::size_t pivot = std::min(distances.size() - 1, static_cast<std::size_t>(std::min(perplexity, n)));
  const bool differ = squared_excess(distances, pivot, excess);
  if (!differ || perplexity >= n) return std::fill(weights.begin(), weights.end(), 1 / n);
  const double target = std::log(std::max(perplexity, 1.0));
  const auto nearest = static_cast<double>(std::count(excess.begin(), excess.end(), 0.0));
  if (target <= std::log(nearest)) return share_among_nearest(excess, weights);
  // H(beta) falls from log n to log `nearest`. Newton's step for log beta, dH / d log beta = -beta^2 var(excess),
  // within a bracket that every look narrows.
  double low = 0, high = std::numeric_limits<double>::infinity();
  double beta = 1 / (excess[pivot] > 0 ? excess[pivot] : excess.back());
  const auto& kernels = simd::kernels().layouts;
  for (int step = 0; step < kMostSteps; ++step) {
    const simd::ExpSums sums = kernels.exp_weights(excess.data(), std::ssize(excess), beta, weights.data());
    const double mean = sums.first / sums.zeroth;
    const double entropy = std::log(sums.zeroth) + beta * mean;
    const double over = entropy - target;
    if (std::abs(over) <= kTolerance * std::max(1.0, target)) break;
    (over > 0 ? low : high) = beta;
    const double slope = beta * beta * (sums.second / sums.zeroth - mean * mean);
    double next = beta * std::exp(std::clamp(over / slope, -4.0, 4.0));
    if (!(next > low && next < high)) next = std::isinf(high) ? 2 * low : low + (high - low) / 2;
    if (next == beta || std::isinf(next)) break;
    beta = next;
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
}

std::vector<double> conditional_probabilities(const NeighborGraph& nearest, const AffinityRule& rule, const Run& run) {
  constexpr Index kRows = 256;
  std::vector<double> result(nearest.neighbors.size());
  parallel_for(
      run, nearest.size(), kRows,
      [&](Index begin, Index end) {
        std::vector<double> one;
        for (Index i = begin; i < end; ++i) {
          const auto distances = nearest.distances_of(i);
          const std::span<double> own(result.data() + nearest.offsets[at(i)], distances.size());
          if (rule.is_uniform) {
            std::fill(own.begin(), own.end(), 1 / static_cast<double>(own.size()));
            continue;
          }
          one.resize(own.size());
          for (const double perplexity : rule.perplexities) {
            perplexity_weights(distances, perplexity, one);
            for (std::size_t j = 0; j < own.size(); ++j)
              own[j] += one[j] / static_cast<double>(rule.perplexities.size());
          }
        }
      },
      "calibrating neighborhoods");
  return result;
}

SparseMatrix joint_probabilities(const NeighborGraph& nearest, const std::vector<double>& conditional, const Run& run) {
  Index with_neighbors = 0;
  for (Index i = 0; i < nearest.size(); ++i) with_neighbors += nearest.degree(i) > 0 ? 1 : 0;
  const double share = 0.5 / static_cast<double>(std::max<Index>(with_neighbors, 1));
  const SparseMatrix p = edge_matrix(nearest, conditional, run);
  const auto mean = [&](const double* own, const double* other) { return (value_of(own) + value_of(other)) * share; };
  return joined(p, transposed(p, run), mean, run);
}

}  // namespace unroll
