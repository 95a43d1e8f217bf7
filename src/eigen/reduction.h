#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "linalg/linear_projection.h"

/// PCA before a method: the usual recipe for images and cells, and the way of sparse rows into methods that read dense
/// points.
namespace unroll {

/// The points on their first principal axes.
struct Reduction {
  std::shared_ptr<const LinearProjection> projection = {};
  Array2<double> coordinates = {};
};
/// Throws InvalidOption for more axes than points or features.
Reduction reduced(PointsView points, std::int64_t axes, std::uint64_t seed, const Run& run);

/// `inner` after the projection, for new points; for inverse_transform the inverse of both. `inner` itself without one.
std::shared_ptr<const Transformer> with_reduction(std::shared_ptr<const LinearProjection> projection,
                                                  std::shared_ptr<const Transformer> inner);
/// The projection of a model file; null if it has none.
std::shared_ptr<const LinearProjection> load_reduction(const ArchiveReader& archive);

}  // namespace unroll
