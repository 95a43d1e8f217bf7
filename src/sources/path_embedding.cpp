#include "sources/path_embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "affinity/geodesic_rows.h"
#include "core/at.h"
#include "core/finite.h"
#include "core/memory.h"
#include "core/text.h"
#include "data/column_statistics.h"
#include "neighbors/geodesics.h"
#include "neighbors/input_neighbors.h"
#include "neighbors/pair_distance.h"
#include "neighbors/short_circuits.h"
#include "sources/landmark_embedding.h"
#include "sources/matrix_source.h"
#include "sources/residual_variance.h"
#include "spectral/transformer.h"

namespace unroll {
namespace {

/// Path lengths of more points are kept in float: half of the memory, three quarters of the time, and coordinates move
/// by 1e-6 of the extent. A Swiss roll with k = 10, on 2 cores:
///
///     points   double           float            largest move
///      2 000   0.17 s   45 MB   0.15 s   30 MB   3e-5 of 47
///      5 000   0.60 s  212 MB   0.46 s  116 MB   4e-5 of 47
///     10 000   2.04 s  795 MB   1.52 s  413 MB   6e-5 of 46
///
/// The limit is not lower, since double fits for fewer points. Lengths are also added in float, and over hundreds of
/// edges rounding bends straight lines. A line of 5 000 points has one dimension in double; in float the second
/// eigenvalue is 9e-6 of the first, a coordinate of 0.3 % of the extent, and two dimensions are suggested.
constexpr Index kMostDouble = 10'000;

std::vector<Index> numbers(Index n) {
  std::vector<Index> all(at(n));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

using LandmarkLengths = std::variant<Array2<double>, Array2<float>>;

/// Makes the rows for new points and the report of the graph.
MethodFit finished(SpectralFit map, std::vector<double> residual_variance, LandmarkLengths from_landmarks,
                   const Input& input, PathGraph graph) {
  const bool is_single = graph.is_single(), by_landmarks = view_of(from_landmarks).rows() > 0;
  const bool has_points = input.has_points();
  auto rows = std::make_shared<const GeodesicRows>(
      GeodesicRows::Parts{.points = has_points ? copied(input.full()) : OwnedPoints{},
                          .nearest = std::move(graph.nearest.graph),
                          .options = graph.search,
                          .joining = graph.joined.joining,
                          .scale = graph.scale,
                          .is_single = is_single,
                          .from_landmarks = std::move(from_landmarks)});
  MethodFit fit =
      spectral_fit(by_landmarks ? TransformKind::Nystrom : TransformKind::Exact, std::move(rows), std::move(map));
  Embedding& embedding = fit.embedding;
  auto add = [&](std::string name, Attribute value) {
    embedding.attributes.emplace_back(std::move(name), std::move(value));
  };
  if (const auto dimension = elbow(residual_variance)) add("suggested_components", std::int64_t{*dimension});
  add("residual_variance", std::move(residual_variance));
  add("graph_edges", std::int64_t{graph.joined.graph.edges() / 2});
  add("components", std::int64_t{graph.joined.components.count()});
  add("joining_edges", std::int64_t{std::ssize(graph.joined.joining)});
  add("neighbors_algorithm", std::string(name_of(graph.nearest.report.algorithm)));
  add("recall", graph.nearest.report.recall);
  add("precision", std::string(is_single ? "float32" : "float64"));
  for (const auto* more : {&graph.joined.warnings, &graph.nearest.report.warnings})
    embedding.warnings.insert(embedding.warnings.begin(), more->begin(), more->end());
  return fit;
}

template <class T>
MethodFit from_landmarks(const std::vector<Index>& landmarks, const Recipe& row, const Input& input, PathGraph graph,
                         const SpectralSettings& settings, const Run& run) {
  Array2<T> lengths = geodesic_distances<T>(graph.joined.graph, landmarks, run);
  LandmarkFit map = embed_by_landmarks(row, lengths, 1, landmarks, settings, run);
  std::vector<double> variance = residual_variance(lengths.view(), landmarks, map.fit.coordinates, settings.seed, run);
  MethodFit fit = finished(std::move(map.fit), std::move(variance), std::move(lengths), input, std::move(graph));
  report_landmarks(landmarks, map.error, fit.embedding);
  return fit;
}

/// Warns if edges lead off the surface: a single one spoils all paths near it.
void check_short_circuits(const Input& input, const NeighborOptions& search, ConnectedGraph& joined, const Run& run) {
  const NeighborGraph& graph = joined.graph;
  std::optional<PairDistance> pairs;
  if (const auto values = full_values(input)) pairs.emplace(*values, search, run);
  const ShortCircuits found = find_short_circuits(
      graph,
      [&](Index i, Index j) {
        if (pairs) return pairs->scaled(i, j);
        const auto neighbors = graph.neighbors_of(i);
        const auto place = std::find(neighbors.begin(), neighbors.end(), j);
        return place == neighbors.end() ? -1.0 : graph.distances_of(i)[at(place - neighbors.begin())];
      },
      run);
  if (found.edges == 0) return;
  joined.warnings.push_back(
      {"short-circuit",
       fmt::format("{} of the graph {} off the surface that the points lie on, such as between points {} and {}: along "
                   "nearer neighbors the way is more than 5 times as long, and paths take the short cut",
                   counted(found.edges, "edge"), found.edges == 1 ? "leads" : "lead", found.first + 1,
                   found.second + 1),
       fmt::format("use {}, or remove points that lie between two parts of the surface",
                   search.radius ? "a smaller radius" : "a smaller n_neighbors")});
}

}  // namespace

void PathSource::check(const Recipe& row) const {
  if (row.operation != OperatorRule::Centered)
    refuse_cell(name_of(row.operation), "W holds lengths of paths, not weights; they are centred");
  check_centered_cells(row);
}

PathSource::Lengths PathSource::lengths_of(const NeighborGraph& part, const Run& run) const {
  if (by_floyd_warshall_) return floyd_warshall(part, run);
  const std::vector<Index> all = numbers(part.size());
  if (is_single_) return geodesic_distances<float>(part, all, run);
  return geodesic_distances<double>(part, all, run);
}

OperatorPairs PathSource::solve(const Recipe& row, const std::vector<Index>& points, Index count,
                                const SpectralSettings& settings, const Run& run) const {
  Lengths lengths = points.empty() ? lengths_of(graph_, run) : lengths_of(subgraph(graph_, points), run);
  const Similarities w{std::visit([](const auto& m) { return decltype(Similarities::matrix)(m.view()); }, lengths),
                       Similarities::Entries::Distances};
  OperatorPairs solution = MatrixSource(w).solve(row, {}, count, settings, run);
  if (first_points_.empty()) {
    first_ = std::move(lengths);
    first_points_ = points.empty() ? numbers(size()) : points;
  }
  return solution;
}

std::vector<double> PathSource::residual_variance(const Array2<double>& coordinates, std::uint64_t seed,
                                                  const Run& run) const {
  if (first_points_.empty()) return {};  // every component is a point
  const Index n = std::ssize(first_points_), count = std::min(coordinates.cols(), n - 1);
  Array2<double> y = Array2<double>::uninitialized(n, count);
  for (Index i = 0; i < n; ++i) std::copy_n(coordinates.row(first_points_[at(i)]), count, y.row(i));
  return std::visit(
      [&](const auto& lengths) { return unroll::residual_variance(lengths.view(), numbers(n), y, seed, run); }, first_);
}

bool PathGraph::is_single() const { return size() > kMostDouble; }

PathGraph path_graph(const Input& input, const NeighborOptions& search, ComponentsPolicy components, const Run& run) {
  PathGraph result{.search = search, .nearest = input_neighbors(input, search, run)};
  const NeighborGraph& nearest = result.nearest.graph;
  result.joined = resolve_components({.components = components}, symmetrized(nearest, Symmetrization::Union, run),
                                     nearest, full_values(input), search, run);
  std::vector<double>& lengths = result.joined.graph.distances;
  require_finite(lengths, "distances");
  check_short_circuits(input, search, result.joined, run);
  result.scale = power_of_two_scale(lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end()));
  result.joined.graph = scaled_graph(std::move(result.joined.graph), result.scale);
  return result;
}

void plan_paths(Index from, Index n, std::string_view advice, const Run& run) {
  MemoryPlan plan;
  plan.add("the lengths of paths", static_cast<double>(from), static_cast<double>(n),
           n > kMostDouble ? sizeof(float) : sizeof(double));
  plan.require(run, advice);
}

MethodFit embed_paths(const Recipe& row, const Input& input, PathGraph graph, bool by_floyd_warshall,
                      SpectralSettings settings, const Run& run) {
  if (graph.is_single() && by_floyd_warshall)
    throw Error(ErrorKind::InvalidOption, fmt::format("path_method=floyd_warshall is for up to {} points", kMostDouble),
                "use dijkstra");
  settings.unit = graph.scale;
  settings.separate = true;
  const PathSource paths(graph.joined.graph, graph.joined.components, graph.is_single(), by_floyd_warshall);
  SpectralFit map = embed(row, paths, settings, run);
  std::vector<double> variance = paths.residual_variance(map.coordinates, settings.seed, run);
  return finished(std::move(map), std::move(variance), {}, input, std::move(graph));
}

MethodFit embed_paths_from(const std::vector<Index>& landmarks, const Recipe& row, const Input& input, PathGraph graph,
                           SpectralSettings settings, const Run& run) {
  if (graph.joined.components.count() > 1)
    throw Error(ErrorKind::Unsupported,
                fmt::format("{} components cannot be kept apart with landmarks", graph.joined.components.count()),
                "use components=connect, or leave out n_landmarks");
  settings.unit = graph.scale;
  return graph.is_single() ? from_landmarks<float>(landmarks, row, input, std::move(graph), settings, run)
                           : from_landmarks<double>(landmarks, row, input, std::move(graph), settings, run);
}

}  // namespace unroll
