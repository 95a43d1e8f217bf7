#include "affinity/geodesic_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "affinity/similarities.h"
#include "core/archive.h"
#include "core/model_file.h"
#include "core/parallel.h"
#include "neighbors/archive_parts.h"
#include "neighbors/entry_rule.h"
#include "neighbors/geodesics.h"
#include "neighbors/neighbor_lookup.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

Index rows_of(const std::variant<Array2<double>, Array2<float>>& matrix) {
  return std::visit([](const auto& m) { return m.rows(); }, matrix);
}

/// The length of the shortest path to every landmark, over the best attachment.
template <class T>
void through_attachments(const Array2<T>& from_landmarks, const NeighborGraph& attachments, Index row, double* out) {
  const auto ends = attachments.neighbors_of(row);
  const auto lengths = attachments.distances_of(row);
  const bool on_a_point = !lengths.empty() && lengths.front() == 0;  // nearest first
  for (Index l = 0; l < from_landmarks.rows(); ++l) {
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t e = 0; e < ends.size() && !(on_a_point && lengths[e] > 0); ++e)
      shortest = std::min(shortest, lengths[e] + static_cast<double>(from_landmarks(l, ends[e])));
    out[l] = shortest;
  }
}

template <class T>
Array2<double> landmark_lengths(const Array2<T>& from_landmarks, const NeighborGraph& attachments, const Run& run) {
  Array2<double> lengths = Array2<double>::uninitialized(attachments.size(), from_landmarks.rows());
  parallel_for(run, attachments.size(), 4, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) through_attachments(from_landmarks, attachments, i, lengths.row(i));
  });
  return lengths;
}

template <class T>
Array2<double> searched_lengths(const NeighborGraph& graph, const NeighborGraph& attachments, const Run& run) {
  return std::get<Array2<double>>(copied_as(geodesic_distances_from<T>(graph, attachments, run), false));
}

/// The training points' graph, with the edges that the policy has added.
NeighborGraph joined_graph(const NeighborGraph& nearest, const std::vector<JoiningEdge>& joining, const Run& run) {
  NeighborGraph graph = symmetrized(nearest, Symmetrization::Union, run);
  return joining.empty() ? graph : connect(graph, joining);
}

/// Refuses a point beyond the radius of all training points, from which no path leads, and distances that overflow.
void check_attachments(const NeighborGraph& attachments) {
  for (Index i = 0; i < attachments.size(); ++i) {
    const auto refuse = [&](std::string problem, std::string advice) {
      throw Error(ErrorKind::InvalidData,
                  Error::Parts{.problem = std::move(problem), .advice = std::move(advice), .row = i});
    };
    if (attachments.degree(i) == 0)
      refuse("has no training point within the radius: no path leads from it to the map",
             "fit with a larger radius, or with n_neighbors");
    if (std::isinf(attachments.distances_of(i).back()))  // the farthest
      refuse("has distances that overflow beside those of the training points", "are they in the same units?");
  }
}

/// Without a rule for new neighbours only training points can be placed again.
void check_on_points(const NeighborGraph& attachments) {
  for (Index i = 0; i < attachments.size(); ++i)
    if (attachments.distances_of(i).front() > 0) refuse_new_points();
}

/// The attachments in the component of the nearest neighbour.
NeighborGraph within_component(const NeighborGraph& attachments, const std::vector<Index>& components) {
  NeighborGraph kept;
  for (Index i = 0; i < attachments.size(); ++i) {
    const auto ends = attachments.neighbors_of(i);
    const auto label = [&](std::size_t e) { return components[static_cast<std::size_t>(ends[e])]; };
    for (std::size_t e = 0; e < ends.size(); ++e) {
      if (label(e) != label(0)) continue;
      kept.neighbors.push_back(ends[e]);
      kept.distances.push_back(attachments.distances_of(i)[e]);
    }
    kept.offsets.push_back(kept.edges());
  }
  return kept;
}

}  // namespace

NeighborGraph scaled_graph(NeighborGraph graph, double scale) {
  for (double& distance : graph.distances) distance *= scale;
  return graph;
}

/// What the search for new points needs beside the stored parts; made when it is first needed.
struct GeodesicRows::LookUp {
  LookUp(const Parts& parts, const Run& run)
      : rule(takes_all_entries(parts.options) ? rule_of_entries(parts.nearest, parts.options) : parts.options),
        neighbors(view_of(parts.points), parts.nearest, rule.value_or(parts.options), run) {
    if (rows_of(parts.from_landmarks) > 0) return;
    graph = scaled_graph(joined_graph(parts.nearest, parts.joining, run), parts.scale);
  }

