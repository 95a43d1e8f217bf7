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

struct LabelPropagationOptions {
  static constexpr std::string_view method_name = "label_propagation";
  static constexpr Index min_points = 2;
  static constexpr bool needs_labels = true;
  static constexpr std::array input_kinds{InputKind::Points,          InputKind::SparsePoints,
                                          InputKind::Distances,       InputKind::Similarities,
                                          InputKind::SparseDistances, InputKind::SparseSimilarities};

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

/// Label propagation (Zhu, Ghahramani & Lafferty 2003): points of Input::labels keep their class, and the others have
/// the mean of their neighbours, weighted by the edges: (D - W)_uu F_u = W_ul Y_l. F_ic is the probability that a
/// random walk from point i meets class c first.
///
/// The coordinates of the model are these probabilities, a column per class. Model::labels() has the most likely class
/// of every point, as Input::labels has it; -1 where no label reaches a point: its component has none, all classes are
/// as likely, and a warning says so. New points have the mean of the points that they would be joined to; one without
/// edges to labelled parts has equal probabilities and the label -1.
///
/// Attributes: classes (ascending, one per column), known_labels, unlabeled_points, unlabeled_components, n_iter (0:
/// the closed form), residual (of the system, relative to its parts), solver, and those of the graph.
UNROLL_API Model label_propagation(const Input& input, const LabelPropagationOptions& options = {},
                                   const Run& run = {});

}  // namespace unroll
