#include "sources/graph_operator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/weighted_graphs.h"

namespace unroll {
namespace {

/// A weighted graph with an isolated vertex and a loop.
Array2<double> weights() {
  Array2<double> w(6, 6);
  const auto join = [&](Index i, Index j, double weight) { w(i, j) = w(j, i) = weight; };
  join(0, 1, 2), join(1, 2, 0.5), join(0, 2, 1), join(2, 3, 0.25), join(3, 4, 3), join(4, 4, 1.5);
  return w;
}

/// From the definition of each rule; a vertex without edges has the row of the trivial eigenvalue.
double entry(OperatorRule rule, const Array2<double>& w, Index i, Index j) {
  const auto degree = [&](Index k) {
    double sum = 0;
    for (Index l = 0; l < w.cols(); ++l) sum += w(k, l);
    return sum;
  };
  const double di = degree(i), dj = degree(j), same = i == j ? 1 : 0;
  if (rule == OperatorRule::Laplacian) return same * di - w(i, j);
  const double scaled = di > 0 && dj > 0 ? w(i, j) / std::sqrt(di * dj) : 0;
  if (rule == OperatorRule::Markov) return di > 0 ? scaled : same;
  return di > 0 ? same - scaled : 0;
}

TEST(Combination, IsTheOperatorOfEveryRule) {
  const Array2<double> w = weights();
  for (const OperatorRule rule : {OperatorRule::Laplacian, OperatorRule::RandomWalkLaplacian,
                                  OperatorRule::SymmetricLaplacian, OperatorRule::Markov})
    for (const bool is_sparse : {true, false}) {
      Affinity affinity{.components = {.labels = {0, 0, 0, 0, 0, 1}, .sizes = {5, 1}}};
      if (is_sparse) {
        affinity.w = sparse_of(w);
      } else {
        affinity.w = w;
      }
      const Combination c = combination(rule, degrees(affinity, {}));
      const Array2<double> a = graph_operator(rule, affinity, {}).a->dense({});
      for (Index i = 0; i < 6; ++i)
        for (Index j = 0; j < 6; ++j) {
          const double diagonal = i == j ? c.diagonal[static_cast<std::size_t>(i)] : 0;
          EXPECT_NEAR(diagonal + c.sign * c.factor(i) * w(i, j) * c.factor(j), entry(rule, w, i, j), 1e-15);
          EXPECT_NEAR(a(i, j), entry(rule, w, i, j), 1e-15) << name_of(rule) << " " << is_sparse;
        }
    }
}

TEST(Combination, IsOfGraphsOnly) {
  expect_error(ErrorKind::Internal, "is not of a graph", [] { combination(OperatorRule::Centered, {1, 1}); });
}

}  // namespace
}  // namespace unroll
