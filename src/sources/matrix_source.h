#pragma once
#include "affinity/pivoted_cholesky.h"
#include "affinity/similarities.h"
#include "linalg/centered_points.h"
#include "spectral/source.h"

namespace unroll {

/// A symmetric matrix of similarities of any sign, from distances or kernels: source of J W J.
class MatrixSource : public Source {
 public:
  /// Must not outlive the matrix.
  explicit MatrixSource(Similarities w);

  Index size() const override { return w_.size(); }
  const Components& components() const override { return components_; }
  void check(const Recipe& row) const override;
  OperatorPairs solve(const Recipe& row, const std::vector<Index>& points, Index count,
                      const SpectralSettings& settings, const Run& run) const override;

 private:
  Similarities w_;
  Components components_;
};

/// W = F F' of low rank: the nonzero eigenvalues of J W J are those of F' J F, which has the side of F's rank, and
/// sqrt(lambda) v = J F u. A new point with similarities w to the pivots has the row L^-1 w of F, where L is F at the
/// pivots.
class FactorSource : public Source {
 public:
  /// Must not outlive the factor.
  FactorSource(const PivotedCholesky& factor, const Run& run);

  Index size() const override { return factor_.factor().rows; }
  const Components& components() const override { return components_; }
  void check(const Recipe& row) const override;
  OperatorPairs solve(const Recipe& row, const std::vector<Index>& points, Index count,
                      const SpectralSettings& settings, const Run& run) const override;
  double trace() const;  ///< of J F F' J
  /// The pivots, up to a translation, in the map of W that every second of them gives. It costs nothing per point.
  Array2<double> pivots_by_half(Index count, const SpectralSettings& settings, const Run& run) const;

 private:
  const PivotedCholesky& factor_;
  CenteredPoints centered_;
  Array2<double> gram_;  ///< F' J F, in the units of centered_
  Components components_;
};

/// Throws Unsupported for cells that a row with centred W may not have.
void check_centered_cells(const Recipe& row);

/// One component of n points.
Components one_component(Index n);

}  // namespace unroll
