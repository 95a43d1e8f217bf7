#include "sources/graph_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/at.h"
#include "core/memory.h"
#include "neighbors/components_policy.h"
#include "sources/graph_operator.h"
#include "sparse/breadth_first.h"

namespace unroll {
namespace {

/// Plans the memory of a full W and a copy of its largest component.
void plan_parts(const Affinity& affinity, const Run& run) {
  if (!std::holds_alternative<Array2<double>>(affinity.w)) return;
  const std::vector<Index>& sizes = affinity.components.sizes;
  const auto n = static_cast<double>(affinity.size());
  const auto largest = static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
  MemoryPlan plan;
  plan.add("the weights of all pairs", n, n, sizeof(double));
  plan.add("those of the largest component", largest, largest, sizeof(double));
  plan.require(run, "use graph=neighbors, or a sparse matrix");
}

/// The order of the operator's rows. Points may come in any order; if the operator is larger than the cache, neighbours
/// should be near each other in memory.
std::vector<Index> order_in_memory(const Affinity& affinity) {
  constexpr Index kPoints = Index{1} << 16;
  const auto* w = std::get_if<SparseMatrix>(&affinity.w);
  return w != nullptr && w->rows > kPoints ? breadth_first_order(w->offsets, w->columns) : std::vector<Index>{};
}

EigenProblem question(const Recipe& row, const GraphOperator& problem, const SpectralSettings& settings, Index count) {
  return {.end = row.order == Order::Largest ? SpectrumEnd::Largest : SpectrumEnd::Smallest,
          .count = count,
          .known = picked_columns(as_row(problem.trivial), problem.order),
          .norm = problem.norm,
          .lowest = problem.lowest,
          .highest = problem.highest,
          .solver = settings.solver,
          .seed = settings.seed};
}

}  // namespace

GraphSource::GraphSource(const Recipe& row, Affinity& affinity, double alpha, const Run& run) : affinity_(affinity) {
  if (affinity.components.count() > 1) number_ = ComponentPoints(affinity.components).number;
  if (row.density != Density::Divide || alpha == 0) return;
  density_ = density_of(affinity, alpha, run);
  divide_by_density(affinity, density_, run);
}

void GraphSource::check(const Recipe& row) const {
  const bool is_graph = row.operation == OperatorRule::Laplacian || row.operation == OperatorRule::Markov ||
                        row.operation == OperatorRule::RandomWalkLaplacian ||
                        row.operation == OperatorRule::SymmetricLaplacian;
  if (!is_graph)
    refuse_cell(name_of(row.operation), "W holds the weights of a graph, which become a Laplacian or D^-1 W");
  const NewPointRule rule = row.new_point;
  if (rule == NewPointRule::LocalMap || rule == NewPointRule::Centered || rule == NewPointRule::Weights)
    refuse_cell(name_of(rule), "a row of a graph has neither patches nor means, and its weights do not sum to 1");
  const std::string together = fmt::format("{}' with '{}", name_of(rule), name_of(row.operation));
  if (rule == NewPointRule::Markov && row.operation != OperatorRule::Markov)
    refuse_cell(together, "it divides by eigenvalues, and those of a Laplacian begin at 0");
  if ((rule == NewPointRule::Unnormalized) != (row.operation == OperatorRule::Laplacian))
    refuse_cell(together, "eigenvalues of D - W have the unit of W, those of other operators have none");
}

OperatorPairs GraphSource::solve(const Recipe& row, const std::vector<Index>& points, Index count,
                                 const SpectralSettings& settings, const Run& run) const {
  if (points.empty()) return solve(row, affinity_, count, settings, run);
  plan_parts(affinity_, run);
  return solve(row, part(affinity_, points, number_), count, settings, run);
}

OperatorPairs GraphSource::solve(const Recipe& row, const Affinity& part, Index count, const SpectralSettings& settings,
                                 const Run& run) const {
  GraphOperator problem = graph_operator(row.operation, part, run, order_in_memory(part));
  EigenProblem ask = question(row, problem, settings, count);
  ask.dimension = dimension_;
  OperatorPairs out = count > 0 ? operator_pairs(solve_eigenproblem(*problem.a, ask, run)) : OperatorPairs{};
  out.vectors = spread_columns(std::move(out.vectors), problem.order);
  out.products = spread_columns(std::move(out.products), problem.order);
  out.norm = std::max(problem.norm, out.norm);
  out.trivial = std::move(problem.trivial);
  out.trivial_value = problem.trivial_value;
  out.back = std::move(problem.back);
  out.degrees = std::move(problem.degrees);
  return out;
}

}  // namespace unroll
