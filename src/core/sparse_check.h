#pragma once
#include <string_view>

#include "unroll/core/sparse.h"

namespace unroll {

/// A matrix that a caller has put together may be anything: throws InvalidData unless offsets, columns and values fit
/// together and columns ascend within rows.
void check_structure(const SparseMatrix& matrix);

}  // namespace unroll
