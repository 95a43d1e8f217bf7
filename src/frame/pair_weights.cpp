#include "frame/pair_weights.h"

#include <fmt/format.h>

#include "core/parallel.h"
#include "data/validate.h"
#include "neighbors/asymmetry.h"
#include "neighbors/given_distances.h"
#include "unroll/core/error.h"

namespace unroll {

void check_pair_weights(PointsView weights, Index n, const Run& run) {
  if (weights.rows() != n || weights.cols() != n)
    throw Error(ErrorKind::InvalidData,
                fmt::format("the weights of pairs have {} rows and {} columns, but there are {} points", weights.rows(),
                            weights.cols(), n),
                "give one row and one column per point");
  check_points(weights, 1, run, "weights");
  constexpr Index kRows = 16;
  const auto worst_of = [n](const auto& w, Index begin, Index end) {
    Asymmetry worst;
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < n; ++j) {
        if (w(i, j) < 0)
          throw Error(ErrorKind::InvalidData, fmt::format("the weight of points {} and {} is {}, below 0", i + 1, j + 1,
                                                          static_cast<double>(w(i, j))));
        worst.compare(i, j, static_cast<double>(w(i, j)), static_cast<double>(w(j, i)));
      }
    return worst;
  };
  const Asymmetry worst = weights.visit([&](auto w) {
    return parallel_reduce(
        run, n, kRows, Asymmetry{}, [&](Index begin, Index end) { return worst_of(w, begin, end); },
        [](const Asymmetry& before, const Asymmetry& next) { return before.or_later(next); });
  });
  if (!worst.is_rounding(weights.is_float()))
    throw Error(ErrorKind::InvalidData,
                fmt::format("the weight of points {} and {} is {}, but {} the other way: the array must be symmetric",
                            worst.row + 1, worst.col + 1, worst.there, worst.back));
}

double pair_weight(PointsView weights, Index i, Index j) {
  return weights.visit([&](auto w) { return given_distance(w, i, j); });
}

}  // namespace unroll
