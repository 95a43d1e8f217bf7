#pragma once
#include <vector>

#include "affinity/local_geometry.h"
#include "affinity/neighborhoods.h"
#include "affinity/patch_axes.h"

namespace unroll {

/// Collects the defects of patches that are fitted by their axes: negative eigenvalues, if inner products come from
/// distances alone, and too few directions. Any thread may report a patch; sums are made in the order of patches.
class PatchDiagnostics {
 public:
  PatchDiagnostics(const LocalGeometry& geometry, Index patches, Index n_components)
      : negative_(geometry.has_coordinates() ? 0 : static_cast<std::size_t>(patches)),
        is_flat_(static_cast<std::size_t>(patches)),
        n_components_(n_components) {}

  /// Call it when the eigenvalues of the patch are known.
  void look_at(Index patch, const PatchAxes& axes) {
    if (!negative_.empty()) negative_[static_cast<std::size_t>(patch)] = axes.negative_mass();
    if (axes.rank() < n_components_) set_flat(patch);
  }
  /// The members of the patch do not determine all directions that the fit needs.
  void set_flat(Index patch) { is_flat_[static_cast<std::size_t>(patch)] = 1; }

  /// Adds the attribute negative_mass (the mean), and warnings of a large negative mass and of flat patches.
  void report(Neighborhoods& neighborhoods) const;

 private:
  void report_negative(Neighborhoods& neighborhoods) const;

  std::vector<double> negative_;  // negative mass per patch; empty if there are coordinates
  std::vector<char> is_flat_;
  Index n_components_;
};

}  // namespace unroll
