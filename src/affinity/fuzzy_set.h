#pragma once
#include <span>
#include <vector>

#include "unroll/core/input.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/neighbor_graph.h"
#include "unroll/neighbors/neighbors.h"

/// The fuzzy graph of UMAP (McInnes, Healy & Melville 2018): how surely two points are neighbours, from 0 to 1.
namespace unroll {

struct FuzzyOptions {
  /// So many of its nearest are neighbours for sure; between whole numbers it is interpolated.
  double local_connectivity = 1;
  /// 1: points are neighbours if one of them says so (union), 0: if both do (intersection).
  double set_op_mix_ratio = 1;
};

/// The neighbours of every point; of a sparse matrix all entries, unless fewer are asked for. Throws OutOfMemory if the
/// graph of them would not fit.
Neighbors fuzzy_neighbors(const Input& input, const NeighborOptions& search, const Run& run);

/// Per point i, neighbours at distance d belong to it with exp(-max(0, d - rho_i) / sigma_i). rho is the distance to
/// the nearest that is not 0, and sigma makes memberships of k neighbours sum to log2(k + 1), the point itself counted.
struct SmoothDistances {
  std::vector<double> rho = {};
  std::vector<double> sigma = {};
  double mean = 0;  ///< of all distances, the points' to themselves among them
  double unit = 1;  ///< a power of two: rho, sigma and the mean are those of distances times this
};

/// sigma is at least 1/1000 of the mean distance of the point to its neighbours, or if rho is 0 of the mean of all.
SmoothDistances smooth_distances(const NeighborGraph& nearest, double local_connectivity, const Run& run);

/// rho and sigma of one more point with these distances, nearest first, where the mean of all distances is `mean`.
struct SmoothDistance {
  double rho = 0;
  double sigma = 0;
};
SmoothDistance smooth_distance(std::span<const double> nearest, double local_connectivity, double mean);

/// exp(-max(0, d - rho) / sigma)
double membership(const SmoothDistance& of, double distance);

/// Memberships, row by row, columns ascending; not symmetric.
SparseMatrix memberships(const NeighborGraph& nearest, const SmoothDistances& smooth, const Run& run);

/// r (A + A' - A o A') + (1 - r) A o A' for memberships A, entry by entry, without entries of 0: symmetric to the last
/// bit.
SparseMatrix fuzzy_union(const SparseMatrix& a, double mix_ratio, const Run& run);

/// The graph of the neighbours.
SparseMatrix fuzzy_set(const NeighborGraph& nearest, const FuzzyOptions& options, const Run& run);

}  // namespace unroll
