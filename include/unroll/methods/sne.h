#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/data/scaling.h"
#include "unroll/layout/layout_start.h"
#include "unroll/layout/pair_forces.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

struct SneOptions {
  static constexpr std::string_view method_name = "sne";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::SparsePoints, InputKind::Distances,
                                          InputKind::SparseDistances};
  static constexpr std::string_view iterations_option = "n_iter";

  std::int64_t n_components = 2;
  std::optional<std::vector<double>> perplexity = {};
  std::int64_t n_iter = 1000;
  std::optional<double> learning_rate = {};
  double tol = 1e-4;
  PairForces gradient = PairForces::Auto;
  LayoutStart init = LayoutStart::Auto;
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
  /// The neighbours that it looks for among n points.
  UNROLL_API static Index needed_neighbors(const SneOptions& options, Index n);
};

/// Stochastic neighbour embedding (Hinton & Roweis 2002): t-SNE's elder. P and Q are Gaussian, and every point has a
/// distribution of its own; gradient descent makes the sum of KL(P_i || Q_i) small. Without heavy tails, clusters are
/// crowded together in the middle.
/// New points are placed as in t-SNE. Input::init is a start, Input::resume a model to go on from.
/// Attributes: n_iter, the iterations done; kl_divergence, the mean over the points;
/// recall, as of t-SNE.
UNROLL_API Model sne(const Input& input, const SneOptions& options = {}, const Run& run = {});

}  // namespace unroll
