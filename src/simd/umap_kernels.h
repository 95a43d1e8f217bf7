#pragma once
#include <cstdint>

#include "unroll/core/types.h"

/// The moves of UMAP's optimiser. Like all of src/simd it exists once per instruction set.
namespace unroll::simd {

/// Points that are moved side by side, a lane each: the number of lanes of the widest set. Narrower ones take a group
/// in parts; a lane's bits do not depend on the lanes beside it.
inline constexpr Index kUmapGroup = 16;
inline constexpr Index kUmapMostDims = 10;

/// The curve that memberships of a map are read off, 1 / (1 + a d^2b), and how strongly points that are not joined
/// repel each other.
struct UmapForces {
  float a = 1;
  float b = 1;
  float repulsion = 1;
};

/// What one epoch does to every point.
struct UmapEpoch {
  Index points = 0;  ///< that repel
  Index dims = 0;
  const float* map = nullptr;  ///< points x dims: where all of them are
  /// The edges of point i are [offsets[i], offsets[i+1]). An edge takes part in an epoch with frequency rate / 2^32.
  const Index* offsets = nullptr;
  const std::int32_t* targets = nullptr;
  const std::uint32_t* rates = nullptr;
  /// Those of point i that do, as list_edges has them: taken[offsets[i]] and on are counts[i] numbers of edges, counted
  /// from the point's first.
  const std::int32_t* taken = nullptr;
  const std::int32_t* counts = nullptr;
  /// An edge moves its other end, too: by shares[mirrors[e]], of `dims` numbers, in the place of the same edge as the
  /// other end has it. Null: the other end stays.
  const std::uint32_t* mirrors = nullptr;
  float* shares = nullptr;
  /// densMAP: two numbers per point, and what both count; see UmapDensity. Null: densities do not matter.
  const float* densities = nullptr;
  float density_strength = 0;
  UmapForces forces = {};
  float step = 1;             ///< learning rate
  Index negatives = 5;        ///< points drawn per edge that takes part
  std::uint32_t number = 0;   ///< of the epoch
  std::uint32_t key[2] = {};  ///< random bits for this epoch
  bool in_map = true;         ///< the points that move are points of the map, and no point pushes itself
};

struct UmapKernels {
  /// Lists the edges that take part of `count` points, numbers `first` and on, in `taken` and `counts` of the epoch.
  void (*list_edges)(const UmapEpoch& epoch, Index first, Index count, std::int32_t* taken, std::int32_t* counts);
  /// Moves `count` points, numbers `first` and on, by the edges that take part and the points drawn against them: one
  /// after the other for a point, which moves at once, while all other points stay where they are in the map. `from`
  /// and `to` have `count` rows; `names` are the points' own numbers for the random draws.
  void (*move)(const UmapEpoch& epoch, Index first, Index count, const std::int32_t* names, const float* from,
               float* to);
  /// Moves the points by their shares of the edges that took part and that end below `end`, a number of a point. The
  /// edges of a point are in the order of their ends; of those that take part, cursors[i] is the first that has not
  /// been looked at, and is left at the first beyond `end`. `map` is that of the epoch.
  void (*take_shares)(const UmapEpoch& epoch, Index first, Index count, Index end, std::int32_t* cursors, float* map);
};

}  // namespace unroll::simd
