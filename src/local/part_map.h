#pragma once
#include <optional>
#include <string>
#include <vector>

#include "local/local_fits.h"
#include "unroll/core/model.h"

namespace unroll {

/// An eigenvalue of M up to this part of its norm is zero, to rounding.
constexpr double kVanishes = 1e-13;

/// One problem: all points, or those of one component.
struct Part {
  const LocalFits& fits;
  const std::vector<Index>& points;  ///< which they are, ascending
  Array2<double> known;              ///< the constant of every component, one per row
};

/// Its solution.
struct PartMap {
  Array2<double> vectors = {};  ///< one per row
  Spectrum spectrum = {};
  std::optional<double> next = {};  ///< the eigenvalue after those of the map, where it may vanish and there is one
  double norm = 0;
  std::vector<std::string> tried = {};
  std::vector<Index> landmarks = {};
  std::optional<double> landmark_error = {};
  Index corrected = 0;  ///< points whose weights on landmarks come from distances that are not Euclidean
  std::optional<double> factor_gib = {};
};

}  // namespace unroll
