#pragma once
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/intrinsic_dimension.h"
#include "unroll/neighbors/neighbor_graph.h"

/// The public functions of the same names, on the threads of a run.
namespace unroll {

UNROLL_API Components connected_components(const NeighborGraph& graph, const Run& run);
UNROLL_API Connectivity connectivity(const NeighborGraph& nearest, const Run& run);
UNROLL_API SparseMatrix to_sparse(const NeighborGraph& graph, const Run& run);
UNROLL_API IntrinsicDimension intrinsic_dimension(const NeighborGraph& nearest, const Run& run);

}  // namespace unroll
