#pragma once
#include "unroll/core/run.h"
#include "unroll/core/types.h"

/// Dense algebra on few vectors of many entries, in parallel and with the same bits at any thread count: rows are cut
/// into blocks by their number alone, and sums over blocks are taken in order.
namespace unroll {

/// The first `cols` columns of a row-major matrix.
struct Columns {
  double* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;
};
inline Columns columns(Array2<double>& a) { return {a.data(), a.rows(), a.cols(), a.cols()}; }
inline Columns columns(Array2<double>& a, Index first, Index count) {
  return {a.data() + first, a.rows(), count, a.cols()};
}

/// X^T Y.
Array2<double> inner_products(Columns x, Columns y, const Run& run);

/// Y -= X C.
void subtract_product(Columns y, Columns x, const Array2<double>& c, const Run& run);

/// The first columns of X become X C; C has no more columns than rows.
void replace_by_product(Columns x, const Array2<double>& c, const Run& run);

/// X = Q R: X becomes Q, orthonormal up to rounding for any rank of X; returns R. Householder reflections of the
/// blocks, then of the stacked triangles (TSQR; Demmel, Grigori, Hoemmen & Langou 2012); Cholesky factors for the usual
/// four or eight columns, if they are far from dependent. X is contiguous and has at least as many rows as columns.
Array2<double> orthonormalize(Array2<double>& x, const Run& run);

}  // namespace unroll
