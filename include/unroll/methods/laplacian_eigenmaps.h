#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "unroll/affinity/graph_weights.h"
#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/data/scaling.h"
#include "unroll/linalg/eigen_solver_choice.h"
#include "unroll/neighbors/components_policy.h"
#include "unroll/neighbors/landmark_choice.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/spectral/laplacian.h"

namespace unroll {

struct LaplacianEigenmapsOptions {
  static constexpr std::string_view method_name = "laplacian_eigenmaps";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points,          InputKind::SparsePoints,
                                          InputKind::Distances,       InputKind::Similarities,
                                          InputKind::SparseDistances, InputKind::SparseSimilarities};

  std::int64_t n_components = 2;
  std::optional<std::int64_t> n_neighbors = {};
  std::optional<double> radius = {};
  Symmetrization symmetrization = Symmetrization::Union;
  GraphKind graph = GraphKind::Neighbors;
  EdgeWeights weights = EdgeWeights::Heat;
  std::optional<double> sigma = {};
  Bandwidth bandwidth = Bandwidth::Median;
  Laplacian laplacian = Laplacian::RandomWalk;
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  ComponentsPolicy components = ComponentsPolicy::Separate;
  bool independent = false;
  std::optional<std::int64_t> n_landmarks = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;
  EigenSolver eigen_solver = EigenSolver::Auto;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// Laplacian eigenmaps (Belkin & Niyogi 2003): the smoothest functions on the graph of neighbours as coordinates.
/// New points: transform takes points; with metric or weights = precomputed it takes rows of distances or weights to
/// the training points. Attributes: sigma, components, graph_edges, recall, independence (per coordinate: the share, 0
/// to 1, that the coordinates before it do not explain); with landmarks: landmarks, landmark_error.
UNROLL_API Model laplacian_eigenmaps(const Input& input, const LaplacianEigenmapsOptions& options = {},
                                     const Run& run = {});

}  // namespace unroll
