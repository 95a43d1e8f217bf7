#pragma once
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// What stands for a point that has no neighbours, and so no radius.
inline constexpr double kNoRadius = -1e300;

/// How sparse the data are around every point (Narayan, Berger & Cho 2021): the logarithm of its local radius, which is
/// the mean of the squared distances to its neighbours, weighted by the graph. Radii are those of distances times a
/// power of two, so that the largest is near 1; and 1e-8 is added, so that copies of a point have a radius. Edges that
/// `nearest` has in neither direction do not count.
std::vector<double> log_radii(const SparseMatrix& graph, const NeighborGraph& nearest, const Run& run);

/// Pearson's correlation of two radii, over the points that have both; 0 where one does not vary.
double radius_correlation(const std::vector<double>& log_radii, const std::vector<double>& others);

}  // namespace unroll
