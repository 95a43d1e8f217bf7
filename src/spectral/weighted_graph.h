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
  OptionValues options = {};
  Diagnostics diagnostics = {};
  std::vector<Warning> warnings = {};
};

/// visit(j, w_ij) for the entries of row i of W that are not 0.
template <class Visit>
void for_each_weight(const Affinity& affinity, Index i, Visit&& visit) {
  if (const auto* sparse = std::get_if<SparseMatrix>(&affinity.w)) {
    const auto begin = static_cast<std::size_t>(sparse->offsets[static_cast<std::size_t>(i)]);
    const auto end = static_cast<std::size_t>(sparse->offsets[static_cast<std::size_t>(i) + 1]);
    for (std::size_t e = begin; e < end; ++e)
      if (sparse->values[e] != 0) visit(sparse->columns[e], sparse->values[e]);
    return;
  }
  const auto& full = std::get<Array2<double>>(affinity.w);
  for (Index j = 0; j < full.cols(); ++j)
    if (full(i, j) != 0) visit(j, full(i, j));
}

OperatorRule operator_of(Laplacian laplacian);

/// No eigenvalue of the operator that the rule makes of the graph is larger: 2, or twice the largest degree.
double highest_eigenvalue(const WeightedGraph::Parts& graph, Laplacian laplacian);

/// Throws InvalidOption, in the graph's name.
void check_source(const WeightedGraph& graph, Index source);

}  // namespace unroll
