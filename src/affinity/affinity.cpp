#include "affinity/affinity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "affinity/given_weights.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/text.h"
#include "core/told_by.h"
#include "neighbors/disjoint_sets.h"
#include "neighbors/distance_matrix.h"
#include "neighbors/entry_rule.h"
#include "neighbors/given_distances.h"
#include "unroll/core/error.h"
#include "unroll/neighbors/intrinsic_dimension.h"

namespace unroll {
namespace {

void check_lengths(const std::vector<double>& lengths, std::string_view who) {
  if (std::all_of(lengths.begin(), lengths.end(), [](double length) { return std::isfinite(length); })) return;
  throw Error(ErrorKind::InvalidData,
              fmt::format("{}: distances pass the largest double, 1.8e308; divide the data by 1024 or more", who));
}

void check_edges(const NeighborGraph& graph, const NeighborOptions& search, std::string_view who) {
  if (graph.edges() > 0) return;
  if (takes_all_entries(search))
    throw Error(ErrorKind::InvalidData, fmt::format("{}: the matrix has no entries: there are no edges", who));
  throw Error(ErrorKind::InvalidOption,
              fmt::format("{}: radius={:g} is less than all distances: there are no edges; use a larger radius", who,
                          search.radius.value_or(0)));
}

/// Bandwidths under which heat reaches over the lengths at which it vanished.
struct WiderHeat {
  double sigma = 0;
  bool self_tuning = false;  ///< does it, too

