#pragma once
#include "spectral/source.h"

namespace unroll {

/// Step 5: makes coordinates of the eigenvectors as the row says, and the axes that place new points.
struct Coordinates {
  Array2<double> y = {};     ///< a row per point
  Array2<double> axes = {};  ///< a of Placing, a row per column of w
};

/// `solution` has vectors of the row's own matrix, with the trivial pairs if these are coordinates.
Coordinates coordinates_of(const Recipe& row, const PartSolution& solution, const SpectralSettings& settings);

/// lambda^t, where that is a real number.
double diffusion_power(double value, double time);

}  // namespace unroll
