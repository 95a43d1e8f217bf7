#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "unroll/affinity/graph_weights.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/core/sparse.h"
#include "unroll/data/scaling.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/spectral/components_policy.h"

namespace unroll {

/// The graph that Laplacian eigenmaps, with options of the same names, decomposes.
struct WeightedGraphOptions {
  static constexpr std::string_view method_name = "graph";

  std::optional<std::int64_t> n_neighbors = {};
  std::optional<double> radius = {};
  EdgeSymmetry symmetrization = EdgeSymmetry::Union;
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

  static constexpr auto fields() {
    using O = WeightedGraphOptions;
    return std::tuple{
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
        Field{"loops", &O::loops, any_value(),
              "An edge of weight 1 from every point to itself, as in diffusion maps; of given weights: keep theirs."},
        Field{"metric", &O::metric, any_value(),
              "How distance is measured; precomputed: the input is a matrix of distances, full or sparse."},
        Field{"p", &O::p, at_least(1), "Power of the Minkowski metric."},
        Field{"neighbors_algorithm", &O::neighbors_algorithm, any_value(), "How to search neighbors."},
        Field{"components", &O::components, any_value(),
              "What becomes of a graph in several parts: separate is the same as keep here."},
        Field{"scale", &O::scale, any_value(), "Feature scaling before the analysis."},
        Field{"random_state", &O::random_state, at_least(0), "Seed of solvers and approximate search."},
    };
  }
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
  bool has_lengths() const;                    ///< of edges; a full graph has none

  const OptionValues& options() const;  ///< effective
  const Diagnostics& diagnostics() const;
  const std::vector<Warning>& warnings() const;
  const Parts& parts() const { return *parts_; }

 private:
  std::shared_ptr<const Parts> parts_;
};

/// Of points, or (metric or weights = precomputed) of a full matrix of distances or weights.
UNROLL_API WeightedGraph weighted_graph(PointsView points, const WeightedGraphOptions& options = {},
                                        const Run& run = {});
/// Of a sparse matrix of weights (weights = precomputed) or distances; entries that are missing are no edges.
UNROLL_API WeightedGraph weighted_graph(const SparseMatrix& matrix, const WeightedGraphOptions& options = {},
                                        const Run& run = {});

}  // namespace unroll
