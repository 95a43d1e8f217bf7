#pragma once
#include <functional>
#include <optional>
#include <span>

#include "unroll/core/sparse.h"
#include "unroll/neighbors/neighbors.h"

/// The rule for new points if all entries of a sparse matrix of distances are edges: no option says how the entries
/// were chosen.
namespace unroll {

/// Whether all entries are edges: neither a number of neighbours nor a radius is asked for.
bool takes_all_entries(const NeighborOptions& options);

/// The k nearest if all rows have k entries. None: the rows differ, and their rule is not known.
std::optional<NeighborOptions> rule_of_entries(const NeighborGraph& entries, NeighborOptions options);

/// The distance of two training points by the entries of either. None: they are apart, since the nearest of a point
/// contain its copies; only where all of a point's entries are 0 it may have more copies than entries.
std::optional<double> known_distance(const NeighborGraph& entries, Index i, Index j);
std::optional<double> known_distance(const SparseMatrix& entries, Index i, Index j);
using KnownDistance = std::function<std::optional<double>(Index, Index)>;

/// Throws InvalidData if the new row number `row` of given distances is 0 for training points (`zeros`) that are apart.
/// This happens if a row has zeros for the distances that a sparse matrix lacks. Points nearer to each other than
/// rounding of the row's `farthest` neighbour are copies.
void check_zeros(Index row, std::span<const Index> zeros, double farthest, const KnownDistance& known);
/// The same for all rows, given the training points adjacent to each, nearest first.
void check_zeros(const NeighborGraph& adjacent, const NeighborGraph& entries);

/// The error for new points if there is no rule.
[[noreturn]] void refuse_new_points();

}  // namespace unroll
