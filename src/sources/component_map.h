#pragma once
#include <optional>
#include <string>
#include <vector>

#include "affinity/local_fits.h"
#include "unroll/core/model.h"

namespace unroll {

/// Eigenvalues of M below this share of its norm are within the rounding of solvers; sums of squares may know them
/// better.
constexpr double kRounding = 1e-13;

/// A sum of squares below this share of the norm counts as 0: it is about the square of a rounding error. A flat sheet
/// has 1e-24 or less; a finely sampled curve, or a million points of a sheet, has true values of 1e-17.
constexpr double kVanishes = 1e-22;

/// The patches of all points, or of those of one component.
struct PatchProblem {
  const LocalFits& fits;
  const std::vector<Index>& points;  ///< which they are, ascending
  Array2<double> known;              ///< the constant of every component, one per row
};

/// The solution of a PatchProblem.
struct ComponentMap {
  Array2<double> vectors = {};  ///< one per row
  Spectrum spectrum = {};
  std::optional<double> next = {};  ///< the value after those of the map; only if it may vanish
  double norm = 0;
  std::vector<std::string> tried = {};
  std::vector<Index> landmarks = {};
  std::optional<double> landmark_error = {};
  Index corrected = 0;  ///< see LandmarkWeights
  std::optional<double> factor_gib = {};
};

/// The first pair of neighbouring eigenvalues, that after the map included, which differ by less than a dense solver
/// can tell apart: its vectors have errors of about eps |M| / difference, and of these they are mostly noise. None if
/// the map comes from another solver; vectors of vanishing values are one group, and not compared.
struct CloseValues {
  double first = 0, second = 0;
};
std::optional<CloseValues> mixed_by_rounding(const ComponentMap& map);

/// |M v - lambda v| / norm for each row of `vectors`.
std::vector<double> map_residuals(const LocalFits& fits, const Array2<double>& vectors,
                                  const std::vector<double>& values, double norm, const Run& run);

/// Makes a map of the solver's vectors. The values become the costs of the fits, sums of squares that keep digits which
/// products with M lose, and are sorted. Vectors of vanishing values are one group; it gets a canonical basis and its
/// mean value, which do not depend on rounding. A vector after the first n_components gives `next`.
void refine_and_canonicalize(const LocalFits& fits, Index n_components, ComponentMap& map, const Run& run);

}  // namespace unroll
