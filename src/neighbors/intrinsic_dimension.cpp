#include "unroll/neighbors/intrinsic_dimension.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/at.h"
#include "core/parallel.h"
#include "neighbors/graph_findings.h"

namespace unroll {
namespace {

constexpr Index kPointsPerTask = 2048;  // at a time

/// The growth of a point's distances: `ratios` logarithms that sum to `logs`, each exponentially distributed with mean
/// 1 / d.
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

/// The logarithms of the ratios of the last of the distances (ascending, not zero) to each of the others. The ratios
/// are multiplied as long as the product is finite, to save a logarithm per edge.
Growth growth(std::span<const double> distances) {
  constexpr double kLargestProduct = 1e150;
  Growth result{.ratios = static_cast<Index>(distances.size()) - 1};
  double product = 1;
  for (const double distance : distances.first(distances.size() - 1)) {
    const double ratio = distances.back() / distance;
    if (product * ratio > kLargestProduct) result.logs += std::log(std::exchange(product, 1));
    product *= ratio;
  }
  result.logs += std::log(product);
  return result;
}

/// A point's distances to others that are not its duplicates.
std::span<const double> positive(std::span<const double> distances) {
  return {std::upper_bound(distances.begin(), distances.end(), 0.0), distances.end()};
}

/// Sorts pieces, then merges them in pairs.
std::vector<double> sorted(std::vector<double> values, const Run& run) {
  constexpr Index kPiece = Index{1} << 16;
  const auto n = std::ssize(values);
  parallel_for(run, n, kPiece,
               [&](Index begin, Index end) { std::sort(values.begin() + begin, values.begin() + end); });
  std::vector<double> merged(n > kPiece ? values.size() : 0);
  for (Index length = kPiece; length < n; length *= 2) {
    parallel_for(run, n, 2 * length, [&](Index begin, Index end) {
      const auto middle = values.begin() + std::min(end, begin + length);
      std::merge(values.begin() + begin, middle, middle, values.begin() + end, merged.begin() + begin);
    });
    values.swap(merged);
  }
  return values;
}

/// -log(1 - F) = d log(mu) with F(i-th of N) = i / N; F = 1 would give infinity, and is among the values left out.
double slope_through_origin(const std::vector<double>& logs, const Run& run) {
  const auto count = static_cast<double>(logs.size());
  const auto kept = std::min(std::ssize(logs) - 1, static_cast<Index>(0.9 * count));
  using Sums = std::pair<double, double>;  // of products and of squares
  const auto [products, squares] = parallel_reduce(
      run, kept, kPointsPerTask, Sums{},
      [&](Index begin, Index end) {
        Sums sums;
        for (Index i = begin; i < end; ++i) {
          const double here = logs[at(i)];
          sums.first -= here * std::log1p(-static_cast<double>(i + 1) / count);
          sums.second += here * here;
        }
        return sums;
      },
      [](const Sums& x, const Sums& y) {
        return Sums{x.first + y.first, x.second + y.second};
      });
  return squares > 0 ? products / squares : 0;
}

/// Sums over some points.
struct Said {
  Growth total;
  Index zero_distances = 0;
  double logs_of_two = 0;
  std::vector<double> ratios_of_two;  ///< logarithms of mu, one per point used
};

Said said_by(const NeighborGraph& nearest, Index begin, Index end, std::vector<double>& per_point) {
  Said result;
  for (Index i = begin; i < end; ++i) {
    const auto distances = positive(nearest.distances_of(i));
    result.zero_distances += nearest.degree(i) - std::ssize(distances);
    if (distances.size() < 2) continue;
    const Growth here = growth(distances);
    per_point[at(i)] = here.dimension();
    result.total += here;
    result.ratios_of_two.push_back(std::log(distances[1] / distances[0]));
    result.logs_of_two += result.ratios_of_two.back();
  }
  return result;
}

Said both(Said x, const Said& y) {
  x.total += y.total;
  x.zero_distances += y.zero_distances;
  x.logs_of_two += y.logs_of_two;
  x.ratios_of_two.insert(x.ratios_of_two.end(), y.ratios_of_two.begin(), y.ratios_of_two.end());
  return x;
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

IntrinsicDimension intrinsic_dimension(const NeighborGraph& nearest, const Run& run) {
  IntrinsicDimension result;
  result.per_point.resize(at(nearest.size()));
  Said all = parallel_reduce(
      run, nearest.size(), kPointsPerTask, Said{},
      [&](Index begin, Index end) { return said_by(nearest, begin, end, result.per_point); }, both);
  result.zero_distances = all.zero_distances;
  result.points_used = std::ssize(all.ratios_of_two);
  result.maximum_likelihood = all.total.dimension();
  if (all.logs_of_two > 0) {
    result.two_nn_likelihood = static_cast<double>(result.points_used - 1) / all.logs_of_two;
    result.two_nn = slope_through_origin(sorted(std::move(all.ratios_of_two), run), run);
  }
  add_warnings(result, all.total, nearest.edges());
  return result;
}

IntrinsicDimension intrinsic_dimension(const NeighborGraph& nearest) {
  return intrinsic_dimension(nearest, {.threads = 1});
}

double likely_dimension(const NeighborGraph& nearest, const Run& run) {
  return parallel_reduce(
             run, nearest.size(), kPointsPerTask, Growth{},
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
