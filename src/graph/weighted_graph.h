#pragma once
#include <optional>
#include <string_view>
#include <variant>

#include "affinity/affinity.h"
#include "sources/graph_operator.h"
#include "unroll/graph/weighted_graph.h"
#include "unroll/spectral/laplacian.h"

namespace unroll {

struct WeightedGraph::Parts {
  Affinity affinity = {};            ///< of weights divided by `unit`
  double unit = 1;                   ///< a power of two
  std::vector<double> degrees = {};  ///< of the weights as they were given
  std::optional<NeighborGraph> lengths = {};
  std::optional<double> dimension = {};  ///< intrinsic dimension of the points
  std::uint64_t seed = 0;
  bool has_given_weights = false;
  OptionValues options = {};
  Attributes attributes = {};
  std::vector<Warning> warnings = {};
};

/// All eigenpairs take this many times n^3 operations, at the speed of products.
inline constexpr double kCostOfEigenpairs = 30;

/// The most points for which a long or fractional time may use all eigenpairs.
inline constexpr Index kMostForEigenpairs = 5000;

/// The Laplacian of the weights divided by their unit. No eigenvalue is larger than twice its norm. Throws InvalidData
/// if a normalised Laplacian would not be finite.
GraphOperator laplacian_of(const WeightedGraph& graph, Laplacian laplacian, const Run& run);

/// The unit of the eigenvalues of `laplacian_of`; for normalised Laplacians it is 1.
double unit_of(const WeightedGraph& graph, Laplacian laplacian);

/// M of (D - W) f = lambda M f: the degrees for normalised Laplacians, ones for D - W.
std::vector<double> masses(const GraphOperator& problem, Laplacian laplacian);

/// Throws InvalidData if the degree of a point with edges is so small that its inverse is infinite.
void check_degrees(const Components& components, const std::vector<double>& degrees);

/// Advice about several components: "use ..., or ...".
std::string_view how_to_join(const WeightedGraph& graph);
/// Advice about parts that are joined by very small weights.
std::string_view how_to_thicken(const WeightedGraph& graph);

/// Throws InvalidOption, in the graph's name.
void check_source(const WeightedGraph& graph, Index source);

}  // namespace unroll
