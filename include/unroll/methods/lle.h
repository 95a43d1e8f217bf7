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

struct LleOptions {
  static constexpr std::string_view method_name = "lle";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::SparsePoints, InputKind::Distances,
                                          InputKind::SparseDistances};

  std::int64_t n_components = 2;
  std::optional<std::int64_t> n_neighbors = {};
  std::optional<double> radius = {};
  double reg = 1e-3;
  bool nonnegative = false;
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
};

/// Locally linear embedding (Roweis & Saul 2000): every point is written as a mixture of its neighbours, and the map
/// keeps the weights of these mixtures. Coordinates have mean 0 and Y'Y = n I; if components are separate, this holds
/// for each with its own n.
/// New points: transform expresses them by their nearest training points with the same rule. With reg = 0 and dependent
/// neighbours the weights are those in the limit of no regularisation; negative eigenvalues of inner products are
/// removed. A row identical to a training row gets its coordinates exactly. With metric = precomputed it takes rows of
/// distances to the training points.
/// A sparse matrix of distances must have those among the neighbours of every point.
/// Attributes: reconstruction_cost (sum over points of |y_i - sum w_ij y_j|^2), components, joining_edges, graph_edges,
/// recall, independence (as of laplacian_eigenmaps), factor_gib (predicted), solvers_tried (those that failed before
/// one succeeded); with landmarks: landmarks, landmark_error.
UNROLL_API Model lle(const Input& input, const LleOptions& options = {}, const Run& run = {});

}  // namespace unroll
