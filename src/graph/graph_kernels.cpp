#include <fmt/format.h>

#include <algorithm>

#include "core/memory.h"
#include "core/reported_as.h"
#include "graph/graph_kernel.h"
#include "graph/heat_eigenpairs.h"
#include "unroll/core/error.h"
#include "unroll/graph/graph_quantities.h"

namespace unroll {
namespace {

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

}  // namespace

void check_kernel(const WeightedGraph& graph, Laplacian laplacian, const Run& run) {
  if (laplacian == Laplacian::RandomWalk)
    throw Error(ErrorKind::InvalidOption, "laplacian=random_walk is not symmetric, so a function of it is no kernel",
                "use unnormalized or symmetric");
  const auto n = static_cast<double>(graph.size());
  MemoryPlan plan;
  plan.add("the kernel and the matrices it is made of", n, 4 * n, sizeof(double));
  plan.require(run, "take fewer points");
}

void make_symmetric(Array2<double>& m) {
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < i; ++j) m(i, j) = m(j, i) = m(i, j) / 2 + m(j, i) / 2;
}

Array2<double> diffusion_kernel(const WeightedGraph& graph, double beta, Laplacian laplacian, const Run& run) {
  return reported_as("diffusion_kernel", [&]() -> Array2<double> {
    check_kernel(graph, laplacian, run);
    const HeatSeries series(graph, laplacian, beta, "beta", run);
    const auto n = static_cast<double>(graph.size());
    if (series.cost() * n <= kCostOfEigenpairs * n * n * n) return kernel_by_series(series, run);
    return HeatEigenpairs(graph, series, run).kernel(run);
  });
}

}  // namespace unroll
