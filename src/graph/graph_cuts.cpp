#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/finite.h"
#include "core/reported_as.h"
#include "eigen/eigen_problem.h"
#include "graph/partition_cut.h"
#include "graph/rayleigh_quotient.h"
#include "graph/weighted_graph.h"
#include "linalg/symmetric_eigen.h"
#include "sources/graph_operator.h"
#include "sources/graph_source.h"
#include "spectral/bottleneck.h"
#include "spectral/embedding.h"
#include "spectral/source.h"
#include "unroll/core/error.h"
#include "unroll/graph/graph_quantities.h"

namespace unroll {
namespace {

/// The first coordinate of Laplacian eigenmaps, for a graph of several components.
Fiedler first_contrast(const WeightedGraph& graph, Laplacian laplacian, const Run& run) {
  Affinity affinity = graph.parts().affinity;
  const Recipe& row = find_recipe(SpectralMethod::LaplacianEigenmaps, laplacian);
  const SpectralFit map = embed(row, GraphSource(row, affinity, 0, run), {.n_components = 1}, run);
  Fiedler result{.vector = {map.coordinates.data(), map.coordinates.data() + graph.size()}};
  result.warnings.push_back(
      {"fiedler-disconnected",
       fmt::format(
           "the graph has {} components, so lambda_2 is 0 and the Fiedler vector tells one from another, no more",
           graph.components().count()),
       std::string(how_to_join(graph))});
  return result;
}

/// A function f on the points with f'Mf = 1, and its Rayleigh quotient.
struct Candidate {
  std::vector<double> f = {};
  RayleighQuotient quotient = {};
};

Candidate candidate(const WeightedGraph& graph, const std::vector<double>& mass, std::vector<double> f,
                    const Run& run) {
  double norm = 0;
  for (std::size_t i = 0; i < f.size(); ++i) norm += mass[i] * f[i] * f[i];
  for (double& value : f) value /= std::sqrt(norm);
  const RayleighQuotient quotient = rayleigh_quotient(graph.parts().affinity, mass, f, run);
  return {std::move(f), quotient};
}

/// The function of mean 0 that is constant on each side of the sweep along f.
Candidate two_sides(const WeightedGraph& graph, const std::vector<double>& mass, const std::vector<double>& f,
                    const Run& run) {
  const SweepCut sweep = sweep_cut(graph, f);
  std::array<double, 2> total{};
  for (std::size_t i = 0; i < f.size(); ++i) total[sweep.side[i] != 0 ? 1 : 0] += mass[i];
  std::vector<double> sides;
  for (const char side : sweep.side) sides.push_back(side != 0 ? -total[0] : total[1]);
  return candidate(graph, mass, std::move(sides), run);
}

/// A lower bound of lambda_2: the solver's value minus its error bound. If the next eigenvalue is proven to be above
/// the quotient, also the quotient minus residual^2 / gap (Kato 1949, Temple 1928).
double lower_bound(const RayleighQuotient& quotient, const EigenSolution& solution, double norm) {
  constexpr double kRounding = 1e-14;
  const auto least = [&](std::size_t k) { return solution.values[k] - (solution.residuals[k] + kRounding) * norm; };
  const double next = solution.values.size() > 1 ? least(1) : INFINITY;
  double bound = std::max(least(0), 0.0);
  if (next > quotient.value)
    bound = std::max(bound, quotient.value - quotient.residual * quotient.residual / (next - quotient.value));
  return std::min(bound, quotient.value);
}

void warn_of_repeated(const EigenSolution& solution, double lambda2, std::vector<Warning>& warnings) {
  if (solution.values.size() < 2 || end_of_group({solution.values[1], solution.values[0]}, 0) != 2) return;
  warnings.push_back({"repeated-eigenvalue",
                      fmt::format("lambda_2 = {:.6g} is an eigenvalue more than once: the Fiedler vector is one of "
                                  "many, as on a cycle, which can be turned",
                                  lambda2),
                      "look at several coordinates of laplacian_eigenmaps instead"});
}

/// The weight of the edges across every gap in an order of the points: entry k is the gap between the points of rank k
/// and k + 1. An edge is added to the few nodes of a binary tree that cover its gaps. Nothing is subtracted, so that a
/// cut of 1e-20 is not lost beside the edges before it.
std::vector<double> passing_weights(const WeightedGraph& graph, const std::vector<Index>& order) {
  const std::size_t n = order.size();
  std::vector<std::size_t> rank(n);
  for (std::size_t k = 0; k < n; ++k) rank[at(order[k])] = k;
  std::vector<double> tree(2 * n);  // the children of node i are 2i and 2i + 1, the leaves are the gaps
  for (std::size_t p = 0; p < n; ++p)
    for_each_weight(graph.parts().affinity, order[p], [&](Index j, double weight) {
      std::size_t low = p + n, high = std::max(p, rank[at(j)]) + n;
      for (; low < high; low /= 2, high /= 2) {
        if (low % 2 == 1) tree[low++] += weight;
        if (high % 2 == 1) tree[--high] += weight;
      }
    });
  for (std::size_t node = 1; node < n; ++node) {
    tree[2 * node] += tree[node];
    tree[2 * node + 1] += tree[node];
  }
  return {tree.begin() + static_cast<std::ptrdiff_t>(n), tree.end()};
}

/// The cut at every gap of the order, in the unit of the stored weights.
std::vector<Cut> prefix_cuts(const WeightedGraph& graph, const std::vector<Index>& order) {
  const std::vector<double> passing = passing_weights(graph, order), degree = degrees(graph.parts().affinity, {});
  std::vector<Cut> cuts(order.size() - 1);
  double low = 0, high = 0;  // each side is summed from its own end: a small side keeps its digits
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    cuts[k].cut = passing[k];
    cuts[k].volume = low += degree[at(order[k])];
  }
  for (std::size_t k = cuts.size(); k > 0; --k) {
    cuts[k - 1].other_volume = high += degree[at(order[k])];
    cuts[k - 1] = with_quotients(cuts[k - 1]);
  }
  return cuts;
}

void check_length(const WeightedGraph& graph, std::size_t length, std::string_view what) {
  if (static_cast<Index>(length) != graph.size())
    throw Error(ErrorKind::InvalidData, fmt::format("{} {} for {} points", length, what, graph.size()),
                "give one for each");
}

}  // namespace

