#pragma once
#include <optional>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// A symmetric tridiagonal matrix.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> off_diagonal;  ///< one shorter; LAPACK needs space for one more
};

/// All eigenvalues, descending.
std::vector<double> eigenvalues(Tridiagonal t);

/// The `count` leading eigenvectors as rows, largest eigenvalue first, by relatively robust representations: O(n) each.
/// LAPACK's dstemr fails on some matrices, with an error or silently: 2 x 2 matrices with an index range
/// (Reference-LAPACK #826), vectors that are not orthogonal (#151). So the result is checked, and none is returned if
/// it is wrong.
std::optional<Array2<double>> leading_vectors_by_mrrr(const Tridiagonal& t, const std::vector<double>& values,
                                                      Index count);

/// The same by divide and conquer: all n vectors are computed, O(n^3), and it does not fail.
Array2<double> leading_vectors_by_division(Tridiagonal t, Index count);

}  // namespace unroll
