#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// How the forces between all pairs of points of a map are found.
enum class PairForces {
  Auto,   ///< exact for few points, then fft in one or two dimensions; in more dimensions tree, if the method has it
  Exact,  ///< all pairs
  Fft,    ///< interpolated on a grid; one or two dimensions
  Tree,   ///< groups of far points act as one (Barnes & Hut)
};
constexpr auto enum_names(PairForces) {
  return std::array{Named{PairForces::Auto, "auto"}, Named{PairForces::Exact, "exact"}, Named{PairForces::Fft, "fft"},
                    Named{PairForces::Tree, "tree"}};
}

}  // namespace unroll
