#pragma once
#include "affinity/mercer_kernel.h"

namespace unroll {

/// Maps coordinates back to points, by kernel ridge regression on pairs of both (Bakir, Weston & Schoelkopf 2004):
/// x = k(z, Z) C, (k(Z, Z) + alpha I) C = X.
class PreImages {
 public:
  /// Throws InvalidData if the system is singular, OutOfMemory if it does not fit.
  PreImages(Array2<double> coordinates, PointsView points, const KernelParameters& parameters, double alpha,
            const Run& run);

  /// A row's result does not depend on the rows beside it.
  Array2<double> points(PointsView coordinates, const Run& run) const;

 private:
  Array2<double> coordinates_;  ///< Z
  MercerKernel kernel_;
  Array2<double> weights_;  ///< C', a row per feature
};

}  // namespace unroll
