#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// What is done to the features before a method sees them: step 1 of the general algorithm, an option of every method.
enum class Scaling { None, Center, Standardize, MinMax, UnitRows };
constexpr auto enum_names(Scaling) {
  return std::array{Named{Scaling::None, "none"}, Named{Scaling::Center, "center"},
                    Named{Scaling::Standardize, "standardize"}, Named{Scaling::MinMax, "minmax"},
                    Named{Scaling::UnitRows, "unit_rows"}};
}

}  // namespace unroll
