#pragma once
#include <vector>

#include "affinity/local_fits.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"

namespace unroll {

/// M, both triangles, symmetric to the last bit. A point that is in no patch has a zero on the diagonal.
SparseMatrix assembled(const LocalFits& fits, const Run& run);

/// The number of entries of M in the row of every point; it depends on the patches alone.
std::vector<Index> row_entries(const Patches& patches, const Run& run);

}  // namespace unroll
