#pragma once
#include <memory>
#include <optional>

#include "affinity/local_geometry.h"
#include "affinity/neighborhoods.h"
#include "affinity/patch_memory.h"
#include "affinity/reconstruction_weights.h"
#include "core/method_fit.h"
#include "sources/patch_source.h"
#include "unroll/core/input.h"
#include "unroll/neighbors/landmark_choice.h"

/// The common part of LLE, modified LLE, Hessian LLE and LTSA.
namespace unroll {

/// The data from which local fits are made.
struct LocalData {
  Input input;  ///< points, or distances
  Neighborhoods neighborhoods = {};
  std::unique_ptr<const LocalGeometry> geometry = {};
};

struct LocalRequest {
  SpectralSettings settings = {};
  PatchSettings patches = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;
  bool independent = false;     ///< see embed_judged
  bool of_weights = false;      ///< the fits are reconstruction weights, not an alignment
  WeightsOptions weights = {};  ///< for new points
};

/// The neighbourhoods of all points. They must not outlive the input's memory.
LocalData local_data(const Input& input, const NeighborhoodOptions& options, const Run& run);

/// Call it before the fits: throws OutOfMemory if they do not fit. No patch has more than `columns` columns.
void plan_fits(const LocalData& data, const Patches& patches, Index columns, const LocalRequest& request,
               const Run& run);

/// Runs the row on the fits of these data.
MethodFit fit_local(const Recipe& row, const LocalFits& fits, LocalData data, LocalRequest request, const Run& run);

}  // namespace unroll
