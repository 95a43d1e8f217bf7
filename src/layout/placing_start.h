#pragma once
#include <span>
#include <vector>

#include "layout/small_descent.h"
#include "unroll/core/types.h"

namespace unroll {

/// Places a point in a fixed map: descends `objective` from the better of two places, the weighted mean of its
/// neighbours and the nearest of them.
template <class Objective>
std::vector<double> placed(const Array2<double>& map, std::span<const Index> nearest, std::span<const double> weights,
                           const Objective& objective) {
  constexpr int kMostSteps = 100;
  constexpr double kTolerance = 1e-6;  // in units of the map
  const auto dims = static_cast<std::size_t>(map.cols());
  std::vector<double> mean(dims), slope(dims);
  for (std::size_t e = 0; e < nearest.size(); ++e)
    for (std::size_t d = 0; d < dims; ++d) mean[d] += weights[e] * map(nearest[e], static_cast<Index>(d));
  std::vector<double> first(map.row(nearest.front()), map.row(nearest.front()) + dims);
  std::vector<double>& best = objective(mean, slope) <= objective(first, slope) ? mean : first;
  descend(objective, best, kMostSteps, kTolerance);
  return best;
}

}  // namespace unroll
