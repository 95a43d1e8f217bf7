#pragma once
#include "unroll/core/types.h"

/// Maps that are fitted to distances: forces between all pairs of two blocks of points. Like all of src/simd it exists
/// once per instruction set.
namespace unroll::simd {

/// Points per block. A tile holds the target distances of all pairs of two blocks, one row per point of the first.
inline constexpr Index kStressBlock = 128;

template <class T>
struct StressTile {
  const T* targets;
  Index rows, cols;  ///< points of the two blocks
  bool is_diagonal;  ///< the blocks are one: pairs count above the diagonal
  double floor;      ///< above 0: a pair weighs 1 / max(target, floor); 0: every pair weighs 1
};

/// Where the points of both blocks are, coordinate after coordinate, each kStressBlock long. Forces are laid out alike.
struct StressPlaces {
  Index dims;
  const double *rows, *cols;
  double *row_forces, *col_forces;
};

template <class T>
using AddStressForces = double (*)(const StressTile<T>& tile, double level, const StressPlaces& places);

struct StressKernels {
  /// Adds w (level - target / r) (y_i - y_j) to the force of i and subtracts it from that of j. Returns the sum of
  /// w (target - r)^2. Points at one place exert no force.
  AddStressForces<float> add_forces_f32;
  AddStressForces<double> add_forces_f64;
  /// The distances r in the map, laid out as targets are.
  void (*distances)(const StressPlaces& places, Index rows, Index cols, double* out);

  template <class T>
  AddStressForces<T> add_forces() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return add_forces_f32;
    } else {
      return add_forces_f64;
    }
  }
};

}  // namespace unroll::simd
