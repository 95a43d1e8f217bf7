#include "unroll/core/option_field.h"
#include "unroll/neighbors/kmeans.h"

namespace unroll {

OptionFields KMeansOptions::fields() {
  return {
      field<&KMeansOptions::n_clusters>("n_clusters", at_least(1), "Clusters to find."),
      field<&KMeansOptions::n_init>("n_init", at_least(1), "Starts to try; the best result counts."),
      field<&KMeansOptions::max_iter>("max_iter", at_least(1), "Iterations per start, at most."),
      field<&KMeansOptions::tol>(
          "tol", at_least(0),
          "Stop when the centers' squared shifts add up to less than this times the mean variance of a feature."),
      field<&KMeansOptions::random_state>("random_state", at_least(0), "Seed of the starts."),
  };
}

}  // namespace unroll
