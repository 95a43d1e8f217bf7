#include "unroll/core/option_field.h"
#include "unroll/report/comparison.h"

namespace unroll {

OptionFields ComparisonOptions::fields() {
  using O = ComparisonOptions;
  return {
      field<&O::methods>("methods", any_value(), "Some instead of all, with options: pca,isomap:k=20."),
      field<&O::n_components>("n_components", at_least(1), "Coordinates; two are drawn."),
      field<&O::n_neighbors>("n_neighbors", at_least(1), "Neighbors per point; of several, a run for each."),
      field<&O::quality_neighbors>("quality_neighbors", at_least(1),
                                   "Neighbors per point in the measures, the same for all maps; fewer if there are few "
                                   "points."),
      field<&O::n_clusters>(
          "n_clusters", at_least(1),
          "Clusters to find. Auto: as many as labels, if these are at most 40 and of 5 points each; else the method's "
          "default."),
      field<&O::metric>("metric", any_value(),
                        "How distance is measured; precomputed: the input is a full matrix of distances."),
      field<&O::p>("p", at_least(1), "Power of the Minkowski metric."),
      field<&O::scale>("scale", any_value(), "Feature scaling before every method and every measure."),
      field<&O::max_points>(
          "max_points", at_least(100),
          "Points to measure trustworthiness and continuity on: all, if there are no more, else a sample."),
      field<&O::n_eigenvalues>(
          "n_eigenvalues", at_least(1),
          "Eigenvalues to find of methods whose maps are nested. Auto: 10 for a page of up to 5000 "
          "points; else as many as coordinates."),
      field<&O::random_state>("random_state", at_least(0), "Random seed."),
  };
}

}  // namespace unroll
