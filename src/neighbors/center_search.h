#pragma once
#include <array>
#include <vector>

#include "linalg/centered_points.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// |a - b|^2 in double; eight partial sums, which the compiler keeps in vector registers.
inline double squared_distance(const double* a, const double* b, Index size) {
  constexpr Index kLanes = 8;
  std::array<double, kLanes> lane{};
  Index j = 0;
  for (; j + kLanes <= size; j += kLanes)
    for (Index l = 0; l < kLanes; ++l) {
      const double difference = a[j + l] - b[j + l];
      lane[static_cast<std::size_t>(l)] += difference * difference;
    }
  double sum = ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
  for (; j < size; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

/// Every point's center.
struct Assignment {
  std::vector<Index> labels = {};      ///< -1: the point is out of range: the distances to all centers overflow
  std::vector<double> distances = {};  ///< squared
  double inertia = 0;
};

/// The nearest of `centers`, which are in the units of z, for every point; the first of equally near ones. Products
/// exclude centers that cannot be nearest; differences decide among the others. So neither cancellation nor the shape
/// of a BLAS call influences the result.
Assignment assign(const CenteredPoints& z, const Array2<double>& centers, const Run& run);

}  // namespace unroll
