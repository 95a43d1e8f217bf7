#pragma once
#include <cstdint>
#include <span>

#include "unroll/core/input.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"

/// Fuzzy graphs that also know something of the points: supervised UMAP.
namespace unroll {

/// Throws InvalidData unless there is one label or one finite target per point, or none.
void check_targets(const Input& input);

/// The graph after an edge between points of different labels was made less sure by the factor exp(-2.5 / (1 -
/// weight)), and one with an unknown end (-1) by exp(-1); then every point is made sure of its nearest again. At weight
/// 1 no edge between different labels is left.
SparseMatrix intersected_by_labels(SparseMatrix graph, std::span<const std::int64_t> labels, double weight,
                                   const Run& run);

/// The intersection of two graphs: memberships w of one and v of the other become w v^(t / (1 - t)) for a weight t
/// below 1/2, and w^((1 - t) / t) v above. An edge that one graph lacks has there half of its smallest membership, but
/// not less than 1e-8 (v not more than 1e-4). Then every point is made sure of its nearest again.
SparseMatrix fuzzy_intersection(const SparseMatrix& graph, const SparseMatrix& other, double weight, const Run& run);

/// The intersection with the fuzzy sets of numbers, of which each has this many neighbours.
SparseMatrix intersected_by_numbers(const SparseMatrix& graph, std::span<const double> numbers, Index n_neighbors,
                                    double weight, const Run& run);

/// The graph with what the input knows of its points, labels or targets; as it is if it knows nothing.
SparseMatrix supervised(SparseMatrix graph, const Input& input, Index n_neighbors, double weight, const Run& run);

}  // namespace unroll