  std::optional<NeighborOptions> rule;  ///< by which neighbours are chosen; none: it is not known
  NeighborLookup neighbors;
  NeighborGraph graph = {};
};

GeodesicRows::GeodesicRows(Parts parts) : parts_(std::move(parts)) {}
GeodesicRows::~GeodesicRows() = default;

const GeodesicRows::LookUp& GeodesicRows::look_up(const Run& run) const {
  return look_up_.get([&] { return std::make_unique<const LookUp>(parts_, run); });
}

Index GeodesicRows::landmarks() const { return rows_of(parts_.from_landmarks); }

Index GeodesicRows::columns() const { return landmarks() > 0 ? landmarks() : parts_.nearest.size(); }

NewRows GeodesicRows::rows(PointsView points, const std::vector<Index>& components, const Run& run) const {
  const LookUp& stored = look_up(run);
  NeighborGraph attachments = scaled_graph(stored.neighbors.adjacent(points, run), parts_.scale);
  check_attachments(attachments);
  if (!stored.rule) check_on_points(attachments);
  if (parts_.options.metric == Metric::Precomputed) check_zeros(attachments, parts_.nearest);
  if (!components.empty()) attachments = within_component(attachments, components);
  Array2<double> lengths = landmarks() > 0
                               ? std::visit([&](const auto& from) { return landmark_lengths(from, attachments, run); },
                                            parts_.from_landmarks)
                           : parts_.is_single ? searched_lengths<float>(stored.graph, attachments, run)
                                              : searched_lengths<double>(stored.graph, attachments, run);
  NewRows found;
  for (Index i = 0; i < lengths.rows(); ++i) {
    found.leaders.push_back(attachments.neighbors_of(i)[0]);
    for (Index j = 0; j < lengths.cols(); ++j) {
      double& w = lengths(i, j);
      w = std::isinf(w) ? 0 : similarity(Similarities::Entries::Distances, 1, w);
    }
  }
  found.w = std::move(lengths);
  return found;
}

void GeodesicRows::save(ArchiveWriter& archive) const {
  save_neighbor_options(archive, "graph", parts_.options);
  if (parts_.options.metric != Metric::Precomputed) save_points(archive, "graph.points", view_of(parts_.points));
  save_graph(archive, "graph.nearest", parts_.nearest);
  save_joining(archive, "graph.joining", parts_.joining);
  archive.put("paths.scale", parts_.scale);
  archive.put("paths.is_single", std::int64_t{parts_.is_single});
  if (landmarks() > 0) save_points(archive, "paths.from_landmarks", view_of(parts_.from_landmarks));
}

std::vector<Index> GeodesicRows::load_old_components(const ArchiveReader& archive) {
  const Index n = archive.rows("coordinates");
  return connected_components(
             connect(load_graph(archive, "graph.nearest", n), load_joining(archive, "graph.joining", n)))
      .labels;
}

std::shared_ptr<const SourceRows> GeodesicRows::load(const ArchiveReader& archive) {
  const Index n = archive.rows("coordinates"), features = method_features(archive);
  Parts parts{.nearest = load_graph(archive, "graph.nearest", n),
              .options = load_neighbor_options(archive, "graph", n),
              .joining = load_joining(archive, "graph.joining", n),
              .scale = archive.real("paths.scale"),
              .is_single = archive.flag("paths.is_single")};
  int exponent = 0;
  if (std::frexp(parts.scale, &exponent) != 0.5) archive.fail("paths.scale", "must be a power of two");
  if (parts.options.metric == Metric::Precomputed) {
    if (features != n) archive.fail("n_features", "must be the number of points for given distances");
  } else {
    parts.points = load_points(archive, "graph.points", features);
    if (view_of(parts.points).rows() != n) archive.fail("graph.points", "are not as many as the coordinates");
  }
  if (archive.has("paths.from_landmarks.f32") || archive.has("paths.from_landmarks.f64"))
    parts.from_landmarks = load_matrix(archive, "paths.from_landmarks", n);
  return std::make_shared<const GeodesicRows>(std::move(parts));
}

}  // namespace unroll
