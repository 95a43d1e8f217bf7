#pragma once
#include <functional>

#include "core/random.h"
#include "linalg/symmetric_eigen.h"

namespace unroll {

/// y = A x for a symmetric A; a row per entry, a column per vector.
using BlockProduct = std::function<void(const Array2<double>& x, Array2<double>& y)>;

struct LanczosSettings {
  Index count = 1;
  Index block = 4;            ///< vectors per product: equal eigenvalues come together up to this number
  Index basis = 60;           ///< vectors kept before a restart
  Index max_products = 1000;  ///< blocks
  double tolerance = 1e-9;
  double norm = 0;  ///< a known lower bound of the norm
  /// Whether the tolerance is relative to each pair's own eigenvalue, or to the norm. Inverses and covariances need the
  /// former: on the scale of the largest eigenvalue, a dominating direction would make every other pair look converged
  /// at once.
  bool relative_to_value = false;
  /// Tests for convergence after every product (if products are expensive), or at restarts only.
  bool eager = false;
  /// When all pairs have converged, searches from a new random start for eigenvalues that were missed.
  bool search_missed = true;
};

/// The algebraically largest eigenpairs, and a bound of the operator's norm.
struct LanczosResult {
  EigenPairs pairs =
      {};           ///< at least `count` that converged, as many as did; residuals as estimated, relative to `norm`
  double norm = 0;  ///< largest magnitude of an eigenvalue seen: a lower bound of the norm
};

/// The `count` algebraically largest eigenpairs by block Lanczos with thick restarts (Wu & Simon 2000), every block
/// orthogonalised twice against the whole basis and against `known`: orthonormal eigenvectors in columns that are
/// neither searched nor returned. A is never assumed to be definite; the smallest pairs are the largest of -A.
///
/// Directions that vanish (an invariant subspace is complete) are replaced by random ones. Converged pairs are checked:
/// the iteration continues from a new random block, orthogonal to them, until its best pair is seen to lie below them.
/// Eigenvalues of higher multiplicity than the block are found in this way, a block at a time.
///
/// Throws NotConverged, with the number of pairs that did converge and the residual reached, after `max_products`
/// blocks or when a product is not finite.
LanczosResult leading_by_lanczos(Index size, const BlockProduct& product, Array2<double> known,
                                 const LanczosSettings& settings, const Random& random, const Run& run);

}  // namespace unroll
