#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// How the linear system of label propagation or spreading is solved.
enum class LabelSolver {
  Auto,       ///< by predicted cost
  Iterate,    ///< conjugate gradients
  Factorize,  ///< a sparse Cholesky factor: the closed form
};
constexpr auto enum_names(LabelSolver) {
  return std::array{Named{LabelSolver::Auto, "auto"}, Named{LabelSolver::Iterate, "iterate"},
                    Named{LabelSolver::Factorize, "factorize"}};
}

}  // namespace unroll
