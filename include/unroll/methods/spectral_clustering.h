#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/affinity/graph_weights.h"
#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/data/scaling.h"
#include "unroll/graph/label_assignment.h"
#include "unroll/linalg/eigen_solver_choice.h"
#include "unroll/neighbors/components_policy.h"
#include "unroll/neighbors/landmark_choice.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/spectral/laplacian.h"

namespace unroll {

struct SpectralClusteringOptions {
  static constexpr std::string_view method_name = "spectral_clustering";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points,          InputKind::SparsePoints,
                                          InputKind::Distances,       InputKind::Similarities,
                                          InputKind::SparseDistances, InputKind::SparseSimilarities};

  std::int64_t n_clusters = 8;
  std::optional<std::int64_t> n_components = {};
  std::optional<std::int64_t> n_neighbors = {};
  std::optional<double> radius = {};
  Symmetrization symmetrization = Symmetrization::Union;
  GraphKind graph = GraphKind::Neighbors;
  EdgeWeights weights = EdgeWeights::Heat;
  std::optional<double> sigma = {};
  Bandwidth bandwidth = Bandwidth::SelfTuning;
  Laplacian laplacian = Laplacian::Symmetric;
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  ComponentsPolicy components = ComponentsPolicy::Keep;
  LabelAssignment assign_labels = LabelAssignment::KMeans;
  std::int64_t n_init = 10;
  std::optional<std::int64_t> n_landmarks = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;
  EigenSolver eigen_solver = EigenSolver::Auto;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// Spectral clustering 1 (von Luxburg 2007), 2 (Shi & Malik 2000) and 3 (Ng, Jordan & Weiss 2002), by the Laplacian:
/// k-means in the first eigenvectors of the graph, which are the coordinates, or another rule of assign_labels.
/// Model::labels() has the cluster of every point, which is its nearest center; Model::predict finds those of new
/// points. Attributes: cluster_sizes, inertia, suggested_clusters (the number of eigenvalues before the largest gap of
/// their square roots, at least one per component; the spectrum has the first n_clusters + 5, or components + 5 for up
/// to 100 components), conductance (per cluster: weight of the edges that leave it, over the volume of the smaller
/// side; not with landmarks), largest_conductance, centers, and the attributes of Laplacian eigenmaps.
UNROLL_API Model spectral_clustering(const Input& input, const SpectralClusteringOptions& options = {},
                                     const Run& run = {});

}  // namespace unroll
