#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/sparse.h"

namespace unroll {

/// The unknowns of a sparse symmetric matrix in an order of elimination by nested dissection (George 1973): those of a
/// separator come after all of the two halves that it leaves, each of which is ordered in the same way, and small ones
/// by minimum degree. Depends on the pattern alone. For patterns of fewer than 2^31 entries.
std::vector<std::int32_t> nested_dissection_order(const SparseMatrix& a, const Run& run);

/// Bytes that this takes, at most.
double bytes_to_dissect(const SparseMatrix& a);

}  // namespace unroll
