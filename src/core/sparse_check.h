#pragma once
#include <string_view>

#include "unroll/core/sparse.h"

namespace unroll {

/// A matrix that a caller has put together may be anything: throws InvalidData unless offsets, columns and values fit
/// together and columns ascend within rows.
void check_structure(std::string_view who, const SparseMatrix& matrix);

}  // namespace unroll
