#pragma once
#include "affinity/landmark_weights.h"
#include "sources/component_map.h"
#include "spectral/source.h"

namespace unroll {

/// What a fit of local methods asks for beside the usual.
struct PatchSettings {
  double max_factor_gib = 8;                  ///< a larger factor is not computed: landmarks take over
  bool joined = false;                        ///< components were made one by edges between them
  std::optional<Index> n_landmarks = {};      ///< asked for
  const LandmarkSource* landmarks = nullptr;  ///< none: there is no such route
};

struct PatchRequest {
  const SpectralSettings& settings;
  const PatchSettings& patches;
  Index count = 2;       ///< of eigenvectors
  Index components = 1;  ///< that are kept in one map
};

/// The smallest eigenvectors of M beside the constant, which `part` knows: by eigensolvers, or spanned by landmarks.
/// The route is decided by n and the pattern of M alone.
ComponentMap patch_map(const Part& part, const PatchRequest& request, const Run& run);

}  // namespace unroll
