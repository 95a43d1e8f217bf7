#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// How landmarks are chosen: the points that stand for all.
enum class LandmarkChoice {
  MaxMin,  ///< each as far as possible from those before it, among a random sample of 50 per landmark
  Random,  ///< every subset equally likely
  KMeans,  ///< the points nearest to the centers of k-means
};
constexpr auto enum_names(LandmarkChoice) {
  return std::array{Named{LandmarkChoice::MaxMin, "maxmin"}, Named{LandmarkChoice::Random, "random"},
                    Named{LandmarkChoice::KMeans, "kmeans"}};
}

}  // namespace unroll
