#pragma once
#include <span>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/neighbor_graph.h"

/// Affinities of stochastic neighbour embedding: p(j|i) ~ exp(-beta_i d_ij^2) over the neighbours j of i, where beta_i
/// makes the perplexity, exp of the entropy, the one that is asked for (Hinton & Roweis 2002).
namespace unroll {

/// The weights p(j|i) of one point: they sum to 1 and depend on ratios of the distances (ascending) alone. The
/// perplexity of n weights is at most n: beyond that all are equal. Distances that are equal to the nearest one share
/// all the weight where they alone exceed the perplexity.
void perplexity_weights(std::span<const double> distances, double perplexity, std::span<double> weights);

/// How p(j|i) is made.
struct AffinityRule {
  std::vector<double> perplexities = {};  ///< several: the mean of the p(j|i) of each
  bool is_uniform = false;                ///< all neighbours alike; no perplexity
};

/// p(j|i) of every edge, in the order of the edges.
std::vector<double> conditional_probabilities(const NeighborGraph& nearest, const AffinityRule& rule, const Run& run);

/// P = (p(j|i) + p(i|j)) / 2n: symmetric, with the sum 1. Points without neighbours (of a sparse matrix) do not count
/// in n.
SparseMatrix joint_probabilities(const NeighborGraph& nearest, const std::vector<double>& conditional, const Run& run);

}  // namespace unroll
