#pragma once
#include "core/method_fit.h"
#include "linalg/centered_points.h"
#include "network/network_training.h"
#include "network/unit_map.h"

namespace unroll {

/// Throws OutOfMemory if the points as visible units, the network and its training would not fit.
void plan_network(const NetworkShape& shape, Index points, const TrainingPlan& plan, const Run& run);

/// The transformer of a trained network, and what is reported of it beside PCA's error. The coordinates are left to the
/// caller.
MethodFit network_fit(NetworkTraining& training, const NetworkShape& shape, const CenteredPoints& z,
                      const UnitMap& units, std::uint64_t seed, const Run& run);

}  // namespace unroll
