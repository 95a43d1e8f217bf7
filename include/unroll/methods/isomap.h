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

/// How shortest paths are found.
enum class PathMethod {
  Auto,           ///< dijkstra
  Dijkstra,       ///< the distances of Dijkstra's algorithm; several sources share one search
  FloydWarshall,  ///< for dense small graphs
};
constexpr auto enum_names(PathMethod) {
  return std::array{Named{PathMethod::Auto, "auto"}, Named{PathMethod::Dijkstra, "dijkstra"},
                    Named{PathMethod::FloydWarshall, "floyd_warshall"}};
}

struct IsomapOptions {
  static constexpr std::string_view method_name = "isomap";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::SparsePoints, InputKind::Distances,
                                          InputKind::SparseDistances};

  std::int64_t n_components = 2;
  std::optional<std::int64_t> n_neighbors = {};
  std::optional<double> radius = {};
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  PathMethod path_method = PathMethod::Auto;
  ComponentsPolicy components = ComponentsPolicy::Connect;
  std::optional<std::int64_t> n_landmarks = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;
  FullEigenSolver eigen_solver = FullEigenSolver::Auto;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// Isomap (Tenenbaum, de Silva & Langford 2000): classical scaling of the lengths of shortest paths through the graph
/// of neighbours. New points: transform takes points; with metric = precomputed it takes rows of distances to the
/// training points. Shortest paths go from the new points through the stored graph.
/// The entries of a sparse matrix (the n_neighbors shortest of each row) are the edges of the graph.
/// Attributes: residual_variance for 1 .. n_components dimensions, suggested_components (the last dimension that halves
/// the residual variance), rank, eigenvalue_unit, graph_edges, components, recall, precision (of the path lengths:
/// float32 above 10 000 points); with landmarks: landmarks, landmark_error.
UNROLL_API Model isomap(const Input& input, const IsomapOptions& options = {}, const Run& run = {});

}  // namespace unroll
