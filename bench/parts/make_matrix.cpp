// Matrices of points, for the other parts: of the points in DATA with K neighbours each.
#include <cmath>

#include "affinity/alignment_matrix.h"
#include "affinity/local_fits.h"
#include "affinity/reconstruction_weights.h"
#include "core/at.h"
#include "parts.h"
#include "unroll/data/table.h"
#include "unroll/neighbors/neighbors.h"

namespace parts {
namespace {

using unroll::at;
using unroll::Index;

MatrixFile as_file(unroll::SparseMatrix matrix) {
  return {matrix.rows, std::move(matrix.offsets), std::move(matrix.columns), std::move(matrix.values)};
}

/// (I - W)'(I - W) of locally linear embedding, with its points in the order in which the method puts them.
MatrixFile lle(const unroll::MatrixView<double>& points, const unroll::NeighborGraph& nearest) {
  const auto make = [&]() -> unroll::PatchFit {
    return [&points, scratch = unroll::WeightsScratch()](Index i, std::span<const Index> members,
                                                         std::vector<double>& factors) mutable {
      const auto neighbors = members.subspan(1);
      const Index count = std::ssize(neighbors);
      unroll::Array2<double> gram(count, count);
      for (Index a = 0; a < count; ++a)
        for (Index b = 0; b < count; ++b)
          for (Index j = 0; j < points.cols; ++j)
            gram(a, b) += (points(neighbors[at(a)], j) - points(i, j)) * (points(neighbors[at(b)], j) - points(i, j));
      std::vector<double> weights(at(count));
      unroll::solve_weights(gram, {}, weights, scratch);
      factors.push_back(1);
      for (const double weight : weights) factors.push_back(-weight);
      return unroll::PatchForm::Columns;
    };
  };
  const unroll::LocalFits fits = unroll::fit_patches(unroll::patches_of(nearest, true), make, "", {});
  return as_file(unroll::assembled(unroll::reordered(fits, unroll::breadth_first_order(fits), {}), {}));
}

/// I - D^-1/2 W D^-1/2 with weights 1.
MatrixFile laplacian(const unroll::NeighborGraph& nearest) {
  unroll::SparseMatrix w = unroll::to_sparse(unroll::symmetrized(nearest, unroll::Symmetrization::Union));
  MatrixFile result{w.rows, {0}, {}, {}};
  const auto degree = [&](Index i) { return static_cast<double>(w.offsets[at(i) + 1] - w.offsets[at(i)]); };
  for (Index i = 0; i < w.rows; ++i) {
    bool has_diagonal = false;
    const auto add_diagonal = [&] {
      result.columns.push_back(i);
      result.values.push_back(1);
      has_diagonal = true;
    };
    for (Index e = w.offsets[at(i)]; e < w.offsets[at(i) + 1]; ++e) {
      const Index j = w.columns[at(e)];
      if (j > i && !has_diagonal) add_diagonal();
      result.columns.push_back(j);
      result.values.push_back(-1 / std::sqrt(degree(i) * degree(j)));
    }
    if (!has_diagonal) add_diagonal();
    result.offsets.push_back(std::ssize(result.columns));
  }
  return result;
}

}  // namespace

void make_matrix(const Task& task, Answer&) {
  const unroll::Table table = unroll::read_table(task.data);
  const unroll::Array2<double>& points = std::get<unroll::Array2<double>>(table.values);
  const unroll::NeighborGraph nearest = unroll::neighbors(points, {.n_neighbors = task.k}).graph;
  if (task.contender == "lle") return lle(points.view(), nearest).write(task.out);
  if (task.contender == "laplacian") return laplacian(nearest).write(task.out);
  if (task.contender == "distances")
    return as_file(unroll::to_sparse(unroll::symmetrized(nearest, unroll::Symmetrization::Union))).write(task.out);
  refuse(task);
}

}  // namespace parts
