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
#include "unroll/neighbors/neighbors.h"

namespace unroll {

struct UmapOptions {
  static constexpr std::string_view method_name = "umap";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::SparsePoints, InputKind::Distances,
                                          InputKind::SparseDistances};
  /// None: the learning rate of every epoch depends on how many there are.
  static constexpr std::string_view iterations_option = {};

  std::int64_t n_components = 2;
  std::optional<std::int64_t> n_neighbors = {};
  double min_dist = 0.1;
  double spread = 1;
  std::optional<double> a = {};
  std::optional<double> b = {};
  double set_op_mix_ratio = 1;
  double local_connectivity = 1;
  double repulsion_strength = 1;
  std::int64_t negative_sample_rate = 5;
  std::optional<std::int64_t> n_epochs = {};
  double learning_rate = 1;
  double target_weight = 0.5;
  bool densmap = false;
  double dens_lambda = 2;
  double dens_frac = 0.3;
  double dens_var_shift = 0.1;
  LayoutStart init = LayoutStart::Auto;
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  Scaling scale = Scaling::None;
  std::optional<std::int64_t> pca = {};
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
  /// The neighbours that it looks for among n points.
  UNROLL_API static Index needed_neighbors(const UmapOptions& options, Index n);
};

/// UMAP (McInnes, Healy & Melville 2018): a map in which points are near that are neighbours. Every point has a fuzzy
/// set of neighbours, sure of the nearest; the union of these sets is a weighted graph. Its edges pull their ends
/// together, and points drawn at random push each other apart. With labels (Input::labels, -1: unknown) or numbers
/// (Input::targets) per point, edges count less between points that differ in them. New points: transform takes points,
/// or with metric = precomputed rows of distances to the training points. A row that equals a training point has its
/// coordinates; others are placed one by one against the fixed map. Input::init is a start, Input::resume a model to go
/// on from. A sparse matrix of distances is a graph: without n_neighbors all its entries are edges. Attributes: n_iter,
/// the epochs done; cross_entropy, estimated; a, b; graph_edges, components, recall. With densmap (Narayan, Berger &
/// Cho 2021) the map is dense where the data are: radius_correlation is that of their local radii.
UNROLL_API Model umap(const Input& input, const UmapOptions& options = {}, const Run& run = {});

}  // namespace unroll
