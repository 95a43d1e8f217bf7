#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "affinity/affinity_rows.h"
#include "affinity/heat_kernel.h"
#include "affinity/similarities.h"
#include "neighbors/components_policy.h"
#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/neighbors/components.h"

namespace unroll {

/// W of a graph of points, from which Laplacian eigenmaps, diffusion maps and spectral clustering start. Symmetric to
/// the last bit; no entry is negative.
struct Affinity {
  std::variant<SparseMatrix, Array2<double>> w = {};
  Components components = {};

  Index size() const;
  Similarities view() const;
};

/// What the methods' options say about W.
struct AffinityOptions {
  GraphKind graph = GraphKind::Neighbors;
  EdgeWeights weights = EdgeWeights::Heat;
  Bandwidth bandwidth = Bandwidth::Median;
  std::optional<double> sigma = {};
  NeighborOptions neighbors = {};
  GraphPolicy policy = {};
  bool unit_diagonal = false;  ///< W_ii = 1; otherwise 0
  bool keep_lengths = false;   ///< of the edges
  bool may_vanish = false;     ///< a sigma that makes all weights of a point 0 is no error
};

struct AffinityFit {
  Affinity affinity = {};
  std::shared_ptr<const AffinityRows> rows = {};  ///< for new points
  bool given = false;                             ///< the weights were given, not computed
  double unit = 1;                                ///< given weights were divided by it
  std::optional<double> dimension = {};           ///< intrinsic dimension, estimated from the neighbours
  NeighborGraph lengths = {};                     ///< of the edges of a neighbour graph, if keep_lengths
  Attributes attributes = {};
  std::vector<Warning> warnings = {};
};

/// W from points, distances or weights. All entries of a sparse matrix are edges, unless fewer neighbours are asked
/// for; missing entries are no edges.
AffinityFit make_affinity(const Input& input, const AffinityOptions& options, const Run& run);

/// Row sums.
std::vector<double> degrees(const Affinity& affinity, const Run& run);

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

/// The part of W that belongs to one component with these points; number[i] is the place of point i among them.
Affinity part(const Affinity& affinity, const std::vector<Index>& points, const std::vector<Index>& number);

}  // namespace unroll
