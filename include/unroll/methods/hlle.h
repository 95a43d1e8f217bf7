#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/data/scaling.h"
#include "unroll/linalg/eigen_solver_choice.h"
#include "unroll/neighbors/components_policy.h"
#include "unroll/neighbors/landmark_choice.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// Which part of a map the cost of a neighbourhood counts.
enum class HessianEstimator {
  SecondDerivatives,  ///< the d (d+1) / 2 second derivatives that the paper estimates
  Complement,         ///< everything that is not linear, as in scikit-learn: the map is that of LTSA
};
constexpr auto enum_names(HessianEstimator) {
  return std::array{Named{HessianEstimator::SecondDerivatives, "second_derivatives"},
                    Named{HessianEstimator::Complement, "complement"}};
}

struct HlleOptions {
  static constexpr std::string_view method_name = "hlle";
  static constexpr Index min_points = 4;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::SparsePoints, InputKind::Distances,
                                          InputKind::SparseDistances};

  std::int64_t n_components = 2;
  std::optional<std::int64_t> n_neighbors = {};
  std::optional<double> radius = {};
  HessianEstimator estimator = HessianEstimator::SecondDerivatives;
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  ComponentsPolicy components = ComponentsPolicy::Separate;
  bool independent = false;
  std::optional<std::int64_t> n_landmarks = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;
  EigenSolver eigen_solver = EigenSolver::Auto;
  double max_factor_gib = 8;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();

  /// 1, d tangent coordinates and their d (d+1) / 2 products are fitted in a neighbourhood.
  static constexpr Index min_neighbors(Index d) { return 1 + d + d * (d + 1) / 2; }
};

/// Hessian eigenmaps (Donoho & Grimes 2003): the functions whose second derivatives, estimated in the tangent space of
/// every neighbourhood, are smallest. Recovers any open connected set of parameters, convex or not. Coordinates have
/// mean 0 and Y'Y = n I; if components are separate, this holds for each with its own n. Needs at least 1 + d + d (d+1)
/// / 2 neighbours for d components.
/// New points: transform applies the affine map that fits the nearest training point's neighbourhood to its
/// coordinates, anchored at that point; a row identical to a training row gets its coordinates exactly. With metric =
/// precomputed it takes rows of distances to the training points.
/// A sparse matrix of distances must have those among the neighbours of every point.
/// Attributes: reconstruction_cost (sum over points of the squared Hessian), components, joining_edges, graph_edges,
/// recall, independence (as of laplacian_eigenmaps), factor_gib (predicted), solvers_tried (those that failed before
/// one succeeded); with landmarks: landmarks, landmark_error; if only distances are given: negative_mass (the mean
/// share of negative eigenvalues among those of the neighbourhoods' inner products).
UNROLL_API Model hlle(const Input& input, const HlleOptions& options = {}, const Run& run = {});

}  // namespace unroll
