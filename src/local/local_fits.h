#pragma once
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "linalg/symmetric_operator.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/neighbor_graph.h"

/// What LLE and its kin have in common: each patch of neighbours says what is wrong with a map Y of its members,
/// |F' Y|^2 or |(I - F F') Y|^2, and the map makes the sum over all patches small.
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

/// M = sum over patches of S' B S, where S selects the members of a patch and B = F F', or its complement I - F F'.
struct LocalFits {
  Patches patches = {};
  std::vector<Index> factor_offsets = {0};  ///< F of patch i begins here: a row per member, row after row
  std::vector<double> factors = {};
  bool complement = false;

  Index size() const { return patches.points; }
  /// Columns of F.
  Index columns(Index patch) const {
    const auto i = static_cast<std::size_t>(patch);
    const Index entries = factor_offsets[i + 1] - factor_offsets[i], rows = patches.offsets[i + 1] - patches.offsets[i];
    return rows == 0 ? 0 : entries / rows;
  }
  const double* factor(Index patch) const { return factors.data() + factor_offsets[static_cast<std::size_t>(patch)]; }
};

/// Appends F of a patch, a row per member, to `factors`; as many columns as it likes, none where it has nothing to say.
using PatchFit = std::function<void(Index patch, std::span<const Index> members, std::vector<double>& factors)>;

/// The fits of all patches. `make` is called once per block of patches: what it returns may keep scratch memory.
LocalFits fit_patches(Patches patches, bool complement, const std::function<PatchFit()>& make, std::string_view stage,
                      const Run& run);

/// The patches of one component, its points renumbered in their order. No patch crosses components.
LocalFits part(const LocalFits& fits, const Components& components, Index component);

/// Points in an order in which members of a patch are near each other: breadth first from a point to the members of its
/// patch. Where there is not a patch per point: as they are.
std::vector<Index> breadth_first_order(const LocalFits& fits);

/// The same fits with point order[j] as number j, and its patch as patch j. What is near is then near in memory, which
/// assembling, factorising and multiplying thank for.
LocalFits reordered(const LocalFits& fits, const std::vector<Index>& order, const Run& run);

/// Groups of points whose patches have members of the group alone, no such group within another: of LLE, whose patches
/// begin with their own point, each adds a vector to the null space of M. 0 where patches are not of that kind.
Index closed_groups(const Patches& patches);

/// M, both triangles, symmetric to the last bit. A point of no patch has an entry on the diagonal, zero.
SparseMatrix assembled(const LocalFits& fits, const Run& run);

/// v -> M v without the matrix: of LLE (I - W)' [(I - W) v]. Residuals are small before they are squared, so that
/// products with what is nearly in the null space keep digits that the assembled matrix has lost.
class LocalFitsOperator : public SymmetricOperator {
 public:
  explicit LocalFitsOperator(const LocalFits& fits);

  Index size() const override { return fits_.size(); }
  void apply(const Array2<double>& x, Array2<double>& y, const Run& run) const override;
  double cost() const override;

 private:
  const LocalFits& fits_;
  /// Which places of `members` hold a point.
  std::vector<Index> place_offsets_;
  std::vector<Index> places_;
};

/// |F' Y|^2 or |(I - F F') Y|^2 over all patches, per column of Y.
std::vector<double> fit_errors(const LocalFits& fits, const Array2<double>& y, const Run& run);

}  // namespace unroll
