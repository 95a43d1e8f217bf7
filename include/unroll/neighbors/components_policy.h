#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// What becomes of a neighbour graph that falls into several components.
enum class ComponentsPolicy {
  Connect,   ///< the shortest edges that join them are added
  Separate,  ///< each is embedded on its own, and the maps are put side by side
  Keep,      ///< the graph stays as it is
  Error,
};
constexpr auto enum_names(ComponentsPolicy) {
  return std::array{Named{ComponentsPolicy::Connect, "connect"}, Named{ComponentsPolicy::Separate, "separate"},
                    Named{ComponentsPolicy::Keep, "keep"}, Named{ComponentsPolicy::Error, "error"}};
}

}  // namespace unroll
