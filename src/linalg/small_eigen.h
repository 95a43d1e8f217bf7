#pragma once
#include <span>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// Memory of one thread, kept between calls.
struct SmallEigenScratch {
  std::vector<double> reflectors = {};
  std::vector<double> basis = {};
  std::vector<double> off_diagonal = {};
  std::vector<double> vector = {};
};

/// All eigenpairs of a small symmetric matrix of side m, largest eigenvalue first: `matrix`, m x m with both triangles,
/// becomes the eigenvectors, one per row. Householder's tridiagonal form and implicit QL steps, with every inner loop
/// along rows: for the sizes of neighbourhoods (3 to 40) about twice as fast as LAPACK's dsyevd, which is made for
/// large matrices. Nothing is allocated once `scratch` has grown. Throws NotConverged after 30 m steps.
void small_symmetric_eigen(Index m, std::span<double> matrix, std::span<double> values, SmallEigenScratch& scratch);

/// The same eigenvalues, bit for bit, without the vectors; `matrix` is overwritten.
void small_symmetric_eigenvalues(Index m, std::span<double> matrix, std::span<double> values,
                                 SmallEigenScratch& scratch);

}  // namespace unroll
