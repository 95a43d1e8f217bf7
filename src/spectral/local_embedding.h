#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "affinity/landmark_weights.h"
#include "affinity/local_fits.h"
#include "spectral/recipe.h"
#include "unroll/core/model.h"
#include "unroll/linalg/eigen_solver_choice.h"

/// Runs the rows of the table that begin with local fits: steps 3b to 5 of the general algorithm.
namespace unroll {

struct LocalSettings {
  std::string_view who = {};
  Index n_components = 2;
  EigenSolver solver = EigenSolver::Auto;
  double max_factor_gib = 8;  ///< a larger factor is not computed: landmarks take over
  std::uint64_t seed = 0;
  bool separate = true;                   ///< a map for every component, side by side; otherwise indicators come first
  bool joined = false;                    ///< components were made one by edges between them
  std::vector<bool> collapsed = {};       ///< per component: all its points are one
  std::optional<Index> n_landmarks = {};  ///< asked for
  const LandmarkSource* landmarks = nullptr;  ///< none: there is no such route
};

/// Throws InvalidOption when there are not as many coordinates as asked for. Diagnostics: reconstruction_cost (the sum
/// of what all patches charge for, n sum lambda of one map), factor_gib (predicted, where a factorisation was thought
/// of; of several maps the largest); with landmarks those of report_landmarks (all landmarks, the largest error). Where
/// each component has a map of its own the spectrum is that of the largest which is not a point, and a warning names
/// the largest component that has it.
Embedding embed_fits(const Recipe& row, const LocalFits& fits, const Components& components,
                     const LocalSettings& settings, const Run& run);

}  // namespace unroll
