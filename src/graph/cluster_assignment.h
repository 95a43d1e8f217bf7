#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

/// Makes clusters of the rows of eigenvectors.
namespace unroll {

struct ClusterAssignment {
  std::vector<Index> labels = {};  ///< nearest centers, numbered in the order of their first points; empty ones last
  Array2<double> centers = {};
  double inertia = 0;
  std::vector<Warning> warnings = {};
};

/// Rows that point in directions as different as possible: the pivots of a QR decomposition of the transpose (Damle,
/// Minden & Ying 2019). When no direction is left, the row that is farthest from those picked is next. Ties go to the
/// first row.
std::vector<Index> pivot_rows(const Array2<double>& rows, Index count, const Run& run);

/// K-means from the pivot rows and from `n_init` random starts; the result of the least inertia.
ClusterAssignment assign_clusters(const Array2<double>& rows, Index count, Index n_init, std::int64_t seed,
                                  const Run& run);

}  // namespace unroll
