#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "affinity/local_geometry.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/landmark_choice.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// Every point as a mixture of its nearest landmarks, x = sum z_l x_l with sum z_l = 1.
struct LandmarkWeights {
  SparseMatrix z = {};  ///< a row per point, a column per landmark
  Index corrected = 0;  ///< points whose inner products lost a negative part: distances were not Euclidean
};

/// Where landmarks come from: points with coordinates, or a full matrix of distances. Must not outlive either.
class LandmarkSource {
 public:
  LandmarkSource(PointsView points, const LocalGeometry& geometry, const NeighborOptions& options,
                 LandmarkChoice choice, std::uint64_t seed)
      : points_(points), geometry_(geometry), options_(options), choice_(choice), seed_(seed) {}

  /// `count` of these points (ascending), in the order in which they were chosen.
  std::vector<Index> choose(const std::vector<Index>& among, Index count, const Run& run) const;

  /// The weights of the points `rows`. A landmark is itself. Throws InvalidData if weights are not determined.
  LandmarkWeights weights(const std::vector<Index>& rows, const std::vector<Index>& landmarks, Index n_components,
                          const Run& run) const;

 private:
  bool is_matrix() const { return options_.metric == Metric::Precomputed; }
  NeighborGraph nearest(const std::vector<Index>& rows, const std::vector<Index>& landmarks, Index count,
                        const Run& run) const;

  PointsView points_;
  const LocalGeometry& geometry_;
  NeighborOptions options_;
  LandmarkChoice choice_;
  std::uint64_t seed_;
};

}  // namespace unroll
