#pragma once
#include "part.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace parts {

inline unroll::SparseMatrix library_matrix(const MatrixFile& file) {
  return {
      .rows = file.rows, .cols = file.rows, .offsets = file.offsets, .columns = file.columns, .values = file.values};
}

/// Of a matrix of distances.
inline unroll::NeighborGraph library_graph(const MatrixFile& file) {
  return {.offsets = file.offsets, .neighbors = file.columns, .distances = file.values};
}

}  // namespace parts
