#pragma once
#include <vector>

#include "affinity/local_geometry.h"
#include "affinity/neighborhoods.h"
#include "affinity/patch_axes.h"

namespace unroll {

/// What is wrong with patches whose fits are made of the axes of their members: inner products that are negative in
/// part, where they come from distances alone, and too few directions. Patches tell theirs on any thread; sums have an
/// order.
class PatchDiagnostics {
 public:
  PatchDiagnostics(const LocalGeometry& geometry, Index patches, Index n_components)
      : negative_(geometry.has_coordinates() ? 0 : static_cast<std::size_t>(patches)),
        is_flat_(static_cast<std::size_t>(patches)),
        n_components_(n_components) {}

  /// Once its eigenvalues are known.
  void look_at(Index patch, const PatchAxes& axes) {
    if (!negative_.empty()) negative_[static_cast<std::size_t>(patch)] = axes.negative_mass();
    if (axes.rank() < n_components_) set_flat(patch);
  }
  /// Its members do not tell all directions, or not all that a fit needs of them.
  void set_flat(Index patch) { is_flat_[static_cast<std::size_t>(patch)] = 1; }

  /// Attribute negative_mass, the mean, and a warning where it is much; a warning of flat patches.
  void report(Neighborhoods& neighborhoods) const;

 private:
  void report_negative(Neighborhoods& neighborhoods) const;

  std::vector<double> negative_;  // share of the inner products, left out of the axes; those of points have none
  std::vector<char> is_flat_;
  Index n_components_;
};

}  // namespace unroll
