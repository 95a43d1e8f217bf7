#pragma once
#include <optional>
#include <span>

#include "unroll/neighbors/neighbors.h"

/// A sparse matrix of distances of which all entries are edges: no option says by which rule they were chosen, but new
/// points need one.
namespace unroll {

/// Whether all entries are edges: neither a number of neighbours nor a radius is asked for.
bool takes_all_entries(const NeighborOptions& options);

/// The k nearest where all rows have k entries. None: the rows differ, and nobody has said what their rule is.
std::optional<NeighborOptions> rule_of_entries(const NeighborGraph& entries, NeighborOptions options);

/// Throws InvalidData where new row number `row`, its neighbours given nearest first, is at distance 0 from points that
/// are apart, as one is that has zeros for what a sparse matrix lacks.
void check_zeros(const NeighborGraph& entries, Index row, std::span<const Index> neighbors,
                 std::span<const double> distances);

/// The error where there is no rule.
[[noreturn]] void refuse_new_points();

}  // namespace unroll
