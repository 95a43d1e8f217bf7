#include "affinity/fuzzy_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "affinity/sparse_join.h"
#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "neighbors/input_neighbors.h"

namespace unroll {
namespace {

constexpr Index kFuzzyRows = 512;  // per block of work

/// The distance up to which neighbours belong to a point for sure. Copies of the point, at distance 0, do not count.
double sure_distance(std::span<const double> nearest, double local_connectivity) {
  const auto first = static_cast<std::size_t>(std::upper_bound(nearest.begin(), nearest.end(), 0.0) - nearest.begin());
  const std::span<const double> apart = nearest.subspan(first);
  if (apart.empty()) return 0;
  if (static_cast<double>(apart.size()) < local_connectivity) return apart.back();
  const double whole = std::floor(local_connectivity);
  const double part = local_connectivity - whole;
  const auto index = static_cast<std::size_t>(whole);
  if (index == 0) return part * apart[0];
  const double below = apart[index - 1];
  return part > 0 && index < apart.size() ? below + part * (apart[index] - below) : below;
}

/// sum exp(-max(0, d - rho) / sigma) and its derivative by log(sigma).
struct MembershipSum {
  double value = 0;
  double slope = 0;
};
MembershipSum membership_sum(std::span<const double> nearest, double rho, double sigma) {
  MembershipSum sum;
  for (const double distance : nearest) {
    const double excess = std::max(0.0, distance - rho) / sigma;
    const double e = std::exp(-excess);
    sum.value += e;
    sum.slope += e * excess;
  }
  return sum;
}

/// The sigma for which memberships sum to `target`: Newton's steps on its logarithm, halving where they leave the
/// interval that holds the solution. 0 if all sigma give more.
double solve_sigma(std::span<const double> nearest, double rho, double target) {
  constexpr int kMostSteps = 100;
  constexpr double kTolerance = 1e-12;
  const double farthest = nearest.back() - rho;
  const auto sure = std::count_if(nearest.begin(), nearest.end(), [&](double d) { return d <= rho; });
  if (!(farthest > 0) || static_cast<double>(sure) >= target) return 0;
  double low = 0;  // of sigma / farthest
  double high = std::numeric_limits<double>::infinity();
  double sigma = 0.5;
  for (int step = 0; step < kMostSteps; ++step) {
    const MembershipSum sum = membership_sum(nearest, rho, sigma * farthest);
    if (std::abs(sum.value - target) <= kTolerance * target) break;
    (sum.value > target ? high : low) = sigma;
    constexpr double kLargest = 0x1p64;  // nearly all memberships are 1 there
    if (low >= kLargest) break;
    const double newton = sum.slope > 0 ? sigma * std::exp((target - sum.value) / sum.slope) : 0;
    const double middle = std::isinf(high) ? 2 * sigma : low + (high - low) / 2;
    const double most = std::isinf(high) ? 8 * sigma : high;
    sigma = newton > low && newton < most ? newton : middle;
  }
  return sigma * farthest;
}

/// Distances times this power of two are neither too large nor too small for sums.
double unit_of(const NeighborGraph& graph) {
  const double largest =
      graph.distances.empty() ? 0 : *std::max_element(graph.distances.begin(), graph.distances.end());
  return largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1;
}

}  // namespace

Neighbors fuzzy_neighbors(const Input& input, const NeighborOptions& search, const Run& run) {
  constexpr double kEntryBytes = 96;  // of the memberships, their transpose, the graph and the optimiser's edges
  const auto n = static_cast<double>(input.size());
  const double k = input.is_sparse() ? static_cast<double>(input.sparse().values.size()) / std::max(n, 1.0)
                                     : static_cast<double>(*search.n_neighbors);
  MemoryPlan().add("the fuzzy graph", n, k, kEntryBytes).require(run, "use a smaller n_neighbors, or fewer points");
  return input_neighbors(input, search, run);
}

double membership(const SmoothDistance& of, double distance) {
  const double excess = distance - of.rho;
  return excess > 0 && of.sigma > 0 ? std::exp(-excess / of.sigma) : 1;
}

SmoothDistance smooth_distance(std::span<const double> nearest, double local_connectivity, double mean) {
  constexpr double kLeastShare = 1e-3;  // of the mean distance, for sigma
  if (nearest.empty()) return {};
  SmoothDistance result{.rho = sure_distance(nearest, local_connectivity)};
  const double count = static_cast<double>(nearest.size()) + 1;  // with the point itself
  result.sigma = solve_sigma(nearest, result.rho, std::log2(count));
  const double own_mean = std::accumulate(nearest.begin(), nearest.end(), 0.0) / count;
  result.sigma = std::max(result.sigma, kLeastShare * (result.rho > 0 ? own_mean : mean));
  return result;
}

SmoothDistances smooth_distances(const NeighborGraph& nearest, double local_connectivity, const Run& run) {
  const Index n = nearest.size();
  SmoothDistances result{.rho = std::vector<double>(at(n)), .sigma = std::vector<double>(at(n))};
  result.unit = unit_of(nearest);
  const double sum = parallel_reduce(
      run, nearest.edges(), 1 << 16, 0.0,
      [&](Index begin, Index end) {
        double part = 0;
        for (Index e = begin; e < end; ++e) part += result.unit * nearest.distances[at(e)];
        return part;
      },
      std::plus<>());
  result.mean = n > 0 ? sum / static_cast<double>(nearest.edges() + n) : 0;
  parallel_for(run, n, kFuzzyRows, [&](Index begin, Index end) {
    std::vector<double> row;
    for (Index i = begin; i < end; ++i) {
      row.assign(nearest.distances_of(i).begin(), nearest.distances_of(i).end());
      for (double& distance : row) distance *= result.unit;
      const SmoothDistance of = smooth_distance(row, local_connectivity, result.mean);
      result.rho[at(i)] = of.rho;
      result.sigma[at(i)] = of.sigma;
    }
  });
  return result;
}

SparseMatrix memberships(const NeighborGraph& nearest, const SmoothDistances& smooth, const Run& run) {
  std::vector<double> values;
  resize_large(values, at(nearest.edges()), run);
  parallel_for(run, nearest.size(), kFuzzyRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const SmoothDistance of{smooth.rho[at(i)], smooth.sigma[at(i)]};
      for (Index e = nearest.offsets[at(i)]; e < nearest.offsets[at(i) + 1]; ++e)
        values[at(e)] = membership(of, smooth.unit * nearest.distances[at(e)]);
    }
  });
  return edge_matrix(nearest, values, run);
}

SparseMatrix fuzzy_union(const SparseMatrix& a, double mix_ratio, const Run& run) {
  const auto joins = [&](const double* own, const double* other) {
    const double x = value_of(own), y = value_of(other), both = x * y;
    return mix_ratio * (x + y - both) + (1 - mix_ratio) * both;
  };
  return joined(a, transposed(a, run), joins, run);
}

SparseMatrix fuzzy_set(const NeighborGraph& nearest, const FuzzyOptions& options, const Run& run) {
  const SmoothDistances smooth = smooth_distances(nearest, options.local_connectivity, run);
  return fuzzy_union(memberships(nearest, smooth, run), options.set_op_mix_ratio, run);
}

}  // namespace unroll
