#include "unroll/neighbors/intrinsic_dimension.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/parallel.h"

namespace unroll {
namespace {

/// What the distances of a point say: `ratios` numbers whose logarithms add up to `logs`, each exponentially
/// distributed with mean 1 / d.
struct Growth {
  Index ratios = 0;
  double logs = 0;

  Growth& operator+=(const Growth& other) {
    ratios += other.ratios;
    logs += other.logs;
    return *this;
  }
  double dimension() const { return logs > 0 ? static_cast<double>(ratios) / logs : 0; }
};

/// Of a point's distances, ascending, those that are not zero: log of the last one's ratio to each of the others. As
/// the logarithm of their product, while that is a number, as there is one for every edge.
Growth growth(std::span<const double> distances) {
  constexpr double kLarge = 1e150;
  Growth result{.ratios = static_cast<Index>(distances.size()) - 1};
  double product = 1;
  for (const double distance : distances.first(distances.size() - 1)) {
    const double ratio = distances.back() / distance;
    if (product * ratio > kLarge) result.logs += std::log(std::exchange(product, 1));
    product *= ratio;
  }
  result.logs += std::log(product);
  return result;
}

/// A point's distances to others that are not its duplicates.
std::span<const double> positive(std::span<const double> distances) {
  return {std::upper_bound(distances.begin(), distances.end(), 0.0), distances.end()};
}

/// -log(1 - F) = d log(mu) with F(i-th of N) = i / N; F = 1 would be infinite, and is among those left out.
double slope_through_origin(std::vector<double> logs) {
  std::sort(logs.begin(), logs.end());
  const auto count = static_cast<double>(logs.size());
  const auto kept = std::min(logs.size() - 1, static_cast<std::size_t>(0.9 * count));
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    products -= logs[i] * std::log1p(-static_cast<double>(i + 1) / count);
    squares += logs[i] * logs[i];
  }
  return squares > 0 ? products / squares : 0;
}

void add_warnings(IntrinsicDimension& result, const Growth& total, Index edges) {
  if (result.points_used == 0) {
    result.warnings.push_back({"no-dimension",
                               fmt::format("no point has two neighbors that are not its duplicates ({} of {} distances "
                                           "are 0): the intrinsic dimension is given as 0",
                                           result.zero_distances, edges),
                               "use more neighbors, or remove the duplicates"});
  } else if (total.logs == 0) {
    result.warnings.push_back({"no-dimension",
                               "all distances from each point are equal: the intrinsic dimension is given as 0",
                               "use more neighbors; points on a grid have no such dimension"});
  } else if (result.zero_distances > 0) {
    result.warnings.push_back({"duplicates",
                               fmt::format("{} of {} distances are 0 and were left out of the intrinsic dimension",
                                           result.zero_distances, edges),
                               "remove the duplicates"});
  }
}

}  // namespace

IntrinsicDimension intrinsic_dimension(const NeighborGraph& nearest) {
  IntrinsicDimension result;
  result.per_point.resize(static_cast<std::size_t>(nearest.size()));
  Growth total;
  double logs_of_two = 0;
  std::vector<double> ratios_of_two;
  for (Index i = 0; i < nearest.size(); ++i) {
    const auto distances = positive(nearest.distances_of(i));
    result.zero_distances += nearest.degree(i) - std::ssize(distances);
    if (distances.size() < 2) continue;
    ++result.points_used;
    const Growth here = growth(distances);
    result.per_point[static_cast<std::size_t>(i)] = here.dimension();
    total += here;
    ratios_of_two.push_back(std::log(distances[1] / distances[0]));
    logs_of_two += ratios_of_two.back();
  }
  result.maximum_likelihood = total.dimension();
  if (logs_of_two > 0) {
    result.two_nn_likelihood = static_cast<double>(result.points_used - 1) / logs_of_two;
    result.two_nn = slope_through_origin(std::move(ratios_of_two));
  }
  add_warnings(result, total, nearest.edges());
  return result;
}

double likely_dimension(const NeighborGraph& nearest, const Run& run) {
  constexpr Index kPoints = 2048;
  return parallel_reduce(
             run, nearest.size(), kPoints, Growth{},
             [&](Index begin, Index end) {
               Growth sum;
               for (Index i = begin; i < end; ++i)
                 if (const auto distances = positive(nearest.distances_of(i)); distances.size() >= 2)
                   sum += growth(distances);
               return sum;
             },
             [](Growth a, const Growth& b) { return a += b; })
      .dimension();
}

}  // namespace unroll
