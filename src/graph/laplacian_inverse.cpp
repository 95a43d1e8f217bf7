#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/finite.h"
#include "core/parallel.h"
#include "core/reported_as.h"
#include "graph/graph_kernel.h"
#include "linalg/blas.h"
#include "neighbors/components_policy.h"
#include "unroll/core/error.h"
#include "unroll/graph/graph_quantities.h"

namespace unroll {
namespace {

/// The points of every component, the one of the largest degree last.
std::vector<std::vector<Index>> parts_of(const Components& components, const std::vector<double>& degrees) {
  std::vector<std::vector<Index>> parts = ComponentPoints(components).members;
  for (std::vector<Index>& part : parts) {
    const auto heaviest =
        std::max_element(part.begin(), part.end(), [&](Index a, Index b) { return degrees[at(a)] < degrees[at(b)]; });
    std::iter_swap(heaviest, part.end() - 1);
  }
  return parts;
}

/// Eliminates columns `begin` to `end`; all columns before them are done.
void eliminate_panel(Array2<double>& w, Index begin, Index end) {
  for (Index k = begin; k < end; ++k) {
    double degree = 0;
    for (Index j = k + 1; j < w.rows(); ++j) {
      for (Index p = begin; p < k; ++p) w(j, k) += w(k, p) * w(j, p);
      degree += w(j, k);
    }
    if (!(degree > 0))
      throw Error(ErrorKind::InvalidData,
                  "some weights are so small beside others that they vanish when they are multiplied",
                  "leave these edges out, or use larger weights");
    w(k, k) = std::sqrt(degree);
    for (Index j = k + 1; j < w.rows(); ++j) w(j, k) /= w(k, k);
  }
}

/// Turns the weights of a connected graph into the triangle R with R R' = D - W without the last row and column.
/// Eliminating point k adds w_ik w_kj / d_k to the weight between its neighbours i and j. d_k is the sum of its
/// remaining edges, where Cholesky's method takes a difference. Nothing is subtracted, so every entry has a small
/// relative error, even if the graph is almost disconnected (Grassmann, Taksar & Heyman 1985; Alfa, Xue & Ye 2002).
void eliminate(Array2<double>& w, const Run& run) {
  constexpr Index kPanel = 64;
  constexpr Index kRows = 128;
  const Index n = w.rows(), last = n - 1;
  const SingleThreadedBlas guard;
  for (Index begin = 0; begin < last; begin += kPanel) {
    run.report({.stage = "factorizing", .fraction = static_cast<double>(begin) / static_cast<double>(n)});
    const Index end = std::min(begin + kPanel, last);
    eliminate_panel(w, begin, end);
    parallel_for(run, n - end, kRows, [&](Index from, Index to) {
      gemm(true, false, to, to - from, end - begin, 1.0, w.row(end) + begin, n, w.row(end + from) + begin, n, 1.0,
           w.row(end + from) + end, n);
    });
  }
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < j; ++k) w(j, k) = -w(j, k);
}

/// The inverse of D - W without the last row and column, which are 0 in the result. The entries are potentials: none is
/// negative.
Array2<double> potentials(Array2<double> w, const Run& run) {
  eliminate(w, run);
  const Index n = w.rows(), last = n - 1;
  Array2<double> result(n, n);
  const SingleThreadedBlas guard;
  parallel_for(
      run, last, 128,
      [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) result(i, i) = 1;
        solve_upper(true, last, end - begin, w.data(), n, result.row(begin), n);
        solve_upper(false, last, end - begin, w.data(), n, result.row(begin), n);
      },
      "inverting");
  return result;
}

/// (I - u u') m (I - u u'), m symmetric.
void project(const std::vector<double>& u, Array2<double>& m) {
  const Index n = m.rows();
  std::vector<double> image(at(n));
  double twice = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) image[at(i)] += m(i, j) * u[at(j)];
    twice += u[at(i)] * image[at(i)];
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      m(i, j) += twice * (u[at(i)] * u[at(j)]) - (image[at(i)] * u[at(j)] + u[at(i)] * image[at(j)]);
}

/// The pseudo-inverse of M^-1/2 (D - W) M^-1/2 for a connected graph.
Array2<double> inverse_of(Array2<double> weights, const std::vector<double>& mass, const Run& run) {
  double total = 0;
  for (const double m : mass) total += m;
  std::vector<double> root, trivial;
  for (const double m : mass) {
    root.push_back(std::sqrt(m));
    trivial.push_back(std::sqrt(m / total));
  }
  Array2<double> result = potentials(std::move(weights), run);
  for (Index i = 0; i < result.rows(); ++i)
    for (Index j = 0; j < result.cols(); ++j) result(i, j) *= root[at(i)] * root[at(j)];
  project(trivial, result);
  make_symmetric(result);
  return result;
}

}  // namespace

Array2<double> laplacian_inverse(const WeightedGraph& graph, Laplacian laplacian, const Run& run) {
  return reported_as("inverse", [&]() -> Array2<double> {
    check_kernel(graph, laplacian, run);
    const GraphOperator problem = laplacian_of(graph, laplacian, run);
    const std::vector<double> mass = masses(problem, laplacian);
    const double unit = unit_of(graph, laplacian);
    Array2<double> result(graph.size(), graph.size());
    std::vector<Index> number(at(graph.size()));
    for (const std::vector<Index>& points : parts_of(graph.components(), problem.degrees)) {
      Array2<double> weights(std::ssize(points), std::ssize(points));
      std::vector<double> own_mass;
      for (Index i = 0; i < weights.rows(); ++i) number[at(points[at(i)])] = i;
      for (Index i = 0; i < weights.rows(); ++i) {
        own_mass.push_back(mass[at(points[at(i)])]);
        for_each_weight(graph.parts().affinity, points[at(i)],
                        [&](Index j, double weight) { weights(i, number[at(j)]) = weight; });
      }
      if (points.size() == 1) continue;  // the inverse of 0 is 0
      const Array2<double> own = inverse_of(std::move(weights), own_mass, run);
      for (Index i = 0; i < own.rows(); ++i)
        for (Index j = 0; j < own.cols(); ++j) result(points[at(i)], points[at(j)]) = own(i, j) / unit;
    }
    std::vector<double> sums{0};  // the trace: diagonal entries are the largest of their rows
    for (Index i = 0; i < result.rows(); ++i) sums[0] += result(i, i);
    require_finite(sums, "entries of the pseudo-inverse or their sums",
                   "multiply the weights by 1024, or leave the smallest edges out");
    return result;
  });
}

}  // namespace unroll