  std::string hint() const {
    return fmt::format("use {}sigma={:.2g}", self_tuning ? "bandwidth=self_tuning, or " : "", sigma);
  }
};

/// exp(-8) of an edge of this length is left.
double reaching_sigma(double length) { return length / 4; }

/// Heat so narrow that all weights of a point vanish cuts it off. Where the user said how narrow, that is an error:
/// what is left would be noise, or nothing. Where we chose it, the point is far from all others, and a component of its
/// own.
void report_vanishing(Index lost, const WiderHeat& wider, const HeatKernel& kernel, const AffinityOptions& options,
                      std::vector<Warning>& warnings) {
  if (lost == 0) return;
  if (options.sigma)
    throw Error(ErrorKind::InvalidData, fmt::format("{}: sigma={:g} makes all weights of {} zero; try sigma={:.2g}",
                                                    options.who, *options.sigma, counted(lost, "point"), wider.sigma));
  warnings.push_back(
      {"vanishing-weights",
       fmt::format("{} so far from all others that {} weights vanish{}: {} a component of its own",
                   lost == 1 ? "1 point is" : fmt::format("{} points are", lost), lost == 1 ? "its" : "their",
                   kernel.widths.empty() ? fmt::format(" beside sigma={:.3g}", kernel.sigma) : "",
                   lost == 1 ? "it is" : "each is"),
       wider.hint()});
}

/// The sigma that reaches over the longest of the edges that the parts need to hang together as they do in `graph`.
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

/// Where heat vanishes between parts that `graph` joins: a hint at what is wide enough, not at more neighbours.
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
    fit.diagnostics.emplace_back("sigma", chosen.kernel.sigma);
  fit.warnings.insert(fit.warnings.end(), chosen.warnings.begin(), chosen.warnings.end());
  fit.diagnostics.emplace_back("components", std::int64_t{fit.affinity.components.count()});
}

/// `points` are none where a sparse matrix of distances is all there is.
AffinityFit by_neighbors(Neighbors found, std::optional<PointsView> points, const AffinityOptions& options,
                         const NeighborOptions& search, const Run& run) {
  AffinityFit fit;
  fit.warnings = std::move(found.report.warnings);
  warn_of_identical(found.graph, fit.warnings);
  NeighborGraph graph = symmetrized(found.graph, options.policy.symmetrization, run);
  check_edges(graph, search, options.who);
  check_lengths(graph.distances, options.who);
  ChosenKernel chosen = choose_kernel(options.weights, options.bandwidth, options.sigma, found.graph, graph);
  GraphPolicy policy = options.policy;
  if (auto fewer = weighing(graph, chosen.kernel)) {
    policy.hint = check_vanishing(graph, *fewer, found.graph, chosen.kernel, options, fit.warnings);
    graph = std::move(*fewer);
  }
  PolicedGraph policed = apply_policy(policy, std::move(graph), found.graph, points, search, options.who, run);
  const std::vector<double> shares = edge_shares(options.policy.symmetrization, found.graph, policed.graph);
  fit.affinity = {graph_weights(policed.graph, shares, policed.joining, chosen.kernel, options.unit_diagonal, run),
                  std::move(policed.components)};
  fit.warnings.insert(fit.warnings.end(), policed.warnings.begin(), policed.warnings.end());
  describe(chosen, fit);
  fit.diagnostics.emplace_back("graph_edges", std::int64_t{policed.graph.edges() / 2});
  fit.diagnostics.emplace_back("recall", found.report.recall);
  if (const double dimension = likely_dimension(found.graph, run); dimension > 0) fit.dimension = dimension;
  if (options.keep_lengths) fit.lengths = std::move(policed.graph);
  const Index n = found.graph.size();
  const bool has_points = points && options.neighbors.metric != Metric::Precomputed;
  fit.rows =
      std::make_shared<const AffinityRows>(AffinityRows::Parts{.graph = GraphKind::Neighbors,
                                                               .kernel = std::move(chosen.kernel),
                                                               .options = search,
                                                               .symmetrization = options.policy.symmetrization,
                                                               .unit_diagonal = options.unit_diagonal,
                                                               .points = has_points ? copied(*points) : OwnPoints{},
                                                               .nearest = std::move(found.graph),
                                                               .joining = std::move(policed.joining),
                                                               .size = n});
  return fit;
}

/// The nearest distances of every point among all, for what bandwidths are chosen from.
NeighborGraph nearest_of(const Array2<double>& distances) {
  constexpr Index kCount = 8;
  NeighborGraph graph;
  for (Index i = 0; i < distances.rows(); ++i) {
    std::vector<double> row(distances.row(i), distances.row(i) + distances.cols());
    row.erase(row.begin() + i);
    const Index count = std::min<Index>(kCount, std::ssize(row));
    std::partial_sort(row.begin(), row.begin() + count, row.end());
    for (Index e = 0; e < count; ++e) {
      graph.neighbors.push_back(e < i ? e : e + 1);  // who they are does not matter
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

/// Points whose weights to all others vanish, and groups between which they do.
void check_full(PointsView points, const Components& components, const HeatKernel& kernel,
                const AffinityOptions& options, std::vector<Warning>& warnings, const Run& run) {
  if (components.count() == 1) return;
  const std::vector<JoiningEdge> joining = connecting_edges(points, components, options.neighbors, run);
  const WiderHeat wider{.sigma = reaching_sigma(joining.back().distance)};  // the longest
  report_vanishing(std::count(components.sizes.begin(), components.sizes.end(), 1), wider, kernel, options, warnings);
  const std::string finding =
      fmt::format("the number of connected components is {} > 1: all weights between them vanish", components.count());
  if (options.policy.components == ComponentsPolicy::Error || options.policy.components == ComponentsPolicy::Connect)
    throw Error(ErrorKind::Disconnected,
                fmt::format("{}: {}; {}, or components=keep", options.who, finding, wider.hint()));
  warnings.push_back({"graph-disconnected", finding, wider.hint() + ", or graph=neighbors with components=connect"});
}

AffinityFit by_all_pairs(PointsView points, const AffinityOptions& options, const Run& run) {
  const Index n = points.rows();
  MemoryPlan plan;
  plan.add("the weights of all pairs", static_cast<double>(n), static_cast<double>(n), sizeof(double));
  plan.add("the points", static_cast<double>(n), static_cast<double>(points.cols()), sizeof(double));
  plan.require(run, options.who, "use graph=neighbors, or n_landmarks=1000");
  const bool given = options.neighbors.metric == Metric::Precomputed;
  if (given) check_distances(points, run);
  const MetricRows rows =
      given ? MetricRows{} : metric_rows(points, options.neighbors.metric, metric_scale(points, run), options.who, run);
  Array2<double> w =
      given ? std::get<Array2<double>>(copied_as(points, false)) : distance_matrix(rows, options.neighbors, run);
  const NeighborGraph nearest = nearest_of(w), lengths = sampled_lengths(w);
  check_lengths(nearest.distances, options.who);
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
                                                                      .points = given ? OwnPoints{} : copied(points),
                                                                      .size = n});
  return fit;
}

AffinityFit by_given_weights(GivenWeights given, const AffinityOptions& options, const Run& run) {
  AffinityFit fit{
      .affinity = std::move(given.affinity), .given = true, .unit = given.unit, .warnings = std::move(given.warnings)};
  const Index n = fit.affinity.size();
  if (fit.affinity.components.count() > 1 && options.policy.components == ComponentsPolicy::Error)
    throw Error(ErrorKind::Disconnected, fmt::format("{}: the graph is not fully connected: the number of connected "
                                                     "components is {}; use components={}keep",
                                                     options.who, fit.affinity.components.count(),
                                                     options.policy.can_separate ? "separate or " : ""));
  fit.diagnostics.emplace_back("components", std::int64_t{fit.affinity.components.count()});
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

AffinityFit affinity_of(PointsView points, const AffinityOptions& options, const Run& run) {
  if (options.weights == EdgeWeights::Precomputed)
    return by_given_weights(given_weights(points, options, run), options, run);
  if (options.graph == GraphKind::Full) return by_all_pairs(points, options, run);
  return by_neighbors(neighbors(points, options.neighbors, run), points, options, options.neighbors, run);
}

AffinityFit affinity_of(const SparseMatrix& matrix, const AffinityOptions& options, const Run& run) {
  if (options.weights == EdgeWeights::Precomputed)
    return by_given_weights(given_weights(matrix, options), options, run);
  if (options.graph == GraphKind::Full)
    throw Error(
        ErrorKind::Unsupported,
        fmt::format("{}: graph=full needs all distances, but the matrix is sparse; use graph=neighbors", options.who));
  // All entries are the graph, unless fewer are asked for.
  const bool is_asked = options.neighbors.n_neighbors || options.neighbors.radius;
  const NeighborOptions search = is_asked ? options.neighbors : all_entries(options.neighbors);
  return by_neighbors(neighbors(matrix, search, run), std::nullopt, options, search, run);
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

AffinityFit make_affinity(PointsView points, const AffinityOptions& options, const Run& run) {
  return told_by(options.who, [&] { return affinity_of(points, options, run); });
}

AffinityFit make_affinity(const SparseMatrix& matrix, const AffinityOptions& options, const Run& run) {
  return told_by(options.who, [&] { return affinity_of(matrix, options, run); });
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
