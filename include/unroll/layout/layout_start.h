#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// Where the points of an optimised map are before the first iteration.
enum class LayoutStart {
  Auto,      ///< as the method says
  Pca,       ///< on the principal axes
  Spectral,  ///< eigenvectors of the graph of neighbours
  Random,    ///< normally distributed around one place
  Given,     ///< where Input::init says
};
constexpr auto enum_names(LayoutStart) {
  return std::array{Named{LayoutStart::Auto, "auto"}, Named{LayoutStart::Pca, "pca"},
                    Named{LayoutStart::Spectral, "spectral"}, Named{LayoutStart::Random, "random"},
                    Named{LayoutStart::Given, "given"}};
}

}  // namespace unroll
