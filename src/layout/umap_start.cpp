#include "layout/umap_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/random.h"
#include "layout/band_start.h"
#include "neighbors/components_policy.h"
#include "neighbors/disjoint_sets.h"
#include "quality/independence.h"

namespace unroll {
namespace {

/// Every column from 0 to `width`; a flat one is all width / 2. Halves do not overflow where differences would.
void stretch(Array2<double>& map, double width) {
  for (Index k = 0; k < map.cols(); ++k) {
    double low = map(0, k) / 2, high = low;
    for (Index i = 0; i < map.rows(); ++i) {
      low = std::min(low, map(i, k) / 2);
      high = std::max(high, map(i, k) / 2);
    }
    for (Index i = 0; i < map.rows(); ++i)
      map(i, k) = high > low ? width * ((map(i, k) / 2 - low) / (high - low)) : width / 2;
  }
}

/// The corners of squares that stand side by side, in rows about as wide as all are high. Sides descend.
std::vector<std::pair<double, double>> packed(const std::vector<double>& sides) {
  constexpr double kGap = 0.2;  // of the side
  double area = 0;
  for (const double side : sides) area += side * side * (1 + kGap) * (1 + kGap);
  const double width = std::max(std::sqrt(area), sides.front() * (1 + kGap));
  std::vector<std::pair<double, double>> corners;
  double x = 0, y = 0, height = 0;
  for (const double side : sides) {
    const double room = side * (1 + kGap);
    if (x > 0 && x + room > width * (1 + 1e-9)) x = 0, y += height, height = 0;
    corners.emplace_back(x, y);
    x += room;
    height = std::max(height, room);
  }
  return corners;
}

/// The part of a graph that belongs to one component.
SparseMatrix part_of(const SparseMatrix& graph, const std::vector<Index>& points, const std::vector<Index>& number) {
  SparseMatrix part{.rows = std::ssize(points), .cols = std::ssize(points)};
  for (const Index i : points) {
    for (Index e = graph.offsets[at(i)]; e < graph.offsets[at(i) + 1]; ++e) {
      part.columns.push_back(number[at(graph.columns[at(e)])]);
      part.values.push_back(graph.values[at(e)]);
    }
    part.offsets.push_back(std::ssize(part.columns));
  }
  return part;
}

/// On a long sheet all eigenvectors but the first are functions of it (quality/independence.h). The start would be a
/// thin curve, which unfolds to one side here and to the other there. So the curve is made a band: its second
/// coordinate gets a little of the place across the sheet.
StartedMap unfolded_start(const SparseMatrix& graph, Index n_components, std::uint64_t seed, const Run& run) {
  constexpr double kWidth = 0.1, kDeviations = 3.5;  // of the curve's extent; that so many deviations have across
  StartedMap start = spectral_start(graph, n_components, seed, run);
  const std::vector<Index> judges = judging_points(graph.rows, seed);
  const Index count = std::min(2 * n_components + 10, most_judged(judges));
  if (!start.warnings.empty() || n_components < 2 || count <= n_components) return start;
  const auto novelty = independence(start.coordinates.view(), judges, n_components, run).novelty;
  if (*std::max_element(novelty.begin() + 1, novelty.end()) >= kHarmonic) return start;
  StartedMap longer = spectral_start(graph, count, seed, run);
  if (!longer.warnings.empty() || independence(longer.coordinates.view(), judges, 2, run).independent.size() < 2)
    return start;  // really a curve, or no more is known of it
  stretch(start.coordinates, 1);
  const std::vector<double> across = places_across(std::move(longer.coordinates));
  for (Index i = 0; i < graph.rows; ++i)
    start.coordinates(i, 1) += kWidth * std::clamp(across[at(i)] / kDeviations, -0.5, 0.5);
  return start;
}

/// The start of one component: eigenvectors, or if it is too small for as many, random places.
StartedMap component_start(const SparseMatrix& graph, Index n_components, std::uint64_t seed, const Run& run) {
  if (graph.rows <= n_components + 1) return {random_start(graph.rows, n_components, seed)};
  return unfolded_start(graph, n_components, seed, run);
}

/// Without noise, in any unit.
StartedMap plain_start(const Input& input, const SparseMatrix& graph, const Components& components, LayoutStart kind,
                       Index n_components, std::uint64_t seed, const Run& run) {
  if (kind == LayoutStart::Random) return {random_start(input.size(), n_components, seed)};
  if (kind == LayoutStart::Pca) return pca_start(input.full(), n_components, seed, run);
  if (kind != LayoutStart::Given) {
    const bool has_points = input.has_points();
    return umap_spectral_start(graph, components, has_points ? std::optional(input.full()) : std::nullopt, n_components,
                               seed, run);
  }
  StartedMap start{.coordinates = Array2<double>(input.size(), n_components)};
  input.init->visit([&](auto given) {
    for (Index i = 0; i < input.size(); ++i) std::copy_n(given.row(i), n_components, start.coordinates.row(i));
  });
  return start;
}

}  // namespace

StartedMap umap_start(const Input& input, const SparseMatrix& graph, const Components& components, LayoutStart kind,
                      Index n_components, std::uint64_t seed, const Run& run) {
  StartedMap start;
  if (input.resume == nullptr) {
    start = plain_start(input, graph, components, kind, n_components, seed, run);
    scale_umap_start(start.coordinates, seed);
  }
  if (components.count() > 1)
    start.warnings.push_back(
        {"several-components",
         fmt::format("the graph is in {} parts: how they lie to each other means nothing", components.count()),
         "use a larger n_neighbors"});
  return start;
}

Components graph_components(const SparseMatrix& graph) {
  DisjointSets sets(graph.rows);
  for (Index i = 0; i < graph.rows; ++i)
    for (Index e = graph.offsets[at(i)]; e < graph.offsets[at(i) + 1]; ++e) sets.join(i, graph.columns[at(e)]);
  return numbered(sets, graph.rows);
}

StartedMap umap_spectral_start(const SparseMatrix& graph, const Components& components,
                               std::optional<PointsView> points, Index n_components, std::uint64_t seed,
                               const Run& run) {
  const ComponentPoints members(components);
  std::vector<Index> order(at(components.count()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return components.sizes[at(a)] > components.sizes[at(b)]; });
  std::vector<double> sides;
  for (const Index c : order) sides.push_back(std::sqrt(static_cast<double>(components.sizes[at(c)])));
  const auto corners = packed(sides);
  StartedMap start{.coordinates = Array2<double>(graph.rows, n_components)};
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::vector<Index>& of = members.members[at(order[place])];
    StartedMap own = order.size() == 1 ? component_start(graph, n_components, seed, run)
                                       : component_start(part_of(graph, of, members.number), n_components, seed, run);
    if (!own.warnings.empty() && points) {
      start.coordinates = pca_start(*points, n_components, seed, run).coordinates;
      start.warnings.push_back({"pca-start",
                                "the eigenvectors of the graph were not found within the limit of work, so the map "
                                "starts at the principal axes",
                                "use init=pca or init=random, or give a start"});
      return start;
    }
    for (const Warning& warning : own.warnings)
      if (start.warnings.empty()) start.warnings.push_back(warning);
    stretch(own.coordinates, sides[place]);
    for (std::size_t i = 0; i < of.size(); ++i)
      for (Index k = 0; k < n_components; ++k)
        start.coordinates(of[i], k) = own.coordinates(static_cast<Index>(i), k) + (k == 0   ? corners[place].first
                                                                                   : k == 1 ? corners[place].second
                                                                                            : 0);
  }
  return start;
}

void scale_umap_start(Array2<double>& map, std::uint64_t seed) {
  constexpr double kWidth = 10, kNoise = 1e-4;
  if (map.rows() == 0) return;
  stretch(map, kWidth);
  const Random random(seed, "umap.noise");
  for (Index i = 0; i < map.rows(); ++i)
    for (Index k = 0; k < map.cols(); ++k)
      map(i, k) += kNoise * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(k));
}

}  // namespace unroll
