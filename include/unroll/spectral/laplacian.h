#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// Laplacians of a graph with weights W and degrees D.
enum class Laplacian {
  RandomWalk,    ///< I - D^-1 W: L u = lambda D u
  Symmetric,     ///< I - D^-1/2 W D^-1/2
  Unnormalized,  ///< D - W
};
constexpr auto enum_names(Laplacian) {
  return std::array{Named{Laplacian::RandomWalk, "random_walk"}, Named{Laplacian::Symmetric, "symmetric"},
                    Named{Laplacian::Unnormalized, "unnormalized"}};
}

}  // namespace unroll
