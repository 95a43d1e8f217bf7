#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/data/scaling.h"
#include "unroll/layout/layout_start.h"
#include "unroll/neighbors/components_policy.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// What becomes of the distances between neighbours.
enum class DistanceRule {
  Equality,    ///< they are kept
  Inequality,  ///< they do not grow
};
constexpr auto enum_names(DistanceRule) {
  return std::array{Named{DistanceRule::Equality, "equality"}, Named{DistanceRule::Inequality, "inequality"}};
}

struct MvuOptions {
  static constexpr std::string_view method_name = "mvu";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::Distances, InputKind::SparseDistances};
  static constexpr std::string_view iterations_option = "n_iter";

  std::int64_t n_components = 2;
  std::optional<std::int64_t> n_neighbors = {};
  DistanceRule constraints = DistanceRule::Equality;
  double slack = 1e-3;
  std::int64_t n_iter = 3000;
  double tol = 1e-3;
  bool certify = false;
  LayoutStart init = LayoutStart::Auto;
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  ComponentsPolicy components = ComponentsPolicy::Error;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
  /// The neighbours that it looks for among n points.
  UNROLL_API static Index needed_neighbors(const MvuOptions& options, Index n);
};

/// Maximum variance unfolding (Weinberger & Saul 2004): pulls all points apart as far as the distances between near
/// points allow. The semidefinite program max tr K, K >= 0, sum K = 0, K_ii - 2 K_ij + K_jj = d_ij^2 for neighbours and
/// for pairs that share one is solved for a factor of K of low rank; the map is its principal axes. The squared
/// distances may differ by the slack, the root of the sum of squares relative to that of the squared distances: without
/// it a curved sheet is rigid, and does not unfold. New points: transform takes points, or with metric = precomputed
/// rows of distances to the training points. A row that equals a training point has its coordinates; others are placed
/// one by one so that the distances to their neighbours are kept best. Input::init is a start, Input::resume a model to
/// go on from. A start may be of any size, since only its shape counts. Attributes: n_iter; objective, tr K; violation
/// and largest_violation of the squared distances, relative to their root mean square; dual_bound, which no allowed K
/// exceeds, gap and certified: |gap| < 1e-3, and the violation is at most slack + tol; rank; kernel_factor, a matrix Y
/// with K = Y Y^T; eigenvalue_unit: if it is not 1, the eigenvalues, objective and dual_bound belong to the distances
/// times it; constraints, their number; graph_edges, components, recall.
UNROLL_API Model mvu(const Input& input, const MvuOptions& options = {}, const Run& run = {});

}  // namespace unroll
