#pragma once
#include <vector>

#include "affinity/local_fits.h"
#include "sources/patch_map.h"
#include "spectral/source.h"

namespace unroll {

/// The sum M of the costs of patches of neighbours: (I - W)' (I - W) of reconstruction weights, or an alignment of
/// local fits.
class PatchSource : public Source {
 public:
  /// Must not outlive fits and components. `collapsed`: per component, whether all its points coincide.
  PatchSource(const LocalFits& fits, const Components& components, std::vector<bool> collapsed, bool of_weights,
              PatchSettings settings)
      : fits_(fits),
        components_(components),
        collapsed_(std::move(collapsed)),
        of_weights_(of_weights),
        settings_(settings) {}

  Index size() const override { return fits_.size(); }
  const Components& components() const override { return components_; }
  Index most_pairs() const override;
  bool is_one_point(Index component) const override;
  void check(const Recipe& row) const override;
  OperatorPairs solve(const Recipe& row, const std::vector<Index>& points, Index count,
                      const SpectralSettings& settings, const Run& run) const override;

 private:
  const LocalFits& fits_;
  const Components& components_;
  std::vector<bool> collapsed_;
  bool of_weights_;
  PatchSettings settings_;
};

}  // namespace unroll
