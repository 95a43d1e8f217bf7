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

/// What the neighbours of a point weigh in the data.
enum class NeighborAffinity {
  Gaussian,  ///< by their distance; 3 * perplexity of them
  Uniform,   ///< all the same; as many as the perplexity says
};
constexpr auto enum_names(NeighborAffinity) {
  return std::array{Named{NeighborAffinity::Gaussian, "gaussian"}, Named{NeighborAffinity::Uniform, "uniform"}};
}

struct TsneOptions {
  static constexpr std::string_view method_name = "tsne";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::SparsePoints, InputKind::Distances,
                                          InputKind::SparseDistances};
  static constexpr std::string_view iterations_option = "n_iter";

  std::int64_t n_components = 2;
  std::optional<std::vector<double>> perplexity = {};
  NeighborAffinity affinity = NeighborAffinity::Gaussian;
  double early_exaggeration = 12;
  std::int64_t early_exaggeration_iter = 250;
  double late_exaggeration = 1;
  std::int64_t n_iter = 750;
  std::optional<double> learning_rate = {};
  double tol = 1e-4;
  double dof = 1;
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
  UNROLL_API static Index needed_neighbors(const TsneOptions& options, Index n);
};

/// t-SNE (van der Maaten & Hinton 2008): a map whose points have the neighbours that they have in the data. P are
/// affinities to the nearest neighbours, Q those of the map, with the heavy tails of Student's t; gradient
/// descent makes KL(P || Q) small. The map depends on where it starts; distances between clusters and sizes of clusters
/// mean little.
/// New points: transform takes points, or with metric = precomputed rows of distances to the training points. A row
/// that equals a training point has its coordinates; others are placed one by one against the fixed map. Input::init is
/// a start, Input::resume a model to go on from. Attributes: n_iter, the iterations done; kl_divergence, by kl_sample
/// points (all, if there are not many); recall, the share of the true neighbours that were found.
UNROLL_API Model tsne(const Input& input, const TsneOptions& options = {}, const Run& run = {});

}  // namespace unroll
