#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/memory.h"
#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/symmetric_eigen.h"
#include "spectral/heat_series.h"
#include "unroll/core/error.h"
#include "unroll/spectral/graph_quantities.h"

namespace unroll {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

void check_kernel(const WeightedGraph& graph, Laplacian laplacian, std::string_view who, const Run& run) {
  if (laplacian == Laplacian::RandomWalk)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: laplacian=random_walk is not symmetric, so a function of it is no kernel; use "
                            "unnormalized or symmetric",
                            who));
  const auto n = static_cast<double>(graph.size());
  MemoryPlan plan;
  plan.add("the kernel and the matrices it is made of", n, 4 * n, sizeof(double));
  plan.require(run, who, "take fewer points");
}

/// m += factor U U', U the eigenvectors of the eigenvalue 0.
void add_constants(const GraphOperator& problem, const Components& components, double factor, Array2<double>& m,
                   const Run& run) {
  const std::vector<double>& u = problem.trivial;
  parallel_for(run, m.rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < m.cols(); ++j)
        if (components.labels[at(i)] == components.labels[at(j)]) m(i, j) += factor * (u[at(i)] * u[at(j)]);
  });
}

void make_symmetric(Array2<double>& m) {
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < i; ++j) m(i, j) = m(j, i) = m(i, j) / 2 + m(j, i) / 2;
}

Array2<double> kernel_by_series(const HeatSeries& series, const Run& run) {
  constexpr Index kColumns = 64;
  const Index n = series.problem().a->size();
  Array2<double> kernel = Array2<double>::uninitialized(n, n);
  for (Index first = 0; first < n; first += kColumns) {
    const Index count = std::min(kColumns, n - first);
    Array2<double> unit(n, count);
    for (Index k = 0; k < count; ++k) unit(first + k, k) = 1;
    const Array2<double> columns = series.apply(std::move(unit), run);
    for (Index i = 0; i < n; ++i) std::copy_n(columns.row(i), count, kernel.row(i) + first);
  }
  make_symmetric(kernel);
  return kernel;
}

/// From all eigenpairs of L + h U U', h above all eigenvalues of L: the small ones of L do not mix with 0.
Array2<double> kernel_by_eigenpairs(const HeatSeries& series, const Components& components, double beta,
                                    const Run& run) {
  const double h = series.highest();
  Array2<double> a = series.problem().a->dense(run);
  add_constants(series.problem(), components, h, a, run);
  EigenPairs pairs = leading_eigenpairs(
      a, [](const std::vector<double>& values) { return std::ssize(values); }, run);
  const Index n = a.rows();
  for (Index k = 0; k < n; ++k) {
    const double root = std::exp(-beta * std::max(pairs.values[at(k)], 0.0) / 2);
    for (Index i = 0; i < n; ++i) pairs.vectors(k, i) *= root;
  }
  const SingleThreadedBlas guard;
  parallel_for(run, n, 128, [&](Index begin, Index end) {
    gemm(false, true, n, end - begin, n, 1.0, pairs.vectors.data(), n, pairs.vectors.data() + begin, n, 0.0,
         a.row(begin), n);
  });
  make_symmetric(a);
  add_constants(series.problem(), components, -std::expm1(-beta * h), a, run);
  return a;
}

/// Cholesky's factor of a in its place (upper, column by column); false when it is not definite.
bool factorize(Array2<double>& a, const Run& run) {
  struct Work {
    Array2<double> a;
    bool definite = false;
  };
  const auto work = std::make_shared<Work>();
  work->a = std::move(a);
  run_interruptible(run, "factorizing", [work] {
    const SingleThreadedBlas guard;
    double nothing = 0;
    work->definite = solve_definite(work->a.rows(), work->a.data(), work->a.rows(), 0, &nothing, work->a.rows());
  });
  a = std::move(work->a);
  return work->definite;
}

}  // namespace

Array2<double> diffusion_kernel(const WeightedGraph& graph, double beta, Laplacian laplacian, const Run& run) {
  constexpr std::string_view kWho = "diffusion_kernel";
  check_kernel(graph, laplacian, kWho, run);
  const HeatSeries series(graph, laplacian, beta, "diffusion_kernel: beta", run);
  const auto n = static_cast<double>(graph.size());
  if (series.cost() * n <= kCostOfEigenpairs * n * n * n) return kernel_by_series(series, run);
  return kernel_by_eigenpairs(series, graph.components(), beta, run);
}

Array2<double> laplacian_inverse(const WeightedGraph& graph, Laplacian laplacian, const Run& run) {
  constexpr std::string_view kWho = "inverse";
  check_kernel(graph, laplacian, kWho, run);
  const GraphOperator problem = graph_operator(operator_of(laplacian), graph.parts().affinity, run);
  // L^+ = (L + h U U')^-1 - U U' / h
  const double h = std::max(highest_eigenvalue(graph.parts(), laplacian) / 2, 1e-300);
  Array2<double> factor = problem.a->dense(run);
  add_constants(problem, graph.components(), h, factor, run);
  if (!factorize(factor, run))
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: some weights are so small that the graph falls apart when rounded; use a larger "
                            "sigma, or leave these edges out",
                            kWho));
  const Index n = graph.size();
  Array2<double> inverse(n, n);
  const SingleThreadedBlas guard;
  parallel_for(
      run, n, 128,
      [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) inverse(i, i) = 1;
        solve_upper(true, n, end - begin, factor.data(), n, inverse.row(begin), n);
        solve_upper(false, n, end - begin, factor.data(), n, inverse.row(begin), n);
      },
      "inverting");
  make_symmetric(inverse);
  add_constants(problem, graph.components(), -1 / h, inverse, run);
  return inverse;
}

}  // namespace unroll
