#include "layout/target_tiles.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "unroll/core/error.h"

namespace unroll {

KeptAs kept_as(Index n, bool can_compute) {
  constexpr Index kInDouble = 4000, kInMemory = 20'000;
  if (n <= kInDouble) return KeptAs::Double;
  return n <= kInMemory || !can_compute ? KeptAs::Single : KeptAs::Nothing;
}

BlockedMap::BlockedMap(const Array2<double>& map) : BlockedMap(map.rows(), map.cols()) {
  for (Index i = 0; i < map.rows(); ++i)
    for (Index d = 0; d < dims_; ++d)
      block(i / simd::kStressBlock)[d * simd::kStressBlock + i % simd::kStressBlock] = map(i, d);
}

void BlockedMap::unpack(double factor, Array2<double>& map) const {
  for (Index i = 0; i < map.rows(); ++i)
    for (Index d = 0; d < dims_; ++d)
      map(i, d) = factor * block(i / simd::kStressBlock)[d * simd::kStressBlock + i % simd::kStressBlock];
}

TargetTiles::TargetTiles(Index n, Distance distance, KeptAs kept, const Run& run)
    : n_(n), distance_(std::move(distance)) {
  if (kept == KeptAs::Nothing) return;
  if (kept == KeptAs::Single) stored_ = std::vector<float>();
  const Index blocks = stress_blocks(n), tiles = stress_tile(blocks, blocks - 1, blocks - 1) + 1;
  std::visit(
      [&]<class T>(std::vector<T>& stored) {
        resize_large(stored, at(tiles * kStressTileSize), run);
        parallel_for(
            run, blocks, 1,
            [&](Index a, Index) {
              for (Index b = a; b < blocks; ++b)
                fill_at(a, b, stored.data() + stress_tile(blocks, a, b) * kStressTileSize);
            },
            "distances");
      },
      stored_);
}

template <class T>
void TargetTiles::fill_at(Index a, Index b, T* out) const {
  const Index top = a * simd::kStressBlock, left = b * simd::kStressBlock;
  for (Index i = 0; i < points_in(a); ++i)
    for (Index j = a == b ? i + 1 : 0; j < points_in(b); ++j) {
      const double distance = distance_(top + i, left + j);
      if (!std::isfinite(distance))
        throw Error(ErrorKind::InvalidData, "distances overflow (above 1.8e308)",
                    "rescale the data, e.g. divide by 1024");
      out[i * simd::kStressBlock + j] = static_cast<T>(distance);
    }
}

template void TargetTiles::fill_at(Index, Index, double*) const;
template void TargetTiles::fill_at(Index, Index, float*) const;

}  // namespace unroll
