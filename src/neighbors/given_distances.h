#pragma once
#include "neighbors/neighbor_graph_builder.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbors.h"

/// Neighbours by distances that are given, or computed by the caller's own function.
namespace unroll {

/// Throws InvalidData unless the matrix is square, symmetric (to symmetry_tolerance), not negative and zero on its
/// diagonal.
void check_distances(PointsView distances, const Run& run);
/// The same for a matrix where NaN is an unknown distance.
void check_known_distances(PointsView distances, const Run& run);
/// The same for a sparse matrix, where an entry may lack its mirror image: a point need not be among the nearest of its
/// nearest.
void check_distances(const SparseMatrix& distances);

/// The error of a new point's distance that is less than 0.
[[noreturn]] void throw_negative_distance(Index row, Index column, double distance);

/// The distance that a matrix gives, the same from both ends: the mean of entries that differ by rounding.
template <class T>
double given_distance(const MatrixView<T>& distances, Index i, Index j) {
  const auto there = static_cast<double>(distances(i, j));
  const auto back = static_cast<double>(distances(j, i));
  return there == back ? there : there / 2 + back / 2;
}

/// All of them, in double.
Array2<double> symmetric_distances(PointsView distances, const Run& run);

/// If two entries of a pair differ by rounding, their mean counts.
void search_dense(PointsView distances, SearchLimits limits, NeighborGraphBuilder& out, const Run& run);
/// Throws InvalidData if a row has fewer than `limits.count` entries; with a radius it may have fewer.
void search_sparse(const SparseMatrix& distances, SearchLimits limits, NeighborGraphBuilder& out);
/// Throws InvalidData if the function returns a value that is not a distance.
void search_by_function(PointsView points, const DistanceFunction& distance, SearchLimits limits,
                        NeighborGraphBuilder& out, const Run& run);

}  // namespace unroll
