#include "sources/graph_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/at.h"
#include "sources/graph_operator.h"
#include "support/graphs.h"

namespace unroll {
namespace {

/// The weights of a grid whose points are in a random order.
Affinity shuffled_grid(Index side) {
  Graph grid = grid_graph(side, side);
  std::vector<Index> shuffled(at(grid.size));
  std::iota(shuffled.begin(), shuffled.end(), Index{0});
  for (Index i = grid.size - 1; i > 0; --i) {
    const double draw = Random(1, "shuffled").uniform(static_cast<std::uint64_t>(i));
    std::swap(shuffled[at(i)], shuffled[at(static_cast<Index>(draw * static_cast<double>(i + 1)))]);
  }
  for (Edge& edge : grid.edges) {
    edge.weight = 1 + 0.5 * std::sin(static_cast<double>(edge.a));
    edge.a = shuffled[at(edge.a)];
    edge.b = shuffled[at(edge.b)];
  }
  SparseMatrix w = laplacian(grid, false);
  for (Index i = 0; i < w.rows; ++i)
    for (Index e = w.offsets[at(i)]; e < w.offsets[at(i) + 1]; ++e)
      w.values[at(e)] = w.columns[at(e)] == i ? 0 : -w.values[at(e)];
  return {std::move(w), {.labels = std::vector<Index>(at(grid.size)), .sizes = {grid.size}}};
}

/// Of one vector.
double residual(const SymmetricOperator& a, const Array2<double>& vectors, Index k, double value) {
  Array2<double> x(vectors.cols(), 1), y(vectors.cols(), 1);
  std::copy_n(vectors.row(k), vectors.cols(), x.data());
  a.apply(x, y, {});
  double squares = 0;
  for (Index i = 0; i < x.rows(); ++i) squares += std::pow(y(i, 0) - value * x(i, 0), 2);
  return std::sqrt(squares);
}

// With many points the operator has an order of its own, which does not show in the solution.
TEST(GraphSource, TheOrderOfTheOperatorIsItsOwn) {
  for (const Index side : {20, 260}) {
    Affinity affinity = shuffled_grid(side);
    for (const Laplacian kind : {Laplacian::RandomWalk, Laplacian::Unnormalized}) {
      const Recipe& row = find_recipe(SpectralMethod::LaplacianEigenmaps, kind);
      const GraphSource source(row, affinity, 0, {});
      const OperatorPairs found = source.solve(row, std::vector<Index>{}, 2, {}, {});
      const GraphOperator plain = graph_operator(row.operation, affinity, {});
      ASSERT_TRUE(plain.order.empty());
      for (Index k = 0; k < 2; ++k) {
        EXPECT_LT(residual(*plain.a, found.vectors, k, found.values[at(k)]), 1e-9) << side;
        for (Index i = 0; i < found.products.cols(); ++i)
          ASSERT_NEAR(found.products(k, i), found.values[at(k)] * found.vectors(k, i), 1e-9) << side;
      }
    }
  }
}

}  // namespace
}  // namespace unroll
