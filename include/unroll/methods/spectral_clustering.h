#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "unroll/affinity/graph_weights.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/core/sparse.h"
#include "unroll/data/scaling.h"
#include "unroll/linalg/eigen_solver_choice.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/spectral/components_policy.h"
#include "unroll/spectral/landmark_choice.h"
#include "unroll/spectral/laplacian.h"

namespace unroll {

struct SpectralClusteringOptions {
  static constexpr std::string_view method_name = "spectral_clustering";

  std::int64_t n_clusters = 8;
  std::optional<std::int64_t> n_components = {};
  std::optional<std::int64_t> n_neighbors = {};
  std::optional<double> radius = {};
  EdgeSymmetry symmetrization = EdgeSymmetry::Union;
  GraphKind graph = GraphKind::Neighbors;
  EdgeWeights weights = EdgeWeights::Heat;
  std::optional<double> sigma = {};
  Bandwidth bandwidth = Bandwidth::SelfTuning;
  Laplacian laplacian = Laplacian::Symmetric;
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  ComponentsPolicy components = ComponentsPolicy::Keep;
  std::int64_t n_init = 10;
  std::optional<std::int64_t> n_landmarks = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;
  EigenSolver eigen_solver = EigenSolver::Auto;
  Scaling scale = Scaling::None;
  std::int64_t random_state = 0;

  static constexpr auto fields() {
    using O = SpectralClusteringOptions;
    return std::tuple{
        Field{"n_clusters", &O::n_clusters, at_least(1), "Clusters to find."},
        Field{"n_components", &O::n_components, at_least(1),
              "Eigenvectors in which they are looked for. Auto: as many as clusters."},
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
        Field{"laplacian", &O::laplacian, any_value(),
              "Clustering 1: unnormalized, D - W; 2: random_walk, I - D^-1 W; 3: symmetric, I - D^-1/2 W D^-1/2."},
        Field{"metric", &O::metric, any_value(),
              "How distance is measured; precomputed: the input is a matrix of distances, full or sparse."},
        Field{"p", &O::p, at_least(1), "Power of the Minkowski metric."},
        Field{"neighbors_algorithm", &O::neighbors_algorithm, any_value(), "How to search neighbors."},
        Field{"components", &O::components, any_value(),
              "What becomes of a graph in several parts; separate is not for clustering: it needs one map."},
        Field{"n_init", &O::n_init, at_least(0),
              "Random starts of k-means, beside the one by pivoted QR; the best result counts."},
        Field{"n_landmarks", &O::n_landmarks, at_least(2),
              "Find eigenvectors of so many points only, and place the others as new points. Auto: all points."},
        Field{"landmarks", &O::landmarks, any_value(), "How landmarks are chosen."},
        Field{"eigen_solver", &O::eigen_solver, any_value(),
              "How eigenvectors are found; auto takes the one of the lowest predicted cost."},
        Field{"scale", &O::scale, any_value(), "Feature scaling before the analysis."},
        Field{"random_state", &O::random_state, at_least(0),
              "Seed of k-means, landmarks, solvers and approximate search."},
    };
  }
};

/// A model whose coordinates are parted into clusters. The model file holds it all: save `model`, and make a
/// SpectralClustering of what load_model reads.
struct SpectralClustering {
  /// Throws InvalidData for a model that spectral_clustering has not made.
  UNROLL_API explicit SpectralClustering(Model fitted, const Run& run = {});

  Model model;                     ///< coordinates: a row per point, its entries of the eigenvectors
  Array2<double> centers = {};     ///< in these coordinates, one per row
  std::vector<Index> labels = {};  ///< per point: its nearest center; numbered in the order of their first points

  /// The clusters of new points. A point's label does not depend on the points beside it.
  UNROLL_API std::vector<Index> predict(PointsView points, const Run& run = {}) const;
};

/// Spectral clustering 1 (von Luxburg 2007), 2 (Shi & Malik 2000) and 3 (Ng, Jordan & Weiss 2002), by the Laplacian:
/// k-means in the first eigenvectors of the graph. Diagnostics: cluster_sizes, inertia, suggested_clusters (how
/// many eigenvalues are before the largest gap of their roots, at least one per component; the spectrum has the first
/// n_clusters + 5, or components + 5 of up to 100 components),
/// conductance (per cluster: weight of the edges that leave it, over that of the smaller side; not with landmarks) and
/// largest_conductance, centers, and those of Laplacian eigenmaps.
UNROLL_API SpectralClustering spectral_clustering(PointsView points, const SpectralClusteringOptions& options = {},
                                                  const Run& run = {});
/// The same from a sparse matrix of distances (metric = precomputed) or weights (weights = precomputed).
UNROLL_API SpectralClustering spectral_clustering(const SparseMatrix& matrix,
                                                  const SpectralClusteringOptions& options = {}, const Run& run = {});

}  // namespace unroll
