#include "spectral/bottleneck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace unroll {

std::optional<Warning> bottleneck_warning(double trivial_value, double norm, Index components, Index skipped,
                                          const std::vector<double>& values, std::string_view hint) {
  const Index trivial = skipped + std::count_if(values.begin(), values.end(), [&](double value) {
                          return std::abs(value - trivial_value) <= kTrivialRounding * norm;
                        });
  if (trivial <= components) return std::nullopt;
  return Warning{
      "nearly-disconnected",
      fmt::format("the graph nearly falls apart: {} eigenvalues are {:g} to rounding, more than its {} {} "
                  "for, and their vectors tell only which part a point is in",
                  trivial, trivial_value, counted(components, "component"), components == 1 ? "accounts" : "account"),
      std::string(hint)};
}

}  // namespace unroll
