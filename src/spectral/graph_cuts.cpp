#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/finite.h"
#include "linalg/eigen_problem.h"
#include "linalg/symmetric_eigen.h"
#include "spectral/weighted_graph.h"
#include "unroll/core/error.h"
#include "unroll/spectral/graph_quantities.h"

namespace unroll {
namespace {

constexpr std::string_view kWho = WeightedGraphOptions::method_name;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Fiedler first_component(const WeightedGraph& graph) {
  const Components& components = graph.components();
  Fiedler result;
  result.vector.resize(components.labels.size());
  std::transform(components.labels.begin(), components.labels.end(), result.vector.begin(),
                 [](Index label) { return label == 0 ? 1.0 : 0.0; });
  result.warnings.push_back({"fiedler-disconnected",
                             fmt::format("the graph has {} components, so lambda_2 is 0 and the Fiedler vector is the "
                                         "indicator of the first, of {} points",
                                         components.count(), components.sizes.front()),
                             std::string(how_to_join(graph))});
  return result;
}

Cut with_quotients(Cut cut) {
  const double least = std::min(cut.volume, cut.other_volume);
  if (least > 0 && cut.cut > 0) {
    cut.conductance = cut.cut / least;
    cut.normalized_cut = cut.cut / cut.volume + cut.cut / cut.other_volume;
  }
  return cut;
}

/// The cut behind every prefix of an order of the points: entry k is that of the first k + 1. Sums begin at the end
/// that `order` begins with: their rounding is that of this side, however small it is beside the other.
std::vector<Cut> prefix_cuts(const WeightedGraph& graph, const std::vector<Index>& order) {
  std::vector<char> inside(order.size());
  std::vector<Cut> cuts(order.size());
  Cut now;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Index i = order[k];
    for_each_weight(graph.parts().affinity, i, [&](Index j, double weight) {
      if (j != i) now.cut += inside[at(j)] != 0 ? -weight : weight;
    });
    now.cut = std::max(now.cut, 0.0);  // rounding
    now.volume += graph.degrees()[at(i)];
    inside[at(i)] = 1;
    cuts[k] = now;
  }
  return cuts;
}

void check_length(const WeightedGraph& graph, std::size_t length, std::string_view what) {
  if (static_cast<Index>(length) != graph.size())
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: {} {} for {} points; give one for each", kWho, length, what, graph.size()));
}

}  // namespace

Fiedler fiedler_vector(const WeightedGraph& graph, Laplacian laplacian, const Run& run) {
  if (graph.components().count() > 1) return first_component(graph);
  const WeightedGraph::Parts& parts = graph.parts();
  const GraphOperator problem = graph_operator(operator_of(laplacian), parts.affinity, run);
  EigenProblem ask{.count = std::min<Index>(2, graph.size() - 1),
                   .known = problem.known(),
                   .norm = problem.norm,
                   .lowest = 0.0,
                   .dimension = parts.dimension,
                   .seed = parts.seed};
  if (laplacian != Laplacian::Unnormalized) ask.highest = 2.0;
  EigenSolution solution = solve_eigenproblem(*problem.a, ask, run);
  if (!problem.back.empty())
    for (Index i = 0; i < graph.size(); ++i) solution.vectors(0, i) *= problem.back[at(i)];
  canonicalize_signs(solution.vectors);
  const double* vector = solution.vectors.row(0);
  Fiedler result{.vector = {vector, vector + graph.size()},
                 .lambda2 = std::max(solution.values.front(), 0.0),
                 .residual = solution.residuals.front()};
  if (solution.values.size() > 1 && end_of_group({solution.values[1], solution.values[0]}, 0) == 2)
    result.warnings.push_back({"repeated-eigenvalue",
                               fmt::format("lambda_2 = {:.6g} is an eigenvalue more than once: the Fiedler vector is "
                                           "one of many, as on a cycle, which can be turned",
                                           result.lambda2),
                               "look at several coordinates of laplacian_eigenmaps instead"});
  return result;
}

Cut cut_of(const WeightedGraph& graph, const std::vector<char>& side) {
  check_length(graph, side.size(), "sides");
  const auto count = std::count_if(side.begin(), side.end(), [](char in) { return in != 0; });
  if (count == 0 || count == graph.size())
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: all {} points are on one side; a cut has two", kWho, graph.size()));
  Cut result;
  for (Index i = 0; i < graph.size(); ++i) {
    const double degree = graph.degrees()[at(i)];
    (side[at(i)] != 0 ? result.volume : result.other_volume) += degree;
    if (side[at(i)] == 0) continue;
    for_each_weight(graph.parts().affinity, i,
                    [&](Index j, double weight) { result.cut += side[at(j)] == 0 ? weight : 0; });
  }
  return with_quotients(result);
}

SweepCut sweep_cut(const WeightedGraph& graph, const std::vector<double>& values) {
  check_length(graph, values.size(), "values");
  if (const auto cell = first_non_finite(PointsView(values.data(), graph.size(), 1)))
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: the value of point {} is {}; values must be finite", kWho, cell->row,
                            non_finite_name(PointsView(values.data(), graph.size(), 1), *cell)));
  const Index n = graph.size();
  std::vector<Index> order(at(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values[at(a)] < values[at(b)]; });
  const std::vector<Cut> from_low = prefix_cuts(graph, order);
  const std::vector<Cut> from_high = prefix_cuts(graph, {order.rbegin(), order.rend()});
  double best = INFINITY;
  SweepCut result;
  for (Index k = 0; k + 1 < n; ++k) {
    Cut now = from_low[at(k)];
    const Cut& other = from_high[at(n - k - 2)];
    now.other_volume = other.volume;
    if (other.volume < now.volume) now.cut = other.cut;  // of the smaller side
    if (const double conductance = with_quotients(now).conductance; conductance < best) {
      best = conductance;
      result.size = k + 1;
    }
  }
  result.side.resize(at(n));
  for (Index k = 0; k < result.size; ++k) result.side[at(order[at(k)])] = 1;
  result.cut = cut_of(graph, result.side);
  return result;
}

CheegerBounds cheeger_bounds(double lambda2) { return {.lower = lambda2 / 2, .upper = std::sqrt(2 * lambda2)}; }

}  // namespace unroll
