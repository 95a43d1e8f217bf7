#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/affinity/graph_weights.h"
#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/core/sparse.h"
#include "unroll/data/scaling.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/components_policy.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// The graph that Laplacian eigenmaps decomposes, with options of the same names.
struct WeightedGraphOptions {
  static constexpr std::string_view method_name = "graph";
  static constexpr Index min_points = 2;
  static constexpr std::array input_kinds{InputKind::Points,          InputKind::SparsePoints,
                                          InputKind::Distances,       InputKind::Similarities,
                                          InputKind::SparseDistances, InputKind::SparseSimilarities};

  std::optional<std::int64_t> n_neighbors = {};
  std::optional<double> radius = {};
  Symmetrization symmetrization = Symmetrization::Union;
  GraphKind graph = GraphKind::Neighbors;
  EdgeWeights weights = EdgeWeights::Heat;
  std::optional<double> sigma = {};
  Bandwidth bandwidth = Bandwidth::Median;
  bool loops = false;
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  ComponentsPolicy components = ComponentsPolicy::Keep;
  Scaling scale = Scaling::None;
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// A graph whose edges have weights, symmetric and not negative. Immutable, cheap to copy.
class UNROLL_API WeightedGraph {
 public:
  struct Parts;
  explicit WeightedGraph(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  Index size() const;
  Index edges() const;  ///< without direction and without loops
  const Components& components() const;
  const std::vector<double>& degrees() const;  ///< sums of weights, loops counted once
  double volume() const;                       ///< sum of the degrees
  bool has_lengths() const;                    ///< whether edges have lengths; those of a full graph have none

  const OptionValues& options() const;  ///< as they were used
  const Attributes& attributes() const;
  const std::vector<Warning>& warnings() const;
  const Parts& parts() const { return *parts_; }

 private:
  std::shared_ptr<const Parts> parts_;
};

/// The graph of points, distances or weights. Entries that a sparse matrix lacks are no edges.
UNROLL_API WeightedGraph weighted_graph(const Input& input, const WeightedGraphOptions& options = {},
                                        const Run& run = {});

}  // namespace unroll
