#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/occurrences.h"
#include "eigen/symmetric_operator.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/neighbor_graph.h"

/// The common form of LLE and its relatives: each patch of neighbours has a cost, a quadratic form of the coordinates Y
/// of its members, and the map makes the sum over all patches small.
namespace unroll {

/// The members of every patch.
struct Patches {
  Index points = 0;                  ///< number of all points
  std::vector<Index> offsets = {0};  ///< patch i has members [offsets[i], offsets[i+1])
  std::vector<Index> members = {};

  Index count() const { return static_cast<Index>(offsets.size()) - 1; }
  std::span<const Index> members_of(Index patch) const {
    const auto i = static_cast<std::size_t>(patch);
    return {members.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
};

/// Patch i: the neighbours of point i, nearest first; `with_center`: the point itself before them.
Patches patches_of(const NeighborGraph& nearest, bool with_center);

/// The cost of a patch for the coordinates Y of its members, by a few columns F with a row per member.
enum class PatchForm : std::uint8_t {
  Columns,       ///< |F' Y|^2
  Rest,          ///< |(I - F F') Y|^2, F orthonormal
  FirstAndRest,  ///< |f' Y|^2 + |(I - F F') Y|^2, f the first column, F the others, orthonormal
};

/// M = sum over patches of S' B S, where S selects the members of a patch and B = F F', I - F F' or f f' + I - F F'.
struct LocalFits {
  Patches patches = {};
  std::vector<PatchForm> forms = {};        ///< per patch
  std::vector<Index> factor_offsets = {0};  ///< the columns of patch i begin here: a row per member, row after row
  std::vector<double> factors = {};

  Index size() const { return patches.points; }
  Index columns(Index patch) const {
    const auto i = static_cast<std::size_t>(patch);
    const Index entries = factor_offsets[i + 1] - factor_offsets[i], rows = patches.offsets[i + 1] - patches.offsets[i];
    return rows == 0 ? 0 : entries / rows;
  }
  /// The number of leading columns along which Y costs; the others span what is free.
  Index cost_columns(Index patch) const {
    switch (forms[static_cast<std::size_t>(patch)]) {
      case PatchForm::Columns: return columns(patch);
      case PatchForm::FirstAndRest: return 1;
      default: return 0;
    }
  }
  bool costs_rest(Index patch) const { return forms[static_cast<std::size_t>(patch)] != PatchForm::Columns; }
  const double* factor(Index patch) const { return factors.data() + factor_offsets[static_cast<std::size_t>(patch)]; }
};

/// Appends the columns of a patch, any number of them, to `factors`, a row per member.
using PatchFit = std::function<PatchForm(Index patch, std::span<const Index> members, std::vector<double>& factors)>;

/// The fits of all patches. `make` is called once per block of patches: the function that it returns may keep scratch
/// memory.
LocalFits fit_patches(Patches patches, const std::function<PatchFit()>& make, std::string_view stage, const Run& run);

/// The patches of some points (ascending), renumbered in their order. There must be a patch per point, with members
/// among these points only.
LocalFits part(const LocalFits& fits, const std::vector<Index>& points);

/// Points in an order in which members of a patch are near each other: breadth first from a point to the members of its
/// patch. If there is not a patch per point, the order stays.
std::vector<Index> breadth_first_order(const LocalFits& fits);

/// The same fits with point order[j] as number j, and its patch as patch j. Near points are then near in memory, which
/// speeds up assembling, factorising and multiplying.
LocalFits reordered(const LocalFits& fits, const std::vector<Index>& order, const Run& run);

/// v -> M v without the matrix: for LLE (I - W)' [(I - W) v]. Residuals are small before they are squared, so that
/// products with vectors near the null space keep digits that the assembled matrix has lost.
class LocalFitsOperator : public SymmetricOperator {
 public:
  explicit LocalFitsOperator(const LocalFits& fits, const Run& run);

  Index size() const override { return fits_.size(); }
  void apply(const Array2<double>& x, Array2<double>& y, const Run& run) const override;
  double cost() const override;

 private:
  const LocalFits& fits_;
  Occurrences places_;  // of every point among the members
};

/// The largest diagonal entry of M, a lower bound of its norm.
double largest_diagonal(const LocalFits& fits);

/// The cost of all patches, per column of Y.
std::vector<double> fit_errors(const LocalFits& fits, const Array2<double>& y, const Run& run);

}  // namespace unroll
