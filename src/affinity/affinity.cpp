#include "affinity/affinity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "affinity/given_weights.h"
#include "core/finite.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/text.h"
#include "neighbors/disjoint_sets.h"
#include "neighbors/distance_matrix.h"
#include "neighbors/entry_rule.h"
#include "neighbors/given_distances.h"
#include "neighbors/input_neighbors.h"
#include "unroll/core/error.h"
#include "unroll/neighbors/intrinsic_dimension.h"

namespace unroll {
namespace {

void check_edges(const NeighborGraph& graph, const NeighborOptions& search) {
  if (graph.edges() > 0) return;
  if (takes_all_entries(search)) throw Error(ErrorKind::InvalidData, "the matrix has no entries: there are no edges");
  throw Error(
      ErrorKind::InvalidOption,
      {.problem = fmt::format("radius={:g} is less than all distances: there are no edges", search.radius.value_or(0)),
       .advice = "use a larger radius",
       .option = "radius"});
}

/// Bandwidths that are wide enough for the edges whose weights vanished.
struct WiderHeat {
  double sigma = 0;
  bool self_tuning = false;  ///< self-tuning is wide enough, too

  std::string hint() const {
    return fmt::format("use {}sigma={:.2g}", self_tuning ? "bandwidth=self_tuning, or " : "", sigma);
  }
};

/// The sigma that gives an edge of this length the weight exp(-8).
double reaching_sigma(double length) { return length / 4; }

/// A narrow bandwidth can make all weights of a point vanish. If the user chose sigma, that is an error: the map would
/// be noise. If we chose it, or the method allows it, the point is far from all others and becomes a component of its
/// own.
void report_vanishing(Index lost, const WiderHeat& wider, const HeatKernel& kernel, const AffinityOptions& options,
                      std::vector<Warning>& warnings) {
  if (lost == 0) return;
  if (options.sigma && !options.may_vanish)
    throw Error(ErrorKind::InvalidData,
                fmt::format("sigma={:g} makes all weights of {} zero", *options.sigma, counted(lost, "point")),
                fmt::format("try sigma={:.2g}", wider.sigma));
  warnings.push_back(
      {"vanishing-weights",
       fmt::format("{} so far from all others that {} weights vanish{}: {} a component of its own",
                   lost == 1 ? "1 point is" : fmt::format("{} points are", lost), lost == 1 ? "its" : "their",
                   kernel.widths.empty() ? fmt::format(" beside sigma={:.3g}", kernel.sigma) : "",
                   lost == 1 ? "it is" : "each is"),
       wider.hint()});
}

/// The sigma that is wide enough for the longest edge that the parts need to be connected as they are in `graph`.
double joining_sigma(const NeighborGraph& graph, const Components& parts) {
  std::vector<JoiningEdge> between;
  for (Index i = 0; i < graph.size(); ++i)
    for (std::size_t e = 0; e < graph.neighbors_of(i).size(); ++e) {
      const Index j = graph.neighbors_of(i)[e];
      const Index a = parts.labels[static_cast<std::size_t>(i)], b = parts.labels[static_cast<std::size_t>(j)];
      if (a < b) between.push_back({a, b, graph.distances_of(i)[e]});
    }
  std::sort(between.begin(), between.end(),
            [](const JoiningEdge& x, const JoiningEdge& y) { return x.distance < y.distance; });
  DisjointSets sets(parts.count());
  double longest = 0;
  for (const JoiningEdge& edge : between)
    if (sets.join(edge.first, edge.second)) longest = edge.distance;
  return reaching_sigma(longest);
}

/// If weights vanish between parts that `graph` joins, the hint is a wider sigma; more neighbours help only if `graph`
/// itself has several components.
std::optional<std::string> check_vanishing(const NeighborGraph& graph, const NeighborGraph& kept,
                                           const NeighborGraph& nearest, const HeatKernel& kernel,
                                           const AffinityOptions& options, std::vector<Warning>& warnings) {
  const Components parts = connected_components(kept);
  const Index joined = connected_components(graph).count();
  if (parts.count() == joined) return {};
  Index lost = 0;
  for (Index i = 0; i < graph.size(); ++i)
    if (graph.degree(i) > 0 && kept.degree(i) == 0) ++lost;
  WiderHeat wider{.sigma = joining_sigma(graph, parts)};
  if (kernel.widths.empty()) {
    const HeatKernel tuned = choose_kernel(options.weights, Bandwidth::SelfTuning, {}, nearest, graph).kernel;
    const auto left = weighing(graph, tuned);
    wider.self_tuning = !left || connected_components(*left).count() == joined;
  }
  report_vanishing(lost, wider, kernel, options, warnings);
  return wider.hint() + (joined > 1 ? ", and more neighbors" : "");
}

void warn_of_identical(const NeighborGraph& nearest, std::vector<Warning>& warnings) {
  const auto is_zero = [](double length) { return length == 0; };
  if (nearest.edges() == 0 || !std::all_of(nearest.distances.begin(), nearest.distances.end(), is_zero)) return;
  warnings.push_back({"identical-points",
                      "every point is at distance 0 from its neighbors: who is whose neighbor is a matter of their "
                      "order, and the result says nothing of the data",
                      "drop duplicates"});
}

void describe(const ChosenKernel& chosen, AffinityFit& fit) {
  if (chosen.kernel.weights == EdgeWeights::Heat && chosen.kernel.widths.empty())
    fit.attributes.emplace_back("sigma", chosen.kernel.sigma);
  fit.warnings.insert(fit.warnings.end(), chosen.warnings.begin(), chosen.warnings.end());
  fit.attributes.emplace_back("components", std::int64_t{fit.affinity.components.count()});
}

AffinityFit by_neighbors(Neighbors found, const Input& input, const AffinityOptions& options, const Run& run) {
  AffinityFit fit;
  const NeighborOptions& search = options.neighbors;
  fit.warnings = std::move(found.report.warnings);
  warn_of_identical(found.graph, fit.warnings);
  NeighborGraph graph = symmetrized(found.graph, options.policy.symmetrization, run);
  check_edges(graph, search);
  require_finite(graph.distances, "distances");
  ChosenKernel chosen = choose_kernel(options.weights, options.bandwidth, options.sigma, found.graph, graph);
  GraphPolicy policy = options.policy;
  if (auto fewer = weighing(graph, chosen.kernel)) {
    policy.hint = check_vanishing(graph, *fewer, found.graph, chosen.kernel, options, fit.warnings);
    graph = std::move(*fewer);
  }
  ConnectedGraph joined = resolve_components(policy, std::move(graph), found.graph, full_values(input), search, run);
  const std::vector<double> shares = edge_shares(options.policy.symmetrization, found.graph, joined.graph);
  fit.affinity = {graph_weights(joined.graph, shares, joined.joining, chosen.kernel, options.unit_diagonal, run),
                  std::move(joined.components)};
  fit.warnings.insert(fit.warnings.end(), joined.warnings.begin(), joined.warnings.end());
  describe(chosen, fit);
  fit.attributes.emplace_back("graph_edges", std::int64_t{joined.graph.edges() / 2});
  fit.attributes.emplace_back("recall", found.report.recall);
  if (const double dimension = likely_dimension(found.graph, run); dimension > 0) fit.dimension = dimension;
  if (options.keep_lengths) fit.lengths = std::move(joined.graph);
  const Index n = found.graph.size();
  const bool has_points = input.has_points();
  fit.rows = std::make_shared<const AffinityRows>(
      AffinityRows::Parts{.graph = GraphKind::Neighbors,
                          .kernel = std::move(chosen.kernel),
                          .options = search,
                          .symmetrization = options.policy.symmetrization,
                          .unit_diagonal = options.unit_diagonal,
                          .points = has_points ? copied(input.full()) : OwnedPoints{},
                          .nearest = std::move(found.graph),
                          .joining = std::move(joined.joining),
                          .size = n});
  return fit;
}

/// The nearest distances of every point, from which bandwidths are chosen.
NeighborGraph nearest_of(const Array2<double>& distances) {
  constexpr Index kCount = 8;
  NeighborGraph graph;
  for (Index i = 0; i < distances.rows(); ++i) {
    std::vector<double> row(distances.row(i), distances.row(i) + distances.cols());
    row.erase(row.begin() + i);
    const Index count = std::min<Index>(kCount, std::ssize(row));
    std::partial_sort(row.begin(), row.begin() + count, row.end());
    for (Index e = 0; e < count; ++e) {
      graph.neighbors.push_back(e < i ? e : e + 1);  // only the distances matter
      graph.distances.push_back(row[static_cast<std::size_t>(e)]);
    }
    graph.offsets.push_back(graph.edges());
  }
  return graph;
}

/// Up to a million distances, as the edges of a graph.
NeighborGraph sampled_lengths(const Array2<double>& distances) {
  constexpr Index kRows = 1000;
  NeighborGraph graph;
  const Index n = distances.rows();
  for (const Index i : Random(0, "affinity.lengths").sample(n, std::min(n, kRows))) {
    const std::vector<Index> columns =
        Random(static_cast<std::uint64_t>(i), "affinity.columns").sample(n, std::min(n, kRows));
    for (const Index j : columns) {
      if (j == i) continue;
      graph.neighbors.push_back(j);
      graph.distances.push_back(distances(i, j));
    }
    graph.offsets.push_back(graph.edges());
  }
  return graph;
}

/// Reports points whose weights to all others vanish, and groups between which all weights vanish.
void check_full(PointsView points, const Components& components, const HeatKernel& kernel,
                const AffinityOptions& options, std::vector<Warning>& warnings, const Run& run) {
  if (components.count() == 1) return;
  const std::vector<JoiningEdge> joining = connecting_edges(points, components, options.neighbors, run);
  const WiderHeat wider{.sigma = reaching_sigma(joining.back().distance)};  // the longest
  report_vanishing(std::count(components.sizes.begin(), components.sizes.end(), 1), wider, kernel, options, warnings);
  const std::string finding =
      fmt::format("the number of connected components is {} > 1: all weights between them vanish", components.count());
  if (options.policy.components == ComponentsPolicy::Error || options.policy.components == ComponentsPolicy::Connect)
    throw Error(ErrorKind::Disconnected, finding, wider.hint() + ", or components=keep");
  warnings.push_back({"graph-disconnected", finding, wider.hint() + ", or graph=neighbors with components=connect"});
}

AffinityFit by_all_pairs(PointsView points, const AffinityOptions& options, const Run& run) {
  const Index n = points.rows();
  MemoryPlan plan;
  plan.add("the weights of all pairs", static_cast<double>(n), static_cast<double>(n), sizeof(double));
  plan.add("the points", static_cast<double>(n), static_cast<double>(points.cols()), sizeof(double));
  plan.require(run, "use graph=neighbors, or n_landmarks=1000");
  const bool given = options.neighbors.metric == Metric::Precomputed;
  if (given) check_distances(points, run);
  const MetricRows rows =
      given ? MetricRows{} : metric_rows(points, options.neighbors.metric, metric_scale(points, run), run);
  Array2<double> w = given ? symmetric_distances(points, run) : distance_matrix(rows, options.neighbors, run);
  const NeighborGraph nearest = nearest_of(w), lengths = sampled_lengths(w);
  require_finite(nearest.distances, "distances");
  ChosenKernel chosen = choose_kernel(options.weights, options.bandwidth, options.sigma, nearest, lengths);
  const HeatKernel& kernel = chosen.kernel;
  parallel_for(run, n, 16, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double own = kernel.width(i);
      for (Index j = 0; j < n; ++j) w(i, j) = i == j ? (options.unit_diagonal ? 1 : 0) : kernel.weight(w(i, j), j, own);
    }
  });
  AffinityFit fit;
  warn_of_identical(nearest, fit.warnings);
  fit.affinity.components = components_of(w);
  check_full(points, fit.affinity.components, kernel, options, fit.warnings, run);
  fit.affinity.w = std::move(w);
  describe(chosen, fit);
  fit.rows = std::make_shared<const AffinityRows>(AffinityRows::Parts{.graph = GraphKind::Full,
                                                                      .kernel = std::move(chosen.kernel),
                                                                      .options = options.neighbors,
                                                                      .unit_diagonal = options.unit_diagonal,
                                                                      .points = given ? OwnedPoints{} : copied(points),
                                                                      .size = n});
  return fit;
}

