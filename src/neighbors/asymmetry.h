#pragma once
#include <algorithm>
#include <cmath>

#include "unroll/core/types.h"

/// How far a matrix that a caller gives is from its transpose.
namespace unroll {

/// The relative difference of the two entries of a pair that counts as rounding: of sums in double, or a few units
/// in the last place of a float.
constexpr double symmetry_tolerance(bool is_float) { return is_float ? 1e-6 : 1e-10; }

/// The pair whose two entries differ most; the first of several.
struct Asymmetry {
  double unit = 0;        ///< differences are relative to the larger entry, or to this if it is larger
  double difference = 0;  ///< relative
  Index row = 0, col = 0;
  double there = 0, back = 0;  ///< the entries (row, col) and (col, row)

  void compare(Index i, Index j, double a, double b) {
    if (a == b) return;
    const double relative = std::abs(a - b) / std::max({std::abs(a), std::abs(b), unit});
    if (relative > difference) *this = {unit, relative, i, j, a, b};
  }
  /// With the pairs of another part of the matrix, which comes later.
  const Asymmetry& or_later(const Asymmetry& other) const { return other.difference > difference ? other : *this; }
  bool is_rounding(bool is_float) const { return difference <= symmetry_tolerance(is_float); }
};

}  // namespace unroll
