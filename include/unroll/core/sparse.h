#pragma once
#include <vector>

#include "unroll/core/matrix.h"

namespace unroll {

/// A sparse matrix by rows (CSR). Within a row columns ascend and are unique. An explicit zero is an entry: in a matrix
/// of distances it is an edge of length 0.
struct SparseMatrix {
  Index rows = 0;
  Index cols = 0;
  std::vector<Index> offsets = {0};  ///< row i is [offsets[i], offsets[i+1])
  std::vector<Index> columns = {};
  std::vector<double> values = {};
};

}  // namespace unroll
