#pragma once
#include <optional>
#include <span>

#include "unroll/neighbors/neighbors.h"

/// The rule for new points if all entries of a sparse matrix of distances are edges: no option says how the entries
/// were chosen.
namespace unroll {

/// Whether all entries are edges: neither a number of neighbours nor a radius is asked for.
bool takes_all_entries(const NeighborOptions& options);

/// The k nearest if all rows have k entries. None: the rows differ, and their rule is not known.
std::optional<NeighborOptions> rule_of_entries(const NeighborGraph& entries, NeighborOptions options);

/// Throws InvalidData if the new row number `row`, with its neighbours nearest first, is at distance 0 from points that
/// are apart. This happens if a row has zeros for the distances that a sparse matrix lacks.
void check_zeros(const NeighborGraph& entries, Index row, std::span<const Index> neighbors,
                 std::span<const double> distances);

/// The error for new points if there is no rule.
[[noreturn]] void refuse_new_points();

}  // namespace unroll
