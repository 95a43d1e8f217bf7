#pragma once
#include <vector>

#include "spectral/embedding.h"

/// What the eigenvalues of a graph say about the map that is made of their vectors.
namespace unroll {

/// Warns of eigenvalues that are rounding, whose power is not real, or that cannot be told from the trivial one.
void report_eigenvalues(const Recipe& row, const PartSolution& solution, Index components,
                        const SpectralSettings& settings, std::vector<Warning>& warnings);

/// Warns where an eigenvalue of the kept columns occurs more often than it is kept. Some directions of a space in which
/// all are equal, as among points that all weigh the same for each other, are no finding: they came from rounding.
void warn_of_cut_groups(const std::vector<Index>& columns, SpectralFit& fit);

}  // namespace unroll
