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

/// What LLE and its kin have in common: each patch of neighbours charges a map Y of its members for what is wrong with
/// it, and the map makes the sum over all patches small.
namespace unroll {

/// The members of every patch.
struct Patches {
  Index points = 0;                  ///< how many there are in all
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

/// What a patch charges a map Y of its members for, by few columns F with a row per member.
enum class Charge : std::uint8_t {
  Columns,       ///< |F' Y|^2
  Rest,          ///< |(I - F F') Y|^2, F orthonormal
  FirstAndRest,  ///< |f' Y|^2 + |(I - F F') Y|^2, f the first column, F the others, orthonormal
};

/// M = sum over patches of S' B S, where S selects the members of a patch and B = F F', I - F F' or f f' + I - F F'.
struct LocalFits {
  Patches patches = {};
  std::vector<Charge> charges = {};         ///< per patch
  std::vector<Index> factor_offsets = {0};  ///< the columns of patch i begin here: a row per member, row after row
  std::vector<double> factors = {};

  Index size() const { return patches.points; }
  Index columns(Index patch) const {
    const auto i = static_cast<std::size_t>(patch);
    const Index entries = factor_offsets[i + 1] - factor_offsets[i], rows = patches.offsets[i + 1] - patches.offsets[i];
    return rows == 0 ? 0 : entries / rows;
  }
  /// How many of these, the first, are charged for; the others are what is free.
  Index charged(Index patch) const {
    switch (charges[static_cast<std::size_t>(patch)]) {
      case Charge::Columns: return columns(patch);
      case Charge::FirstAndRest: return 1;
      default: return 0;
    }
  }
  bool charges_rest(Index patch) const { return charges[static_cast<std::size_t>(patch)] != Charge::Columns; }
  const double* factor(Index patch) const { return factors.data() + factor_offsets[static_cast<std::size_t>(patch)]; }
};

/// Appends the columns of a patch, a row per member, to `factors`; as many as it likes, none where it has nothing to
/// say.
using PatchFit = std::function<Charge(Index patch, std::span<const Index> members, std::vector<double>& factors)>;

/// The fits of all patches. `make` is called once per block of patches: what it returns may keep scratch memory.
LocalFits fit_patches(Patches patches, const std::function<PatchFit()>& make, std::string_view stage, const Run& run);

/// The patches of some points (ascending), renumbered in their order. A patch per point, with members among them only.
LocalFits part(const LocalFits& fits, const std::vector<Index>& points);

/// Points in an order in which members of a patch are near each other: breadth first from a point to the members of its
/// patch. Where there is not a patch per point: as they are.
std::vector<Index> breadth_first_order(const LocalFits& fits);

/// The same fits with point order[j] as number j, and its patch as patch j. What is near is then near in memory, which
/// assembling, factorising and multiplying thank for.
LocalFits reordered(const LocalFits& fits, const std::vector<Index>& order, const Run& run);

/// v -> M v without the matrix: of LLE (I - W)' [(I - W) v]. Residuals are small before they are squared, so that
/// products with what is nearly in the null space keep digits that the assembled matrix has lost.
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

/// Of M: a lower bound of its norm.
double largest_diagonal(const LocalFits& fits);

/// What all patches charge for, per column of Y.
std::vector<double> fit_errors(const LocalFits& fits, const Array2<double>& y, const Run& run);

}  // namespace unroll
