#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// Mercer kernels k(x, y), with scikit-learn's names and formulas.
enum class Kernel {
  Linear,       ///< x.y
  Polynomial,   ///< (gamma x.y + coef0)^degree
  Rbf,          ///< exp(-gamma |x-y|^2)
  Sigmoid,      ///< tanh(gamma x.y + coef0); not positive semidefinite
  Laplacian,    ///< exp(-gamma |x-y|_1)
  Cosine,       ///< x.y / (|x| |y|), 0 for a row of zeros
  Precomputed,  ///< the input is the kernel matrix itself
};
constexpr auto enum_names(Kernel) {
  return std::array{
      Named{Kernel::Linear, "linear"},          Named{Kernel::Polynomial, "poly"},     Named{Kernel::Rbf, "rbf"},
      Named{Kernel::Sigmoid, "sigmoid"},        Named{Kernel::Laplacian, "laplacian"}, Named{Kernel::Cosine, "cosine"},
      Named{Kernel::Precomputed, "precomputed"}};
}

}  // namespace unroll
