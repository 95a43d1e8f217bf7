#pragma once
#include "spectral/source.h"

namespace unroll {

/// Step 5: what the row makes of the eigenvectors, and of them what places new points.
struct Coordinates {
  Array2<double> y = {};     ///< a row per point
  Array2<double> axes = {};  ///< a of Placing, a row per column of w
};

/// `solution` has vectors of the row's own matrix, and trivial pairs where these count.
Coordinates coordinates_of(const Recipe& row, const PartSolution& solution, const SpectralSettings& settings);

/// lambda^t, where that is a real number.
double diffusion_power(double value, double time);

}  // namespace unroll
