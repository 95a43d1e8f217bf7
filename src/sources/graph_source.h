#pragma once
#include <optional>

#include "affinity/affinity.h"
#include "spectral/source.h"

namespace unroll {

/// The weights of a graph: source of Laplacians and D^-1 W.
class GraphSource : public Source {
 public:
  /// Divides W by densities, in place, if the row says so. Must not outlive the affinity.
  GraphSource(const Recipe& row, Affinity& affinity, double alpha, const Run& run);

  /// The intrinsic dimension of the points, which helps to choose the solver.
  void set_dimension(std::optional<double> dimension) { dimension_ = dimension; }

  Index size() const override { return affinity_.size(); }
  const Components& components() const override { return affinity_.components; }
  void check(const Recipe& row) const override;
  OperatorPairs solve(const Recipe& row, const std::vector<Index>& points, Index count,
                      const SpectralSettings& settings, const Run& run) const override;
  const std::vector<double>& density() const override { return density_; }

 private:
  OperatorPairs solve(const Recipe& row, const Affinity& part, Index count, const SpectralSettings& settings,
                      const Run& run) const;

  Affinity& affinity_;
  std::vector<Index> number_;  ///< place of every point among those of its component
  std::vector<double> density_;
  std::optional<double> dimension_;
};

}  // namespace unroll
