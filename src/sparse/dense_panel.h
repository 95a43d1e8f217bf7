#pragma once
#include <functional>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Some columns of a symmetric matrix with the rows below them, column after column.
struct DensePanel {
  double* values;
  Index rows;
  Index cols;
};

/// Eliminates the panel's columns: its triangle becomes L with L L^T = triangle, its rows below are multiplied with
/// L^-T from the right, and their products with each other are subtracted from the lower triangle of `update`, a square
/// of side rows - cols. False when the triangle is not positive definite.
bool eliminate_small(const DensePanel& panel, double* update);

/// The same in blocks, in parallel; add_share(share) for every part of the work that has been done, by any thread.
bool eliminate_large(const DensePanel& panel, double* update, const std::function<void(double)>& add_share,
                     const Run& run);

/// Whether the second is faster.
bool is_large(const DensePanel& panel);

}  // namespace unroll
