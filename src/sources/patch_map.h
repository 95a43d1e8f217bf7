#pragma once
#include "affinity/landmark_weights.h"
#include "sources/component_map.h"
#include "spectral/source.h"

namespace unroll {

/// The settings of local methods beside SpectralSettings.
struct PatchSettings {
  Index dimension = 2;                        ///< of the map; more eigenvectors may be asked for, to choose among them
  double max_factor_gib = 8;                  ///< a larger factor is not computed: landmarks are used
  bool joined = false;                        ///< components were connected by added edges
  std::optional<Index> n_landmarks = {};      ///< asked for
  const LandmarkSource* landmarks = nullptr;  ///< null: landmarks cannot be used
};

struct PatchRequest {
  const SpectralSettings& settings;
  const PatchSettings& patches;
  Index count = 2;       ///< number of eigenvectors
  Index components = 1;  ///< number of components in one map
};

/// The eigenvectors of the smallest eigenvalues of M beside the constants, which are in `problem`: from an eigensolver
/// or from landmarks. The choice depends only on the options, n and the pattern of M.
ComponentMap patch_map(const PatchProblem& problem, const PatchRequest& request, const Run& run);

}  // namespace unroll
