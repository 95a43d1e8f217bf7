#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// What the features are to the first restricted Boltzmann machine, and to the last layer of the decoder.
enum class VisibleUnits {
  Auto,      ///< binary if all values are between 0 and 1
  Binary,    ///< probabilities: the values are brought to [0, 1] by one map for all features; the decoder ends in
             ///< sigmoids
  Gaussian,  ///< numbers with noise of variance 1, after one scaling for all features; the decoder ends linearly
};
constexpr auto enum_names(VisibleUnits) {
  return std::array{Named{VisibleUnits::Auto, "auto"}, Named{VisibleUnits::Binary, "binary"},
                    Named{VisibleUnits::Gaussian, "gaussian"}};
}

}  // namespace unroll
