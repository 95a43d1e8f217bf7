#include "neighbors/entry_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/at.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

std::optional<Index> common_degree(const NeighborGraph& graph) {
  const Index k = graph.degree(0);
  for (Index i = 1; i < graph.size(); ++i)
    if (graph.degree(i) != k) return {};
  return k;
}

/// What is known of the distances from one training point.
struct KnownRow {
  std::span<const Index> columns;
  std::span<const double> distances;

  std::optional<double> to(Index j) const {
    const auto found = std::find(columns.begin(), columns.end(), j);
    if (found == columns.end()) return {};
    return distances[at(found - columns.begin())];
  }
  /// Whether all entries are copies.
  bool may_have_more_copies() const {
    return !distances.empty() && std::all_of(distances.begin(), distances.end(), [](double d) { return d == 0; });
  }
};

std::optional<double> distance_by_rows(Index i, Index j, const auto& row) {
  const KnownRow own = row(i), other = row(j);
  if (const auto there = own.to(j)) return there;
  if (const auto back = other.to(i)) return back;
  if (own.may_have_more_copies() && other.may_have_more_copies()) return 0;
  return {};
}

}  // namespace

bool takes_all_entries(const NeighborOptions& options) {
  return options.metric == Metric::Precomputed && !options.n_neighbors && !options.radius;
}

std::optional<NeighborOptions> rule_of_entries(const NeighborGraph& entries, NeighborOptions options) {
  if (entries.edges() == 0) return {};
  const auto k = common_degree(entries);
  if (!k) return {};
  options.n_neighbors = *k;
  return options;
}

std::optional<double> known_distance(const NeighborGraph& entries, Index i, Index j) {
  return distance_by_rows(i, j, [&](Index k) { return KnownRow{entries.neighbors_of(k), entries.distances_of(k)}; });
}

std::optional<double> known_distance(const SparseMatrix& entries, Index i, Index j) {
  return distance_by_rows(i, j, [&](Index k) {
    const std::size_t first = at(entries.offsets[at(k)]), count = at(entries.offsets[at(k + 1)]) - first;
    return KnownRow{std::span(entries.columns).subspan(first, count), std::span(entries.values).subspan(first, count)};
  });
}

void check_zeros(Index row, std::span<const Index> zeros, double farthest, const KnownDistance& known) {
  // sqrt(|x|^2 + |y|^2 - 2 x.y) of two copies is up to 1e-8 |x|.
  constexpr double kRounding = 1e-6;
  for (std::size_t z = 1; z < zeros.size(); ++z) {
    const std::optional<double> apart = known(zeros[0], zeros[z]);
    if (apart && *apart <= kRounding * farthest) continue;
    throw Error(
        ErrorKind::InvalidData,
        Error::Parts{.problem = fmt::format("has distance 0 from the training points {} and {}, which are {}",
                                            zeros[0] + 1, zeros[z] + 1,
                                            apart ? fmt::format("{:g} apart", *apart) : "no neighbors of each other"),
                     .advice = "a distance that is missing cannot be told by 0: use rows of all distances",
                     .row = row});
  }
}

void check_zeros(const NeighborGraph& adjacent, const NeighborGraph& entries) {
  for (Index i = 0; i < adjacent.size(); ++i) {
    const auto distances = adjacent.distances_of(i);
    const auto zeros = std::upper_bound(distances.begin(), distances.end(), 0.0) - distances.begin();
    check_zeros(i, adjacent.neighbors_of(i).first(at(zeros)), distances.empty() ? 0 : distances.back(),
                [&](Index a, Index b) { return known_distance(entries, a, b); });
  }
}

void refuse_new_points() {
  throw Error(
      ErrorKind::Unsupported,
      "all entries of the sparse matrix were taken as edges, and its rows have different numbers of them: which "
      "neighbors a new point has is not known",
      "fit with n_neighbors or a radius");
}

}  // namespace unroll