AffinityFit by_given_weights(GivenWeights given, const AffinityOptions& options, const Run& run) {
  AffinityFit fit{
      .affinity = std::move(given.affinity), .given = true, .unit = given.unit, .warnings = std::move(given.warnings)};
  const Index n = fit.affinity.size();
  if (fit.affinity.components.count() > 1 && options.policy.components == ComponentsPolicy::Error)
    throw Error(ErrorKind::Disconnected,
                fmt::format("the graph is not fully connected: the number of connected components is {}",
                            fit.affinity.components.count()),
                fmt::format("use components={}keep", options.policy.can_separate ? "separate or " : ""));
  fit.attributes.emplace_back("components", std::int64_t{fit.affinity.components.count()});
  AffinityRows::Parts rows;
  rows.graph = GraphKind::Full;
  rows.kernel.weights = EdgeWeights::Precomputed;
  rows.options.metric = Metric::Precomputed;
  rows.size = n;
  rows.unit_diagonal = options.unit_diagonal;
  rows.unit = given.unit;
  rows.prints = std::move(given.prints);
  if (given.averaged) rows.degrees = degrees(fit.affinity, run);
  fit.rows = std::make_shared<const AffinityRows>(std::move(rows));
  return fit;
}

}  // namespace

Index Affinity::size() const {
  if (const auto* sparse = std::get_if<SparseMatrix>(&w)) return sparse->rows;
  return std::get<Array2<double>>(w).rows();
}

