#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

#include "unroll/affinity/graph_weights.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/core/sparse.h"
#include "unroll/data/scaling.h"
#include "unroll/linalg/eigen_solver_choice.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/spectral/components_policy.h"
#include "unroll/spectral/landmark_choice.h"

namespace unroll {

struct DiffusionMapsOptions {
  static constexpr std::string_view method_name = "diffusion_maps";

  std::int64_t n_components = 2;
  std::optional<std::int64_t> n_neighbors = {};
  std::optional<double> radius = {};
  EdgeSymmetry symmetrization = EdgeSymmetry::Union;
  GraphKind graph = GraphKind::Neighbors;
  EdgeWeights weights = EdgeWeights::Heat;
  std::optional<double> sigma = {};
  Bandwidth bandwidth = Bandwidth::Median;
  double alpha = 1;
  double t = 1;
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  ComponentsPolicy components = ComponentsPolicy::Separate;
  bool independent = false;
  std::optional<std::int64_t> n_landmarks = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;
  EigenSolver eigen_solver = EigenSolver::Auto;
  Scaling scale = Scaling::None;
  std::int64_t random_state = 0;

  static constexpr auto fields() {
    using O = DiffusionMapsOptions;
    return std::tuple{
        Field{"n_components", &O::n_components, at_least(1), "Coordinates to compute."},
        Field{
            "n_neighbors", &O::n_neighbors, at_least(1),
            "Nearest points that a point is joined to. Auto: 10, or all within the radius, or all entries of a sparse "
            "matrix."},
        Field{"radius", &O::radius, above(0), "Join points up to this distance only."},
        Field{"symmetrization", &O::symmetrization, any_value(),
              "Of an edge that only one end has among its nearest: it counts, it goes, or it counts half."},
        Field{"graph", &O::graph, any_value(), "Which points are joined: neighbors, or all."},
        Field{"weights", &O::weights, any_value(),
              "What edges weigh: heat, 1 each, or what the input says (precomputed: it is the matrix of weights)."},
        Field{"sigma", &O::sigma, above(0), "Width of the heat, exp(-d^2 / (2 sigma^2)). Auto: by the bandwidth rule."},
        Field{"bandwidth", &O::bandwidth, any_value(), "How sigma is chosen."},
        Field{"alpha", &O::alpha, between(0, 1),
              "Power of the density that weights are divided by: 1 forgets how densely points lie, 0 does not."},
        Field{"t", &O::t, at_least(0), "Diffusion time: coordinates are lambda^t psi."},
        Field{"metric", &O::metric, any_value(),
              "How distance is measured; precomputed: the input is a matrix of distances, full or sparse."},
        Field{"p", &O::p, at_least(1), "Power of the Minkowski metric."},
        Field{"neighbors_algorithm", &O::neighbors_algorithm, any_value(), "How to search neighbors."},
        Field{"components", &O::components, any_value(), "What becomes of a graph in several parts."},
        Field{"independent", &O::independent, any_value(),
              "Skip coordinates that are mostly functions of those before them, as the harmonics of a long strip are; "
              "looks at up to 50 eigenvectors."},
        Field{"n_landmarks", &O::n_landmarks, at_least(2),
              "Embed so many points only, and place the others as new points. Auto: all points."},
        Field{"landmarks", &O::landmarks, any_value(), "How landmarks are chosen."},
        Field{"eigen_solver", &O::eigen_solver, any_value(),
              "How eigenvectors are found; auto takes the one of the lowest predicted cost."},
        Field{"scale", &O::scale, any_value(), "Feature scaling before the analysis."},
        Field{"random_state", &O::random_state, at_least(0), "Seed of landmarks, solvers and approximate search."},
    };
  }
};

/// Diffusion maps (Coifman & Lafon 2006): eigenfunctions of a random walk among the points, times lambda^t. Distances
/// in the map of all coordinates are diffusion distances at time t. The kernel is exp(-d^2 / (2 sigma^2)), 1 for a
/// point and itself; of neighbours only, or of all pairs (graph = full). New points: transform takes points, or with
/// metric or weights = precomputed rows of distances or weights to the training points. Diagnostics: sigma, components,
/// graph_edges, recall, independence (per coordinate: how little of it those before it tell, 0 to 1), with landmarks:
/// landmarks, landmark_error.
UNROLL_API Model diffusion_maps(PointsView points, const DiffusionMapsOptions& options = {}, const Run& run = {});
/// The same from a sparse matrix of distances (metric = precomputed) or weights (weights = precomputed).
UNROLL_API Model diffusion_maps(const SparseMatrix& matrix, const DiffusionMapsOptions& options = {},
                                const Run& run = {});

}  // namespace unroll
