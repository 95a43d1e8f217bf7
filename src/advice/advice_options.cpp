#include "unroll/advice/advise.h"
#include "unroll/core/option_field.h"

namespace unroll {

OptionFields AdviceOptions::fields() {
  using O = AdviceOptions;
  return {
      field<&O::methods>("methods", any_value(), "Some instead of the usual ones, with options: pca,isomap:k=20."),
      field<&O::n_components>("n_components", at_least(1), "Coordinates of the map."),
      field<&O::metric>("metric", any_value(),
                        "How distance is measured; precomputed: the input is a full matrix of distances."),
      field<&O::p>("p", at_least(1), "Power of the Minkowski metric."),
      field<&O::scale>("scale", any_value(), "Feature scaling before every method and every measure."),
      field<&O::max_points>("max_points", at_least(100), "Points to try on: all, if there are no more, else a sample."),
      field<&O::random_state>("random_state", at_least(0), "Random seed."),
  };
}

}  // namespace unroll
