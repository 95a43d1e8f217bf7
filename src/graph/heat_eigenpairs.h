#pragma once
#include "graph/heat_series.h"

namespace unroll {

/// exp(-t L) of the series' graph and time by all eigenpairs: O(n^3), whatever t is.
class HeatEigenpairs {
 public:
  HeatEigenpairs(const WeightedGraph& graph, const HeatSeries& series, const Run& run);

  Array2<double> kernel(const Run& run) const;
  /// Of L as a symmetric matrix, as HeatSeries has it.
  Array2<double> apply(const Array2<double>& f, const Run& run) const;

 private:
  const HeatSeries& series_;
  Array2<double> roots_;  ///< exp(-t lambda / 2) v, a row per eigenvector
  double constant_;       ///< what the space of the eigenvalue 0 lacks
};

}  // namespace unroll
