#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// A positive semidefinite matrix A whose columns are computed when they are needed.
struct ColumnSource {
  Index size = 0;
  std::vector<double> diagonal = {};
  /// A(:, chosen), a row per row of A and a column per index.
  std::function<Array2<double>(const std::vector<Index>& chosen)> columns = {};
  /// A(chosen, chosen).
  std::function<Array2<double>(const std::vector<Index>& chosen)> square = {};
};

/// A is close to F F^T, exact in the rows and columns of the pivots.
struct PivotedCholesky {
  std::vector<Index> pivots = {};
  Array2<double> columns = {};  ///< F; columns beyond the number of pivots are undefined
  double trace = 0;             ///< of A
  double remaining = 0;         ///< trace of A - F F^T, which is its nuclear norm: it is positive semidefinite
  Index dropped = 0;            ///< number of given pivots that depend on those before them

  /// F, a row per point and a column per pivot; its rows at the pivots, in their order, are lower triangular.
  MatrixView<double> factor() const {
    return {columns.data(), columns.rows(), static_cast<Index>(pivots.size()), columns.cols()};
  }
};

/// Size of a block of pivots, whose columns are held beside F.
inline constexpr Index kPivotBlock = 64;

/// Randomly pivoted Cholesky (Chen, Epperly, Tropp & Webber 2022): every pivot is drawn with a probability proportional
/// to its remaining diagonal entry, which comes near the best approximation of that rank. Pivots are proposed in blocks
/// and thinned by rejection, which gives the same distribution with matrix products instead of single columns (Epperly,
/// Tropp & Webber 2024, "accelerated"). At most `rank` pivots, fewer when only rounding is left.
///
/// The same bits at any thread count. Throws InvalidData when the factorisation shows that A is not positive
/// semidefinite.
PivotedCholesky randomly_pivoted_cholesky(const ColumnSource& a, Index rank, std::uint64_t seed, const Run& run);

/// The same with pivots that the caller has chosen (the Nystrom approximation). Pivots that depend on others are
/// dropped.
PivotedCholesky cholesky_at(const ColumnSource& a, const std::vector<Index>& pivots, const Run& run);

}  // namespace unroll
