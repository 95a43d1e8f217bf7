#pragma once
#include "unroll/core/types.h"

/// Products of the size of neighbourhoods, where a call of BLAS costs more than the loop.
namespace unroll {

inline double dot(Index m, const double* x, const double* y) {
  double sum = 0;
  for (Index i = 0; i < m; ++i) sum += x[i] * y[i];
  return sum;
}

/// Keeps the memory if the shape is the same; entries are not cleared.
inline void reshape(Array2<double>& a, Index rows, Index cols) {
  if (a.rows() != rows || a.cols() != cols) a = Array2<double>::uninitialized(rows, cols);
}

}  // namespace unroll
