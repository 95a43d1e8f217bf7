#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/at.h"
#include "core/finite.h"
#include "core/memory.h"
#include "core/reported_as.h"
#include "graph/heat_eigenpairs.h"
#include "unroll/core/error.h"
#include "unroll/graph/graph_quantities.h"

namespace unroll {
namespace {

/// Chooses between the series and the eigenpairs, and applies it to some functions at a time.
class HeatFlow {
 public:
  HeatFlow(const WeightedGraph& graph, const HeatSeries& series, double t, Index functions, const Run& run)
      : series_(series) {
    const auto n = static_cast<double>(graph.size());
    if (series.cost() * static_cast<double>(functions) <= kCostOfEigenpairs * n * n * n) return;
    if (graph.size() > kMostForEigenpairs) {
      if (std::isinf(series.cost())) throw_too_long(graph, t);
      return;
    }
    MemoryPlan plan;
    plan.add("all eigenvectors", n, 4 * n, sizeof(double));
    plan.require(run, "use a smaller t, or fewer points");
    pairs_.emplace(graph, series, run);
  }

  Index products() const { return pairs_ ? 0 : series_.products(); }
  Array2<double> apply(Array2<double> f, const Run& run) const {
    return pairs_ ? pairs_->apply(f, run) : series_.apply(std::move(f), run);
  }

 private:
  [[noreturn]] void throw_too_long(const WeightedGraph& graph, double t) const {
    throw Error(
        ErrorKind::InvalidOption,
        fmt::format(
            "t={:g} takes more than {} products with the Laplacian, and {} points are too many for all eigenpairs", t,
            kMostProducts, graph.size()),
        fmt::format("use t={:.2g} or less", 0.9 * series_.longest_time() / unit_of(graph, series_.laplacian())));
  }

  const HeatSeries& series_;
  std::optional<HeatEigenpairs> pairs_;
};

}  // namespace

Heat heat_diffusion(const WeightedGraph& graph, PointsView values, double t, Laplacian laplacian, const Run& run) {
  return reported_as("heat", [&]() -> Heat {
    if (values.rows() != graph.size())
      throw Error(ErrorKind::InvalidData, fmt::format("{} values for {} points", values.rows(), graph.size()),
                  "give a row for each");
    if (const auto cell = first_non_finite(values, run))
      throw Error(ErrorKind::InvalidData, {.problem = fmt::format("has the value {} in column {}",
                                                                  non_finite_name(values, *cell), cell->col + 1),
                                           .advice = "values must be finite",
                                           .row = cell->row});
    const HeatSeries series(graph, laplacian, t, "t", run);
    const HeatFlow flow(graph, series, t, values.cols(), run);
    const std::vector<double>& back = series.problem().back;
    Heat heat{.values = Array2<double>::uninitialized(values.rows(), values.cols()), .products = flow.products()};
    constexpr Index kColumns = 8;  // at a time: the products' fast case, and little memory
    for (Index first = 0; first < values.cols(); first += kColumns) {
      const Index count = std::min(kColumns, values.cols() - first);
      Array2<double> f = Array2<double>::uninitialized(values.rows(), count);
      values.visit([&](auto view) {
        for (Index i = 0; i < f.rows(); ++i)
          for (Index k = 0; k < count; ++k)
            f(i, k) = static_cast<double>(view(i, first + k)) / (back.empty() ? 1 : back[at(i)]);
      });
      f = flow.apply(std::move(f), run);
      for (Index i = 0; i < f.rows(); ++i)
        for (Index k = 0; k < count; ++k) heat.values(i, first + k) = f(i, k) * (back.empty() ? 1 : back[at(i)]);
    }
    require_finite(heat.values, "values or their sums", "divide the values by 1024", run);
    return heat;
  });
}

}  // namespace unroll
