#pragma once
#include <functional>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Eigenpairs of a symmetric matrix, largest eigenvalue first; vectors are rows, orthonormal.
struct EigenPairs {
  std::vector<double> values = {};     ///< all of them (of an iterative solver: one per vector)
  Array2<double> vectors = {};         ///< the leading ones; the last group of equal eigenvalues is complete
  std::vector<double> residuals = {};  ///< |A v - lambda v| / max |lambda|, per vector
  Index iterations = 0;                ///< 0: a direct solver
};

/// The number of leading pairs that are wanted, as a function of the eigenvalues. It must own its data: a thread that
/// outlives a cancelled caller may call it.
using HowMany = std::function<Index(const std::vector<double>& values)>;

/// All eigenvalues and the leading eigenvectors of a full symmetric matrix, by LAPACK: tridiagonal form, its values,
/// its leading vectors (few: robust representations, checked; many, or if that fails: divide and conquer), mapped back.
/// Throws NotConverged when a residual stays above the rounding level.
EigenPairs leading_eigenpairs(const Array2<double>& matrix, const HowMany& how_many, const Run& run);

/// The end of the group of equal eigenvalues that begins at `first`: relative gap below 1e-8, or both within rounding
/// of each other on the scale of the largest. Values are ordered.
Index end_of_group(const std::vector<double>& values, Index first);

/// Makes eigenvectors (rows) unique. Within a group of equal eigenvalues the basis is arbitrary: it is replaced by the
/// one that pivoted Gram-Schmidt takes from the group's projector. Every vector's entry of largest magnitude (the first
/// of those within a relative 1e-8) is made positive.
void canonicalize(const std::vector<double>& values, Array2<double>& vectors);

/// Makes only the signs canonical.
void canonicalize_signs(Array2<double>& vectors);

/// Scales the first `count` rows to unit length, each after removal of its components along the rows before it.
void orthonormalize_rows(Array2<double>& vectors, Index count);

/// Replaces rows `first` and later, which belong to eigenvalue zero, by the canonical completion to an orthonormal set.
void complete_orthonormal(Array2<double>& vectors, Index first);

}  // namespace unroll
