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
#include "unroll/learn/label_solver.h"
#include "unroll/neighbors/components_policy.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

struct LabelSpreadingOptions {
  static constexpr std::string_view method_name = "label_spreading";
  static constexpr Index min_points = 2;
  static constexpr bool needs_labels = true;
  static constexpr std::array input_kinds{InputKind::Points,          InputKind::SparsePoints,
                                          InputKind::Distances,       InputKind::Similarities,
                                          InputKind::SparseDistances, InputKind::SparseSimilarities};

  double alpha = 0.9;
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
  LabelSolver solver = LabelSolver::Auto;
  double tol = 1e-13;
  std::int64_t max_iter = 10'000;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// Label spreading (Zhou, Bousquet, Lal, Weston & Schoelkopf 2004): every point, also one of Input::labels, takes the
/// share alpha from its neighbours and the rest from its own label: F = alpha S F + (1 - alpha) Y, S = D^-1/2 W D^-1/2.
/// So labels that contradict their surroundings can be overruled. Rows of F are scaled to the sum 1.
///
/// Coordinates, labels, new points and attributes are as of label_propagation; relabeled counts the points of
/// Input::labels that got another class.
UNROLL_API Model label_spreading(const Input& input, const LabelSpreadingOptions& options = {}, const Run& run = {});

}  // namespace unroll