Fiedler fiedler_vector(const WeightedGraph& graph, Laplacian laplacian, const Run& run) {
  return reported_as(WeightedGraphOptions::method_name, [&]() -> Fiedler {
    if (graph.components().count() > 1) return first_contrast(graph, laplacian, run);
    const WeightedGraph::Parts& parts = graph.parts();
    const GraphOperator problem = laplacian_of(graph, laplacian, run);
    EigenProblem ask{.count = std::min<Index>(2, graph.size() - 1),
                     .known = as_row(problem.trivial),
                     .norm = problem.norm,
                     .lowest = 0.0,
                     .dimension = parts.dimension,
                     .seed = parts.seed,
                     .memory_advice = "use fewer points or neighbors"};
    if (laplacian != Laplacian::Unnormalized) ask.highest = 2.0;
    const EigenSolution solution = solve_eigenproblem(*problem.a, ask, run);
    const std::vector<double> mass = masses(problem, laplacian);
    std::vector<double> f;
    for (Index i = 0; i < graph.size(); ++i) f.push_back(solution.vectors(0, i) / std::sqrt(mass[at(i)]));
    Candidate best = candidate(graph, mass, std::move(f), run);
    Fiedler result;
    if (auto warning =
            bottleneck_warning(problem.trivial_value, problem.norm, 1, 1, solution.values, how_to_thicken(graph))) {
      result.warnings.push_back(std::move(*warning));
      // Within a part the vector is constant up to rounding, which may cost more than the edges between the parts.
      Candidate sides = two_sides(graph, mass, best.f, run);
      if (sides.quotient.value < best.quotient.value) best = std::move(sides);
    }
    const double norm = std::max(solution.norm, problem.norm), unit = unit_of(graph, laplacian);
    result.lambda2 = best.quotient.value * unit;
    result.lambda2_at_least = lower_bound(best.quotient, solution, norm) * unit;
    result.residual = best.quotient.residual / norm;
    require_finite(PointsView(&result.lambda2, 1, 1), "eigenvalues of D - W",
                   "use another laplacian, or divide the weights by 1024");
    warn_of_repeated(solution, result.lambda2, result.warnings);
    Array2<double> vector = Array2<double>::uninitialized(1, graph.size());
    for (Index i = 0; i < graph.size(); ++i)
      vector(0, i) = best.f[at(i)] * (laplacian == Laplacian::Symmetric ? std::sqrt(mass[at(i)]) : 1);
    canonicalize_signs(vector);
    result.vector.assign(vector.data(), vector.data() + graph.size());
    return result;
  });
}

