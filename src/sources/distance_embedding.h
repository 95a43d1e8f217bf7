#pragma once
#include <vector>

#include "core/method_fit.h"
#include "spectral/source.h"
#include "unroll/core/input.h"
#include "unroll/neighbors/neighbors.h"

/// Maps of distances between points.
namespace unroll {

struct DistanceSettings {
  Metric metric = Metric::Euclidean;
  double p = 2;
  bool additive_constant = false;  ///< add the smallest number that makes the distances Euclidean
};

/// Runs the row of the table on W = -d^2 / 2, d all distances; a given matrix is used in place.
MethodFit embed_distances(const Recipe& row, const Input& input, const DistanceSettings& distances,
                          SpectralSettings settings, const Run& run);
/// The same with the distances from landmarks (de Silva & Tenenbaum 2004).
MethodFit embed_distances_from(const std::vector<Index>& landmarks, const Recipe& row, const Input& input,
                               const DistanceSettings& distances, SpectralSettings settings, const Run& run);

/// Whether the row is classical scaling. Of Euclidean distances its map is that of embed_centered_points.
constexpr bool is_classical_scaling(const Recipe& row) {
  return row.density == Density::Keep && row.operation == OperatorRule::Centered && row.order == Order::Largest &&
         row.skip == Skip::None && row.coordinates == CoordinateRule::SqrtEigenvalue &&
         row.new_point == NewPointRule::Centered;
}

/// The result of classical scaling for Euclidean distances without computing them: J W J = Z Z' for the centred points
/// Z. Its eigenvectors times sqrt(lambda) are the scores of principal component analysis.
MethodFit embed_centered_points(PointsView points, const SpectralSettings& settings, const Run& run);

/// Throws OutOfMemory if the distances from `from` points to all n do not fit.
void plan_distances(Index from, Index n, const Run& run);

}  // namespace unroll
