#include "affinity/affinity_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "affinity/row_print.h"
#include "core/archive.h"
#include "core/memory.h"
#include "core/model_file.h"
#include "core/parallel.h"
#include "neighbors/archive_parts.h"
#include "neighbors/distance_matrix.h"
#include "neighbors/entry_rule.h"
#include "neighbors/neighbor_lookup.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

struct Entry {
  Index column;
  double value;
};

/// Writes the entries to allocated places from `place` on, columns ascending, and empties the row.
void put_sorted(std::vector<Entry>& row, std::size_t place, SparseMatrix& out) {
  std::sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.column < b.column; });
  for (const Entry& entry : row) {
    out.columns[place] = entry.column;
    out.values[place++] = entry.value;
  }
  row.clear();
}

void append_row(std::vector<Entry>& row, SparseMatrix& out) {
  const std::size_t place = out.columns.size();
  out.columns.resize(place + row.size());
  out.values.resize(place + row.size());
  put_sorted(row, place, out);
  out.offsets.push_back(std::ssize(out.columns));
}

/// Distances from new points in the order of the training points.
Array2<double> distances_to(PointsView from, PointsView to, const NeighborOptions& options, const Run& run) {
  const double scale = metric_scale(to, run);
  const OwnedPoints alike = copied_alike(from, to);
  return distance_matrix(metric_rows(view_of(alike), options.metric, scale, run),
                         metric_rows(to, options.metric, scale, run), options, run);
}

/// The part of the adjacent points, nearest first, that the new point itself has chosen; the others have chosen it.
std::span<const double> own_choice(const NeighborOptions& rule, std::span<const double> adjacent) {
  if (!rule.n_neighbors) return adjacent;
  return adjacent.first(std::min(adjacent.size(), static_cast<std::size_t>(*rule.n_neighbors)));
}

}  // namespace

std::vector<double> edge_shares(Symmetrization rule, const NeighborGraph& nearest, const NeighborGraph& graph) {
  return rule == Symmetrization::Average ? symmetric_weights(nearest, graph) : std::vector<double>{};
}

std::optional<NeighborGraph> weighing(const NeighborGraph& graph, const HeatKernel& kernel) {
  constexpr double kSigmasToUnderflow = 38;  // exp(-38^2 / 2) is not 0 yet
  const auto is_near = [&](double d) { return d <= kSigmasToUnderflow * kernel.sigma; };
  if (kernel.weights == EdgeWeights::Binary) return {};
  if (kernel.widths.empty() && std::all_of(graph.distances.begin(), graph.distances.end(), is_near)) return {};
  NeighborGraph kept;
  for (Index i = 0; i < graph.size(); ++i) {
    const double own = kernel.width(i);
    for (std::size_t e = 0; e < graph.neighbors_of(i).size(); ++e) {
      const Index j = graph.neighbors_of(i)[e];
      const double length = graph.distances_of(i)[e];
      if (!(kernel.weight(length, j, own) > 0)) continue;
      kept.neighbors.push_back(j);
      kept.distances.push_back(length);
    }
    kept.offsets.push_back(kept.edges());
  }
  if (kept.edges() == graph.edges()) return {};
  return kept;
}

