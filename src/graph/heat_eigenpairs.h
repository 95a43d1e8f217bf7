#pragma once
#include "graph/heat_series.h"

namespace unroll {

/// exp(-t L), for the graph and time of the series, from all eigenpairs: O(n^3) for any t.
class HeatEigenpairs {
 public:
  HeatEigenpairs(const WeightedGraph& graph, const HeatSeries& series, const Run& run);

  Array2<double> kernel(const Run& run) const;
  /// L is the symmetric matrix of HeatSeries.
  Array2<double> apply(const Array2<double>& f, const Run& run) const;

 private:
  const HeatSeries& series_;
  Array2<double> roots_;  ///< exp(-t lambda / 2) v, a row per eigenvector
  double constant_;       ///< 1 - exp(-t h): the share that the space of the eigenvalue 0 lacks
};

}  // namespace unroll
