#pragma once
#include <Eigen/Dense>

#include "support/graphs.h"
#include "unroll/graph/graph_quantities.h"

/// Textbook graphs as the library holds them, and their Laplacians as full matrices.
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
  return sparse ? weighted_graph(sparse_of(w), options) : weighted_graph(w, options);
}

inline Eigen::MatrixXd full_laplacian(const Graph& g, Laplacian kind) {
  const Array2<double> weights = weights_of(g);
  const Eigen::MatrixXd w = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      weights.data(), g.size, g.size);
  const Eigen::VectorXd d = w.rowwise().sum();
  const Eigen::MatrixXd l = Eigen::MatrixXd(d.asDiagonal()) - w;
  const auto inverse = [](double v) { return v > 0 ? 1 / v : 0; };
  const Eigen::VectorXd root = d.unaryExpr(inverse).cwiseSqrt();
  if (kind == Laplacian::Unnormalized) return l;
  if (kind == Laplacian::Symmetric) return root.asDiagonal() * l * root.asDiagonal();
  return d.unaryExpr(inverse).asDiagonal() * l;
}

/// f(L) by all eigenpairs of the symmetric matrix.
template <class F>
Eigen::MatrixXd function_of(const Eigen::MatrixXd& symmetric, F&& f) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  return solver.eigenvectors() * solver.eigenvalues().unaryExpr(f).asDiagonal() * solver.eigenvectors().transpose();
}

}  // namespace unroll
