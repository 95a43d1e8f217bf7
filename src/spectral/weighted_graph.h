#pragma once
#include <optional>
#include <string_view>
#include <variant>

#include "spectral/affinity.h"
#include "spectral/graph_operator.h"
#include "unroll/spectral/laplacian.h"
#include "unroll/spectral/weighted_graph.h"

namespace unroll {

struct WeightedGraph::Parts {
  Affinity affinity = {};
  std::vector<double> degrees = {};
  std::optional<NeighborGraph> lengths = {};
  std::optional<double> dimension = {};  ///< of what the points lie on
  std::uint64_t seed = 0;
  bool has_given_weights = false;
  OptionValues options = {};
  Diagnostics diagnostics = {};
  std::vector<Warning> warnings = {};
};

/// All eigenpairs take this many times n^3 operations, at the speed of products.
inline constexpr double kCostOfEigenpairs = 30;

OperatorRule operator_of(Laplacian laplacian);

/// No eigenvalue of the operator that the rule makes of the graph is larger: 2, or twice the largest degree.
double highest_eigenvalue(const WeightedGraph::Parts& graph, Laplacian laplacian);

/// What to do about components, in words: "use ..., or ...".
std::string_view how_to_join(const WeightedGraph& graph);

/// Throws InvalidOption, in the graph's name.
void check_source(const WeightedGraph& graph, Index source);

}  // namespace unroll