std::vector<Cut> cuts_of(const WeightedGraph& graph, const std::vector<Index>& labels, const Run& run) {
  return reported_as(WeightedGraphOptions::method_name, [&]() -> std::vector<Cut> {
    check_length(graph, labels.size(), "labels");
    const auto [least, most] = std::minmax_element(labels.begin(), labels.end());
    if (const auto wrong = *least < 0 ? least : most; *wrong < 0 || *wrong >= graph.size())
      throw Error(ErrorKind::InvalidData, {.problem = fmt::format("has the label {}", *wrong),
                                           .advice = fmt::format("labels are 0 to {}", graph.size() - 1),
                                           .row = wrong - labels.begin()});
    if (*least == *most)
      throw Error(ErrorKind::InvalidData, fmt::format("all {} points are on one side", graph.size()), "a cut has two");
    std::vector<Cut> cuts = partition_cuts(graph.parts().affinity, labels, *most + 1, run);
    for (Cut& cut : cuts)
      for (double* sum : {&cut.cut, &cut.volume, &cut.other_volume}) *sum *= graph.parts().unit;
    return cuts;
  });
}

Cut cut_of(const WeightedGraph& graph, const std::vector<char>& side) {
  return reported_as(WeightedGraphOptions::method_name, [&]() -> Cut {
    check_length(graph, side.size(), "sides");
    std::vector<Index> labels;
    labels.reserve(side.size());
    for (const char in : side) labels.push_back(in != 0 ? 1 : 0);
    return cuts_of(graph, labels)[1];
  });
}

SweepCut sweep_cut(const WeightedGraph& graph, const std::vector<double>& values) {
  return reported_as(WeightedGraphOptions::method_name, [&]() -> SweepCut {
    check_length(graph, values.size(), "values");
    if (const auto cell = first_non_finite(PointsView(values.data(), graph.size(), 1)))
      throw Error(ErrorKind::InvalidData,
                  {.problem = fmt::format("has the value {}",
                                          non_finite_name(PointsView(values.data(), graph.size(), 1), *cell)),
                   .advice = "values must be finite",
                   .row = cell->row});
    std::vector<Index> order(values.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values[at(a)] < values[at(b)]; });
    const std::vector<Cut> cuts = prefix_cuts(graph, order);
    const auto best = std::min_element(cuts.begin(), cuts.end(),
                                       [](const Cut& a, const Cut& b) { return a.conductance < b.conductance; });
    SweepCut result{.side = std::vector<char>(values.size()), .size = best - cuts.begin() + 1};
    for (Index k = 0; k < result.size; ++k) result.side[at(order[at(k)])] = 1;
    result.cut = cut_of(graph, result.side);
    return result;
  });
}

CheegerBounds cheeger_bounds(const Fiedler& fiedler) {
  constexpr double kRounding = 1e-12;  // the inequality is sharp for some graphs, such as cubes
  return {.lower = fiedler.lambda2_at_least / 2 * (1 - kRounding),
          .upper = std::sqrt(2 * fiedler.lambda2) * (1 + kRounding)};
}

}  // namespace unroll
