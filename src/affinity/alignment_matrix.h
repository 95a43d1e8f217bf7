#pragma once
#include <vector>

#include "affinity/local_fits.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"

namespace unroll {

/// M, both triangles, symmetric to the last bit. A point of no patch has an entry on the diagonal, zero.
SparseMatrix assembled(const LocalFits& fits, const Run& run);

/// Entries of M in the row of every point, which patches alone tell.
std::vector<Index> row_entries(const Patches& patches, const Run& run);

}  // namespace unroll