SparseMatrix graph_weights(const NeighborGraph& graph, const std::vector<double>& shares,
                           const std::vector<JoiningEdge>& joining, const HeatKernel& kernel, bool unit_diagonal,
                           const Run& run) {
  const Index n = graph.size(), extra = unit_diagonal ? 1 : 0;
  SparseMatrix w{.rows = n, .cols = n};
  w.offsets.resize(static_cast<std::size_t>(n) + 1);
  for (Index i = 0; i < n; ++i)
    w.offsets[static_cast<std::size_t>(i) + 1] = w.offsets[static_cast<std::size_t>(i)] + graph.degree(i) + extra;
  const auto entries = static_cast<std::size_t>(w.offsets.back());
  resize_large(w.columns, entries, run);
  resize_large(w.values, entries, run);
  constexpr Index kRows = 1024;
  parallel_for(run, n, kRows, [&](Index begin, Index end) {
    std::vector<Entry> row;
    for (Index i = begin; i < end; ++i) {
      const double own = kernel.width(i);
      const auto first = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i)]);
      if (unit_diagonal) row.push_back({i, 1});
      for (std::size_t e = 0; e < graph.neighbors_of(i).size(); ++e) {
        const Index j = graph.neighbors_of(i)[e];
        const double share = shares.empty() ? 1 : shares[first + e];
        row.push_back({j, share * kernel.weight(graph.distances_of(i)[e], j, own)});
      }
      put_sorted(row, static_cast<std::size_t>(w.offsets[static_cast<std::size_t>(i)]), w);
    }
  });
  for (const JoiningEdge& edge : joining)
    for (const auto& [i, j] : {std::pair{edge.first, edge.second}, std::pair{edge.second, edge.first}}) {
      const auto begin = w.columns.begin() + w.offsets[static_cast<std::size_t>(i)];
      const auto end = w.columns.begin() + w.offsets[static_cast<std::size_t>(i) + 1];
      w.values[static_cast<std::size_t>(std::lower_bound(begin, end, j) - w.columns.begin())] =
          kernel.joining_weight(edge.distance, j, kernel.width(i));
    }
  return w;
}

/// What the search for new points needs beside the stored parts; made when it is first needed.
struct AffinityRows::LookUp {
  LookUp(const Parts& parts, const Run& run)
      : rule(takes_all_entries(parts.options) ? rule_of_entries(parts.nearest, parts.options) : parts.options),
        neighbors(view_of(parts.points), parts.nearest, rule.value_or(parts.options), run) {
    NeighborGraph graph = symmetrized(parts.nearest, parts.symmetrization, run);
    if (auto fewer = weighing(graph, parts.kernel)) graph = std::move(*fewer);
    if (!parts.joining.empty()) graph = connect(graph, parts.joining);
    training = graph_weights(graph, edge_shares(parts.symmetrization, parts.nearest, graph), parts.joining,
                             parts.kernel, parts.unit_diagonal, run);
  }

  std::optional<NeighborOptions> rule;  ///< by which neighbours are chosen; none: it is not known
  NeighborLookup neighbors;
  SparseMatrix training = {};
};

AffinityRows::AffinityRows(Parts parts) : parts_(std::move(parts)) {
  for (std::size_t i = 0; i < parts_.prints.size(); ++i)
    by_print_.emplace_back(parts_.prints[i], static_cast<Index>(i));
  std::sort(by_print_.begin(), by_print_.end());
}
AffinityRows::~AffinityRows() = default;

const AffinityRows::LookUp& AffinityRows::look_up(const Run& run) const {
  return look_up_.get([&] { return std::make_unique<const LookUp>(parts_, run); });
}

NewRows AffinityRows::rows(PointsView points, const std::vector<Index>&, const Run& run) const {
  if (parts_.kernel.weights == EdgeWeights::Precomputed) return given_rows(points);
  return parts_.graph == GraphKind::Full ? full_rows(points, run) : neighbor_rows(points, run);
}

