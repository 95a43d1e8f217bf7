#include "unroll/core/option_field.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

OptionFields NeighborOptions::fields() {
  return {
      field<&NeighborOptions::n_neighbors>("n_neighbors", at_least(1),
                                           "Nearest points to keep for each point. Auto: 10, or all within the radius, "
                                           "or all entries of a sparse matrix."),
      field<&NeighborOptions::radius>("radius", at_least(0), "Keep points up to this distance only."),
      field<&NeighborOptions::metric>("metric", any_value(), "How distance is measured."),
      field<&NeighborOptions::p>("p", at_least(1), "Power of the Minkowski metric."),
      field<&NeighborOptions::algorithm>("algorithm", any_value(),
                                         "How to search. All but approximate give the same, exact neighbors."),
      field<&NeighborOptions::recall>(
          "recall", between(0.5, 1),
          "Share of the true neighbors that the approximate search aims at; what it reached is reported."),
      field<&NeighborOptions::random_state>("random_state", at_least(0), "Seed of the approximate search."),
  };
}

}  // namespace unroll
