#pragma once
#include <optional>
#include <span>

#include "unroll/core/run.h"
#include "unroll/neighbors/neighbors.h"

/// A sparse matrix of distances of which all entries are edges: nobody says by which rule they were chosen, but new
/// points need one.
namespace unroll {

/// The options under which all entries are edges: any length is near enough.
NeighborOptions all_entries(NeighborOptions options);
bool takes_all_entries(const NeighborOptions& options);

/// The rule by which these entries would be chosen again: the k nearest where all rows have k entries; or all within
/// the longest entry where the graph is symmetric and no two edges in a row, together no longer than that, lack the
/// edge that closes their triangle. None: neither of them fits.
std::optional<NeighborOptions> rule_of_entries(const NeighborGraph& entries, NeighborOptions options, const Run& run);

/// Throws InvalidData where new row number `row`, its neighbours given nearest first, is at distance 0 from points that
/// are apart, as one is that has zeros for what a sparse matrix lacks.
void check_zeros(const NeighborGraph& entries, Index row, std::span<const Index> neighbors,
                 std::span<const double> distances);

/// The error where there is no rule.
[[noreturn]] void refuse_new_points(const NeighborGraph& entries);

}  // namespace unroll
