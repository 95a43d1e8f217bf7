#pragma once
#include "affinity/pivoted_cholesky.h"
#include "spectral/spectral_embedding.h"

namespace unroll {

struct LowRankEmbedding {
  SpectralEmbedding embedding = {};
  double trace = 0;  ///< of J F F' J
};

/// Runs a row of the table whose operator is J W J for W = F F': its nonzero eigenvalues are those of F' J F, which has
/// the side of F's rank, and sqrt(lambda) v = J F u. A new point with similarities w to the pivots has the row L^-1 w
/// of F, L the pivots' rows.
LowRankEmbedding embed_low_rank(const Recipe& row, const PivotedCholesky& w, const SpectralSettings& settings,
                                const Run& run);

}  // namespace unroll
