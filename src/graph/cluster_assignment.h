#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

/// Makes clusters of the rows of eigenvectors.
namespace unroll {

/// Clusters as directions, one per column: a row belongs to the one with which its product is largest.
struct ClusterDirections {
  Array2<double> columns = {};  ///< no columns: clusters are given by their centers
  bool both_ways = false;       ///< the sign of the product does not count
};

struct ClusterAssignment {
  /// Nearest centers or directions, numbered in the order of their first points; empty ones last.
  std::vector<Index> labels = {};
  Array2<double> centers = {};
  ClusterDirections directions = {};
  double inertia = 0;
  std::vector<Warning> warnings = {};
};

/// Rows that point in directions as different as possible: the pivots of a QR decomposition of the transpose (Damle,
/// Minden & Ying 2019). When no direction is left, the row that is farthest from those picked is next. Ties go to the
/// first row.
std::vector<Index> pivot_rows(const Array2<double>& rows, Index count, const Run& run);

/// New numbers of the clusters, in the order of their first points; clusters without points follow.
std::vector<Index> first_point_order(const std::vector<Index>& labels, Index count);

/// K-means from the pivot rows and from `n_init` random starts; the result of the least inertia.
ClusterAssignment assign_clusters(const Array2<double>& rows, Index count, Index n_init, std::int64_t seed,
                                  const Run& run);

}  // namespace unroll
