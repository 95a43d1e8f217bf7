#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/options.h"
#include "unroll/data/scaling.h"
#include "unroll/neighbors/neighbors.h"

/// What is measured of an embedding, and how.
namespace unroll {

enum class QualityMeasure { Trustworthiness, Continuity, NeighborPreservation, CoRanking, DistanceCorrelation, Stress };
constexpr auto enum_names(QualityMeasure) {
  return std::array{Named{QualityMeasure::Trustworthiness, "trustworthiness"},
                    Named{QualityMeasure::Continuity, "continuity"},
                    Named{QualityMeasure::NeighborPreservation, "neighbor_preservation"},
                    Named{QualityMeasure::CoRanking, "co_ranking"},
                    Named{QualityMeasure::DistanceCorrelation, "distance_correlation"},
                    Named{QualityMeasure::Stress, "stress"}};
}

struct QualityOptions {
  static constexpr std::string_view method_name = "quality";

  std::vector<QualityMeasure> measures = {};  ///< none: all
  std::int64_t n_neighbors = 10;
  Metric metric = Metric::Euclidean;
  double p = 2;
  Scaling scale = Scaling::None;  ///< of the features of `high`: as the method that made the map has scaled them
  std::optional<std::int64_t> max_points = {};
  std::optional<std::int64_t> rank_points = {};
  std::int64_t max_pairs = 1'000'000;
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

}  // namespace unroll