NewRows AffinityRows::neighbor_rows(PointsView points, const Run& run) const {
  const LookUp& stored = look_up(run);
  const NeighborGraph near = stored.neighbors.adjacent(points, run);
  if (parts_.options.metric == Metric::Precomputed) check_zeros(near, parts_.nearest);
  SparseMatrix w{.rows = points.rows(), .cols = parts_.size};
  NewRows found{.same = std::vector<Index>(static_cast<std::size_t>(points.rows()), -1)};
  std::vector<Entry> row;
  for (Index i = 0; i < near.size(); ++i) {
    const auto ends = near.neighbors_of(i);
    const auto lengths = near.distances_of(i);
    if (!lengths.empty() && lengths.front() == 0) {
      const auto same = static_cast<std::size_t>(ends.front());
      found.same[static_cast<std::size_t>(i)] = ends.front();
      for (Index e = stored.training.offsets[same]; e < stored.training.offsets[same + 1]; ++e)
        row.push_back({stored.training.columns[static_cast<std::size_t>(e)],
                       stored.training.values[static_cast<std::size_t>(e)]});
    } else {
      if (!stored.rule) refuse_new_points();
      const double own = parts_.kernel.width_of(own_choice(*stored.rule, lengths));
      for (std::size_t e = 0; e < ends.size(); ++e)
        if (const double counts = share(*stored.rule, static_cast<Index>(e), ends[e], lengths[e]); counts > 0)
          row.push_back({ends[e], counts * parts_.kernel.weight(lengths[e], ends[e], own)});
    }
    append_row(row, w);
  }
  found.w = std::move(w);
  return found;
}

double AffinityRows::share(const NeighborOptions& rule, Index place, Index j, double length) const {
  if (parts_.symmetrization == Symmetrization::Union) return 1;
  const bool is_near = !rule.radius || length <= *rule.radius;
  const bool mine = is_near && (!rule.n_neighbors || place < *rule.n_neighbors);
  const auto reach = parts_.nearest.distances_of(j);  // with fewer neighbours than n_neighbors it would take more
  const bool is_full = rule.n_neighbors && std::ssize(reach) >= *rule.n_neighbors;
  const bool theirs = is_full ? length <= reach.back() : is_near;
  if (parts_.symmetrization == Symmetrization::Mutual) return mine && theirs ? 1 : 0;
  return (mine ? 0.5 : 0.0) + (theirs ? 0.5 : 0.0);
}

NewRows AffinityRows::full_rows(PointsView points, const Run& run) const {
  const bool given = parts_.options.metric == Metric::Precomputed;
  const Array2<double> distances = given ? std::get<Array2<double>>(copied_as(points, false))
                                         : distances_to(points, view_of(parts_.points), parts_.options, run);
  SparseMatrix w{.rows = points.rows(), .cols = parts_.size};
  NewRows found{.same = std::vector<Index>(static_cast<std::size_t>(points.rows()), -1)};
  std::vector<Entry> row;
  for (Index i = 0; i < distances.rows(); ++i) {
    const double* begin = distances.row(i);
    const Index same = std::find(begin, begin + parts_.size, 0.0) - begin;  // the training point that equals it, if any
    std::vector<double> nearest(begin, begin + parts_.size);
    if (same < parts_.size) found.same[static_cast<std::size_t>(i)] = same;
    if (same < parts_.size) nearest.erase(nearest.begin() + same);
    if (!parts_.kernel.widths.empty()) std::sort(nearest.begin(), nearest.end());
    const double own = same < parts_.size ? parts_.kernel.width(same) : parts_.kernel.width_of(nearest);
    for (Index j = 0; j < parts_.size; ++j)
      if (j != same || parts_.unit_diagonal) row.push_back({j, parts_.kernel.weight(begin[j], j, own)});
    append_row(row, w);
  }
  found.w = std::move(w);
  return found;
}

std::optional<Index> AffinityRows::training_row(std::int64_t print) const {
  const auto found = std::lower_bound(by_print_.begin(), by_print_.end(), std::pair{print, Index{0}});
  if (found == by_print_.end() || found->first != print) return {};
  return found->second;
}

