#pragma once
#include <vector>

#include "local/local_geometry.h"
#include "local/neighborhoods.h"
#include "local/patch_axes.h"

namespace unroll {

/// How much of the inner products of every patch is negative, and so left out of its axes, where they come from
/// distances alone; those of points have no such part. Patches set theirs on any thread; the sum has an order.
class NegativeMass {
 public:
  NegativeMass(const LocalGeometry& geometry, Index patches)
      : shares_(geometry.has_coordinates() ? 0 : static_cast<std::size_t>(patches)) {}

  void set(Index patch, const PatchAxes& axes) {
    if (!shares_.empty()) shares_[static_cast<std::size_t>(patch)] = axes.negative_mass();
  }

  /// Diagnostic negative_mass, the mean, and a warning where it is much.
  void report(Neighborhoods& hoods) const;

 private:
  std::vector<double> shares_;
};

}  // namespace unroll
