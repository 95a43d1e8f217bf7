#pragma once
#include <cstdint>
#include <string_view>

#include "data/generators_common.h"

namespace unroll {

/// Standard normal latent coordinates, which are the truth, times a random orthonormal basis: distances equal those of
/// the truth.
struct LinearSubspaceOptions {
  static constexpr std::string_view kName = "linear_subspace";
  static constexpr std::string_view kTitle = "Linear subspace: normal points of low dimension in many features";

  std::int64_t n_features = 50;
  std::int64_t intrinsic = 5;
  double noise = 0;

  static OptionFields fields() {
    return {
        field<&LinearSubspaceOptions::n_features>("n_features", at_least(1), "Features of the data."),
        field<&LinearSubspaceOptions::intrinsic>("intrinsic", at_least(1), "Dimension of the subspace."),
        field<&LinearSubspaceOptions::noise>("noise", deviation(), kNoiseHelp),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const LinearSubspaceOptions& options);

}  // namespace unroll