Similarities Affinity::view() const {
  if (const auto* sparse = std::get_if<SparseMatrix>(&w)) return {sparse};
  return {std::get<Array2<double>>(w).view()};
}

AffinityFit make_affinity(const Input& input, const AffinityOptions& options, const Run& run) {
  if (options.weights == EdgeWeights::Precomputed)
    return by_given_weights(
        input.is_sparse() ? given_weights(input.sparse(), options) : given_weights(input.full(), options, run), options,
        run);
  if (options.graph == GraphKind::Neighbors)
    return by_neighbors(input_neighbors(input, options.neighbors, run), input, options, run);
  if (input.is_sparse())
    throw Error(ErrorKind::Unsupported, "graph=full needs all distances, but the matrix is sparse",
                "use graph=neighbors");
  return by_all_pairs(input.full(), options, run);
}

std::vector<double> degrees(const Affinity& affinity, const Run& run) {
  std::vector<double> sums = row_means(affinity.view(), run);
  for (double& sum : sums) sum *= static_cast<double>(affinity.size());
  return sums;
}

Affinity part(const Affinity& affinity, const std::vector<Index>& points, const std::vector<Index>& number) {
  const auto count = std::ssize(points);
  Affinity result{.components = {.labels = std::vector<Index>(points.size()), .sizes = {count}}};
  if (const auto* full = std::get_if<Array2<double>>(&affinity.w)) {
    Array2<double> w = Array2<double>::uninitialized(count, count);
    for (Index i = 0; i < count; ++i)
      for (Index j = 0; j < count; ++j)
        w(i, j) = (*full)(points[static_cast<std::size_t>(i)], points[static_cast<std::size_t>(j)]);
    result.w = std::move(w);
    return result;
  }
  const auto& sparse = std::get<SparseMatrix>(affinity.w);
  SparseMatrix w{.rows = count, .cols = count};
  for (const Index point : points) {
    for (Index e = sparse.offsets[static_cast<std::size_t>(point)];
         e < sparse.offsets[static_cast<std::size_t>(point) + 1]; ++e) {
      w.columns.push_back(number[static_cast<std::size_t>(sparse.columns[static_cast<std::size_t>(e)])]);
      w.values.push_back(sparse.values[static_cast<std::size_t>(e)]);
    }
    w.offsets.push_back(std::ssize(w.columns));
  }
  result.w = std::move(w);
  return result;
}

}  // namespace unroll
