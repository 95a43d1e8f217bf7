#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// How the principal axes of n points with D features are computed.
enum class AxesSolver { Auto, Covariance, Gram, Randomized };
constexpr auto enum_names(AxesSolver) {
  return std::array{Named{AxesSolver::Auto, "auto"}, Named{AxesSolver::Covariance, "covariance"},
                    Named{AxesSolver::Gram, "gram"}, Named{AxesSolver::Randomized, "randomized"}};
}

}  // namespace unroll
