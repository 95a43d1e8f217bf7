#pragma once
#include "sparse/elimination.h"
#include "unroll/core/run.h"

namespace unroll {

/// The values of L in L L^T = sign A + shift I, panel after panel as planned: a multifrontal factorisation (Duff & Reid
/// 1983). Subtrees of the elimination run in parallel, and so do pieces of the large panels above them. False: the
/// matrix is not positive definite to rounding.
bool factorize_panels(const Elimination& plan, const SparseMatrix& a, double sign, double shift, double* values,
                      const Run& run);

/// Bytes that this takes beside the values, at most.
double bytes_to_factorize(const Elimination& plan, const Run& run);

}  // namespace unroll
