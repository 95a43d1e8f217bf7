#pragma once
#include <iterator>

#include "support/graphs.h"
#include "unroll/graph/graph_quantities.h"

/// Textbook graphs as the library holds them.
namespace unroll {

inline Array2<double> weights_of(const Graph& g) {
  Array2<double> w(g.size, g.size);
  for (const auto& [a, b, weight] : g.edges) w(a, b) = w(b, a) = weight;
  return w;
}

inline SparseMatrix sparse_of(const Array2<double>& dense) {
  SparseMatrix matrix{.rows = dense.rows(), .cols = dense.cols()};
  for (Index i = 0; i < dense.rows(); ++i) {
    for (Index j = 0; j < dense.cols(); ++j) {
      if (dense(i, j) == 0) continue;
      matrix.columns.push_back(j);
      matrix.values.push_back(dense(i, j));
    }
    matrix.offsets.push_back(std::ssize(matrix.columns));
  }
  return matrix;
}

inline WeightedGraph given(const Graph& g, bool sparse = true) {
  const WeightedGraphOptions options{.weights = EdgeWeights::Precomputed};
  const Array2<double> w = weights_of(g);
  return sparse ? weighted_graph(SparseSimilarities(sparse_of(w)), options) : weighted_graph(w, options);
}

}  // namespace unroll
