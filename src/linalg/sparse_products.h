#pragma once
#include <vector>

#include "linalg/centered_points.h"

/// Products of sparse rows with dense tables, in parallel and with the same bits at any thread count. The rows are
/// never made dense: with z = scale * x - center, Z q = scale X q - 1 (center . q), and Z^T y = scale X^T y - center (1
/// . y).
namespace unroll {

/// Scale and mean of sparse rows; low, high and on_grid stay unset.
CenteredPoints centered_sparse(const SparseRows& rows, const Run& run);

/// Sum over all entries of z^2, without cancellation: entries that are not stored add center^2 each.
double sparse_squared_norm(const CenteredPoints& z, const Run& run);

/// Rows [first, first + count) of z and of these columns only, row after row.
void pack_sparse(const CenteredPoints& z, Index first, Index count, Index first_col, Index col_count, double* out);

/// (Z^T Z) q for vectors q given as rows, in one pass over the data.
Array2<double> sparse_scatter_product(const CenteredPoints& z, const Array2<double>& q, const Run& run);

/// (scale * x - center) * axes^T for all rows, axes one per row; a row's bits do not depend on the other rows.
Array2<double> project_sparse(const SparseRows& rows, double scale, const std::vector<double>& center,
                              const Array2<double>& axes, const Run& run);

}  // namespace unroll
