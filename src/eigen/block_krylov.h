#pragma once
#include <functional>

#include "core/random.h"
#include "linalg/symmetric_eigen.h"

namespace unroll {

/// A symmetric positive semidefinite operator: the products A q for vectors q given as rows.
using Apply = std::function<Array2<double>(const Array2<double>& q)>;

/// The leading `count` eigenpairs of an operator of the given size by block Krylov iteration from a random start (Musco
/// & Musco 2015): block Lanczos with a block wider than `count`. Unlike a fixed number of power steps it stops when
/// every residual is proven to be below 1e-8 of its own eigenvalue, or at the level of rounding. Throws NotConverged,
/// with the number of pairs that did converge, after `max_products` applications.
EigenPairs leading_by_block_krylov(Index size, Index count, const Apply& apply, const Random& random,
                                   Index max_products, const Run& run);

}  // namespace unroll
