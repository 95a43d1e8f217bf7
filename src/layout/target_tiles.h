#pragma once
#include <functional>
#include <variant>
#include <vector>

#include "neighbors/tile_schedule.h"
#include "simd/stress_kernels.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

/// Distances of all pairs and maps in blocks of points, as the kernels of stress want them.
namespace unroll {

inline Index stress_blocks(Index n) { return block_count(n, simd::kStressBlock); }
/// Tiles (a, b) with a <= b, row after row.
inline Index stress_tile(Index blocks, Index a, Index b) { return a * blocks - a * (a - 1) / 2 + (b - a); }
inline constexpr Index kStressTileSize = simd::kStressBlock * simd::kStressBlock;

/// How the distances are kept: in memory, or computed again whenever they are needed.
enum class KeptAs { Double, Single, Nothing };

/// By the number of points alone: in double as long as that is little, then in float, whose rounding is far below any
/// stress; beyond 20 000 points, 0.8 GB, not at all. `can_compute`: nothing needs to be kept.
KeptAs kept_as(Index n, bool can_compute);

/// A map, block after block and coordinate after coordinate within it, with zeros after the last point.
class BlockedMap {
 public:
  BlockedMap(Index n, Index dims) : dims_(dims), values_(stress_blocks(n), dims * simd::kStressBlock) {}
  explicit BlockedMap(const Array2<double>& map);

  double* block(Index a) { return values_.row(a); }
  const double* block(Index a) const { return values_.row(a); }
  /// factor * value, as rows of points.
  void unpack(double factor, Array2<double>& map) const;

 private:
  Index dims_;
  Array2<double> values_;
};

/// The target distances of all pairs, in the unit of the map.
class TargetTiles {
 public:
  using Distance = std::function<double(Index i, Index j)>;
  TargetTiles(Index n, Distance distance, KeptAs kept, const Run& run);

  Index size() const { return n_; }

  /// visit(tile, a, b) for the pairs of all blocks a <= b. No two concurrent calls share a block.
  template <class Visit>
  void visit(double floor, const Run& run, Visit&& visit) const {
    const Index blocks = stress_blocks(n_);
    for_block_pairs(blocks, run, {}, [&](Index a, Index b) {
      std::visit(
          [&]<class T>(const std::vector<T>& stored) {
            std::vector<T> own;
            if (stored.empty()) fill(a, b, own);
            const T* targets =
                stored.empty() ? own.data() : stored.data() + stress_tile(blocks, a, b) * kStressTileSize;
            visit(simd::StressTile<T>{targets, points_in(a), points_in(b), a == b, floor}, a, b);
          },
          stored_);
    });
  }

 private:
  Index points_in(Index block) const { return std::min(simd::kStressBlock, n_ - block * simd::kStressBlock); }
  template <class T>
  void fill(Index a, Index b, std::vector<T>& out) const {
    out.resize(static_cast<std::size_t>(kStressTileSize));
    fill_at(a, b, out.data());
  }
  template <class T>
  void fill_at(Index a, Index b, T* out) const;

  Index n_;
  Distance distance_;
  std::variant<std::vector<double>, std::vector<float>> stored_;  ///< empty: they are computed when needed
};

}  // namespace unroll
