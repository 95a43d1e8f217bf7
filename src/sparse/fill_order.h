#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/sparse.h"

namespace unroll {

/// The unknowns of a sparse symmetric matrix in an order of elimination that keeps its factor sparse: approximate
/// minimum degree (Amestoy, Davis & Duff 1996). A large matrix is cut in two halves, if a small separator is found at
/// once: these are ordered at the same time, and the separator comes last. Depends on the pattern alone.
std::vector<std::int32_t> fill_reducing_order(const SparseMatrix& a, const Run& run);

/// The same for a part of a matrix that is small enough not to be interrupted, given by its rows.
std::vector<std::int32_t> minimum_degree_order(const std::vector<Index>& offsets,
                                               const std::vector<std::int32_t>& columns);

/// Bytes that this takes, at most.
double bytes_to_order(const SparseMatrix& a);

}  // namespace unroll
