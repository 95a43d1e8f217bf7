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

/// What LLE, modified LLE, Hessian LLE and LTSA do alike.
namespace unroll {

/// What local fits are made of.
struct LocalData {
  Input input;  ///< points, or distances
  Neighborhoods neighborhoods = {};
  std::unique_ptr<const LocalGeometry> geometry = {};
};

struct LocalRequest {
  SpectralSettings settings = {};
  PatchSettings patches = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;
  bool of_weights = false;      ///< the fits are reconstruction weights, not an alignment
  WeightsOptions weights = {};  ///< of new points
};

/// The neighbourhoods of all points. They must not outlive the input's memory.
LocalData local_data(const Input& input, const NeighborhoodOptions& options, const Run& run);

/// Before the fits: whether they have room. No patch has more than `columns` of them.
void plan_fits(const LocalData& data, const Patches& patches, Index columns, const LocalRequest& request,
               const Run& run);

/// Runs the row on the fits of these data.
MethodFit fit_local(const Recipe& row, const LocalFits& fits, LocalData data, LocalRequest request, const Run& run);

}  // namespace unroll
