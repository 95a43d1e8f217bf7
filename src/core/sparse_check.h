#pragma once
#include <string_view>

#include "unroll/core/sparse.h"

namespace unroll {

/// Throws InvalidData unless offsets, columns and values fit together and columns ascend within rows: a caller's matrix
/// may be anything.
void check_structure(const SparseMatrix& matrix);

}  // namespace unroll
