#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/matrices.h"
#include "unroll/core/error.h"
#include "unroll/registry.h"

/// The property tests loop over the registry: a method is held to what it declares the day it is added.
namespace unroll {

class EveryMethod : public testing::TestWithParam<std::string> {
 protected:
  const Method& method() const { return find_method(GetParam()); }

  /// Points of moderate size that every method can embed: a noisy curved sheet in four dimensions.
  static Array2<double> points(Index n = 60, std::uint64_t seed = 0) {
    const Random random(seed, "property points");
    Array2<double> x(n, 4);
    for (Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::uint64_t>(i);
      const double u = 3 * random.uniform(at, 0), v = random.uniform(at, 1);
      x(i, 0) = u, x(i, 1) = v, x(i, 2) = 0.3 * u * u, x(i, 3) = 0.05 * random.normal(at, 2);
    }
    return x;
  }

  Model fit(PointsView x, OptionValues options = {}, const unroll::Run& run = {}) const {
    return method().fit(x, options, run);
  }
};

inline std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.push_back(method.name);
  return names;
}

inline std::string test_name(const testing::TestParamInfo<std::string>& info) { return info.param; }

}  // namespace unroll
