#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/matrices.h"
#include "unroll/core/error.h"
#include "unroll/registry.h"

/// The property tests loop over the registry: a method is held to what it declares the day it is added.
namespace unroll {

/// The options with few iterations, if the method optimises and they do not say how many: for tests that do not look at
/// how good the map is.
inline OptionValues with_few_iterations(const Method& method, OptionValues options) {
  constexpr std::int64_t kFew = 20;
  if (!method.is_optimized) return options;
  for (const OptionInfo& info : method.options)
    if (info.name == "n_iter" || info.name == "n_epochs" || info.name == "epochs") options.push_back({info.name, kFew});
  return options;
}

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

  /// Classes of some points, for methods that need them: every fifth point, in turns.
  static std::vector<std::int64_t> some_labels(Index n) {
    std::vector<std::int64_t> labels(static_cast<std::size_t>(n), -1);
    for (std::size_t i = 0; i < labels.size(); i += 5) labels[i] = i % 2 == 0 ? 7 : 3;
    return labels;
  }

  Model fit(PointsView x, const OptionValues& options = {}, const unroll::Run& run = {}) const {
    return fit_given(Input(x), options, run);
  }
  /// With labels, if the method needs them and none came.
  Model fit_given(Input input, const OptionValues& options = {}, const unroll::Run& run = {}) const {
    const std::vector<std::int64_t> labels = some_labels(input.size());
    if (method().kind == MethodKind::Labels && input.labels.empty()) input.labels = labels;
    return method().fit(input, options, run);
  }
};

inline std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.push_back(method.name);
  return names;
}

inline std::string test_name(const testing::TestParamInfo<std::string>& info) { return info.param; }

}  // namespace unroll
