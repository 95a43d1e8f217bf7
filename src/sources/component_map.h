#pragma once
#include <optional>
#include <string>
#include <vector>

#include "affinity/local_fits.h"
#include "unroll/core/model.h"

namespace unroll {

/// An eigenvalue of M up to this part of its norm is within the rounding of solvers, though it may be known better.
constexpr double kRounding = 1e-13;

/// A sum of squares up to this part of the norm costs nothing: about the square of a rounding. Those of a flat sheet
/// are 1e-24 or less; a finely sampled curve, or a million points of a sheet, truly have values of 1e-17.
constexpr double kVanishes = 1e-22;

/// One problem: all points, or those of one component.
struct Part {
  const LocalFits& fits;
  const std::vector<Index>& points;  ///< which they are, ascending
  Array2<double> known;              ///< the constant of every component, one per row
};

/// Its solution.
struct ComponentMap {
  Array2<double> vectors = {};  ///< one per row
  Spectrum spectrum = {};
  std::optional<double> next = {};  ///< the value after those of the map, where it may vanish and there is one
  double norm = 0;
  std::vector<std::string> tried = {};
  std::vector<Index> landmarks = {};
  std::optional<double> landmark_error = {};
  Index corrected = 0;  ///< points whose weights on landmarks come from distances that are not Euclidean
  std::optional<double> factor_gib = {};
};

/// |M v - lambda v| / norm for each row of `vectors`.
std::vector<double> map_residuals(const LocalFits& fits, const Array2<double>& vectors,
                                  const std::vector<double>& values, double norm, const Run& run);

/// Makes the solver's vectors a map of the first n_components: values are what the fits charge for, as sums of squares,
/// which keep digits that are lost in products with M, and ascend. Those that vanish are one group, whose canonical
/// basis and mean value do not tell how rounding has turned it. A vector beyond n_components tells the next value.
void refine_and_canonicalize(const LocalFits& fits, Index n_components, ComponentMap& map, const Run& run);

}  // namespace unroll
