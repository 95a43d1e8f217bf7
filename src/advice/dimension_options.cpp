#include "unroll/advice/dimension.h"
#include "unroll/core/option_field.h"

namespace unroll {

OptionFields DimensionOptions::fields() {
  using O = DimensionOptions;
  return {
      field<&O::n_neighbors>("n_neighbors", at_least(2),
                             "Neighbors per point; half, twice and four times as many are tried, too. Auto: 10."),
      field<&O::metric>("metric", any_value(),
                        "How distance is measured; precomputed: the input is a matrix of distances, full or sparse."),
      field<&O::p>("p", at_least(1), "Power of the Minkowski metric."),
      field<&O::neighbors_algorithm>("neighbors_algorithm", any_value(), "How to search neighbors."),
      field<&O::scale>("scale", any_value(), "Feature scaling before all estimates."),
      field<&O::random_state>("random_state", at_least(0), "Random seed, of samples."),
  };
}

}  // namespace unroll
