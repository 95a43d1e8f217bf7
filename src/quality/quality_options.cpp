#include "unroll/core/option_field.h"
#include "unroll/quality/quality.h"

namespace unroll {

OptionFields QualityOptions::fields() {
  return {
      field<&QualityOptions::measures>(
          "measures", any_value(),
          "What to measure of the points and their coordinates alone: all, or these. Truth and labels add their own."),
      field<&QualityOptions::n_neighbors>("n_neighbors", at_least(1), "Size of the neighborhoods to compare."),
      field<&QualityOptions::metric>(
          "metric", any_value(),
          "How distance is measured between the points; between their coordinates it is Euclidean."),
      field<&QualityOptions::p>("p", at_least(1), "Power of the Minkowski metric."),
      field<&QualityOptions::scale>("scale", any_value(),
                                    "Feature scaling of the points, as the method that made the map had it."),
      field<&QualityOptions::max_points>(
          "max_points", at_least(100),
          "Points to take trustworthiness and continuity of. Left out, all of up to 50 000 points; beyond, as many as "
          "have 2.5 billion distances to others, but at least 1000."),
      field<&QualityOptions::rank_points>(
          "rank_points", at_least(100),
          "Points whose ranks of all others are compared, for r_nx_area. Left out, all of up to 10 000 points; beyond, "
          "as many as have 100 million distances to others, but at least 300."),
      field<&QualityOptions::max_pairs>(
          "max_pairs", between(100, 1e9),
          "Pairs of points to compare distances of: all, if there are no more, else a sample of this size."),
      field<&QualityOptions::random_state>("random_state", at_least(0), "Seed of the samples."),
  };
}

}  // namespace unroll
