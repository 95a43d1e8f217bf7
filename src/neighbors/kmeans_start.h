#pragma once
#include <span>

#include "core/random.h"
#include "linalg/centered_points.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Centers for k-means, in the units of z: points, each drawn with a probability proportional to its squared distance
/// from the centers so far, the best of 2 + log(count) draws (Arthur & Vassilvitskii 2007, with the greedy choice of
/// their implementation). `attempt` numbers the starts of one seed. `weights`: factors of the probabilities, at most 1;
/// empty: all are 1.
Array2<double> kmeans_start(const CenteredPoints& z, Index count, const Random& random, Index attempt, const Run& run,
                            std::span<const double> weights = {});

}  // namespace unroll