NewRows AffinityRows::given_rows(PointsView points) const {
  SparseMatrix w{.rows = points.rows(), .cols = parts_.size};
  NewRows found{.same = std::vector<Index>(static_cast<std::size_t>(points.rows()), -1)};
  if (!parts_.degrees.empty()) found.degrees.resize(static_cast<std::size_t>(points.rows()));
  std::vector<Entry> row;
  points.visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i) {
      RowPrint print;
      for (Index j = 0; j < x.cols; ++j) {
        const auto weight = static_cast<double>(x(i, j));
        if (weight < 0)
          throw Error(ErrorKind::InvalidData,
                      Error::Parts{.problem = fmt::format(
                                       "has the weight {} in column {}, but all weights must be positive or zero",
                                       weight, j + 1),
                                   .row = i});
        if (weight == 0) continue;
        row.push_back({j, weight / parts_.unit});
        print.add(j, weight);
      }
      if (const auto own = training_row(print.value())) {
        found.same[static_cast<std::size_t>(i)] = *own;
        if (!parts_.degrees.empty())
          found.degrees[static_cast<std::size_t>(i)] = parts_.degrees[static_cast<std::size_t>(*own)];
        if (!parts_.unit_diagonal) std::erase_if(row, [&](const Entry& entry) { return entry.column == *own; });
      }
      append_row(row, w);
    }
  });
  found.w = std::move(w);
  return found;
}

void AffinityRows::save(ArchiveWriter& archive) const {
  archive.put("affinity.graph", name_of(parts_.graph));
  archive.put("affinity.symmetrization", name_of(parts_.symmetrization));
  archive.put("affinity.unit_diagonal", std::int64_t{parts_.unit_diagonal});
  archive.put("affinity.size", std::int64_t{parts_.size});
  parts_.kernel.save(archive);
  save_neighbor_options(archive, "affinity", parts_.options);
  const bool has_points =
      parts_.kernel.weights != EdgeWeights::Precomputed && parts_.options.metric != Metric::Precomputed;
  if (has_points) save_points(archive, "affinity.points", view_of(parts_.points));
  if (parts_.nearest.size() > 0) save_graph(archive, "affinity.nearest", parts_.nearest);
  save_joining(archive, "affinity.joining", parts_.joining);
  archive.put("affinity.unit", parts_.unit);
  archive.put("affinity.prints", parts_.prints);
  if (!parts_.degrees.empty()) archive.put("affinity.degrees", parts_.degrees);
}

std::shared_ptr<const SourceRows> AffinityRows::load(const ArchiveReader& archive) {
  const Index size = archive.integer("affinity.size"), features = method_features(archive);
  if (size < 1) archive.fail("affinity.size", "must be positive");
  Parts parts{.graph = load_choice<GraphKind>(archive, "affinity.graph"),
              .kernel = HeatKernel::load(archive, size),
              .options = load_neighbor_options(archive, "affinity", size),
              .symmetrization = load_choice<Symmetrization>(archive, "affinity.symmetrization"),
              .unit_diagonal = archive.flag("affinity.unit_diagonal"),
              .joining = load_joining(archive, "affinity.joining", size),
              .size = size,
              .unit = archive.real("affinity.unit"),
              .prints = archive.integers("affinity.prints")};
  if (!(parts.unit > 0)) archive.fail("affinity.unit", "must be positive");
  if (!parts.prints.empty() && std::ssize(parts.prints) != size)
    archive.fail("affinity.prints", "are not one per point");
  if (archive.has("affinity.degrees")) parts.degrees = archive.reals("affinity.degrees");
  if (!parts.degrees.empty() && std::ssize(parts.degrees) != size)
    archive.fail("affinity.degrees", "are not one per point");
  const bool by_points =
      parts.kernel.weights != EdgeWeights::Precomputed && parts.options.metric != Metric::Precomputed;
  if (by_points) {
    parts.points = load_points(archive, "affinity.points", features);
    if (view_of(parts.points).rows() != size) archive.fail("affinity.points", "are not as many as they should be");
  } else if (features != size) {
    archive.fail("n_features", "must be the number of points");
  }
  if (parts.kernel.weights != EdgeWeights::Precomputed && parts.graph == GraphKind::Neighbors)
    parts.nearest = load_graph(archive, "affinity.nearest", size);
  return std::make_shared<const AffinityRows>(std::move(parts));
}

}  // namespace unroll
