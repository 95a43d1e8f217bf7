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
#include "unroll/neighbors/neighbors.h"

namespace unroll {

struct LabelEigenvectorsOptions {
  static constexpr std::string_view method_name = "label_eigenvectors";
  static constexpr Index min_points = 2;
  static constexpr bool needs_labels = true;
  static constexpr std::array input_kinds{InputKind::Points,          InputKind::SparsePoints,
                                          InputKind::Distances,       InputKind::Similarities,
                                          InputKind::SparseDistances, InputKind::SparseSimilarities};

  std::optional<std::int64_t> n_eigenvectors = {};
  bool class_mass_normalization = false;
  std::optional<std::int64_t> n_neighbors = {};
  std::optional<double> radius = {};
  Symmetrization symmetrization = Symmetrization::Union;
  GraphKind graph = GraphKind::Neighbors;
  EdgeWeights weights = EdgeWeights::Heat;
  std::optional<double> sigma = {};
  Bandwidth bandwidth = Bandwidth::SelfTuning;
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  ComponentsPolicy components = ComponentsPolicy::Keep;
  EigenSolver eigen_solver = EigenSolver::Auto;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// Classes as linear functions of the first eigenvectors of the Laplacian I - D^-1 W (Belkin & Niyogi 2004): least
/// squares for the points of Input::labels, in every component of the graph by itself. Functions that vary slowly along
/// the graph are combinations of few eigenvectors, so that few labels determine them.
///
/// Coordinates, labels, new points and attributes are as of label_propagation; probabilities are the fitted functions
/// cut to [0, 1] and scaled to the sum 1. The spectrum is that of the largest component with several classes.
UNROLL_API Model label_eigenvectors(const Input& input, const LabelEigenvectorsOptions& options = {},
                                    const Run& run = {});

}  // namespace unroll
