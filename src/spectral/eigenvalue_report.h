#pragma once
#include <vector>

#include "spectral/embedding.h"

/// What the eigenvalues of a graph say about the map that is made of their vectors.
namespace unroll {

/// Warns of eigenvalues that are rounding, whose power is not real, or that equal the trivial one up to rounding.
void report_eigenvalues(const Recipe& row, const OperatorPairs& solution, Index components,
                        const SpectralSettings& settings, std::vector<Warning>& warnings);

/// Warns where an eigenvalue of the kept columns, which are given per map, occurs more often than it is kept. Then
/// rounding has chosen which directions of its eigenspace are shown, for instance if all pairs of points have the same
/// weight.
void warn_of_cut_groups(const std::vector<std::vector<Index>>& columns, SpectralFit& fit);

}  // namespace unroll
