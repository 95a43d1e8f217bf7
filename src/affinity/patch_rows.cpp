#include "affinity/patch_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "affinity/local_geometry.h"
#include "core/archive.h"
#include "core/at.h"
#include "core/finite.h"
#include "core/model_file.h"
#include "core/parallel.h"
#include "core/sparse_check.h"
#include "linalg/symmetric_eigen.h"
#include "neighbors/archive_parts.h"
#include "neighbors/entry_rule.h"
#include "neighbors/equal_point.h"
#include "neighbors/given_distances.h"
#include "neighbors/neighbor_lookup.h"
#include "neighbors/row_distance.h"
#include "neighbors/search_limits.h"
#include "unroll/core/error.h"

namespace unroll {

/// Memory of one thread.
struct PatchRows::Scratch {
  GeometryScratch geometry = {};
  WeightsScratch solver = {};
  Array2<double> gram = {};
  std::vector<double> weights = {};
  std::vector<double> products = {};
};

namespace {

// The names of the table, which model files have used since 0.1.0.
constexpr std::string_view kWeights = "weights . y", kAffine = "local affine map";

/// A point among its nearest training points.
struct Place {
  PointsView queries;
  Index row;
  std::vector<Index> members;
  std::vector<double> distances;
};

[[noreturn]] void refuse_row(Index row, std::string problem, std::string advice) {
  throw Error(ErrorKind::InvalidData,
              Error::Parts{.problem = std::move(problem), .advice = std::move(advice), .row = row});
}

[[noreturn]] void refuse_far_row(Index row) {
  refuse_row(row, "is so far from its nearest training points that inner products overflow",
             "is it in the same units?");
}

void find_weights(const LocalGeometry& geometry, const Place& place, const WeightsOptions& options, auto& scratch) {
  geometry.gram_about_new(place.queries, place.row, place.members, place.distances, scratch.gram, scratch.geometry);
  scratch.weights.resize(place.members.size());
  const auto solves = [&](double reg) {
    const WeightsOptions own{.reg = reg, .nonnegative = options.nonnegative};
    return solve_any_weights(scratch.gram, own, scratch.weights, scratch.solver) != WeightsOutcome::Singular;
  };
  // The neighbours of a new point may be dependent, which fitting with reg = 0 refuses for training points. Its weights
  // are then those in the limit of no regularisation.
  constexpr double kLimitReg = 1e-9;
  if (first_non_finite(scratch.gram)) refuse_far_row(place.row);
  if (!solves(options.reg) && !solves(std::max(options.reg, kLimitReg)))
    refuse_row(place.row,
               fmt::format("has weights on its {} nearest training points that are not determined with reg={:g}",
                           place.members.size(), options.reg),
               "fit with a larger reg");
}

/// y = y_i + (the patch's centred y)' Q L^-1 Q' g, where i is the nearest training point, G = Q L Q' are the inner
/// products of its patch about the mean, restricted to the tangent space, and g those with x - x_i. This is the affine
/// map of the patch, anchored so that y -> y_i as x -> x_i. The weights c = Q L^-1 Q' g sum to zero.
void find_affine_weights(const LocalGeometry& geometry, const Place& place, Index leader, Index tangent,
                         auto& scratch) {
  constexpr double kFlatShare = 1e-12;  // of the longest axis
  const Index m = std::ssize(place.members);
  geometry.gram_about_mean(place.members, scratch.gram, scratch.geometry);
  geometry.products_from(leader, place.queries, place.row, place.members, place.distances, scratch.products,
                         scratch.geometry);
  if (first_non_finite(PointsView(scratch.products.data(), 1, m))) refuse_far_row(place.row);
  const Index count = std::min(tangent, m);
  const EigenPairs axes = leading_eigenpairs(scratch.gram, [count](const auto&) { return count; }, {.threads = 1});
  scratch.weights.assign(at(m), 0);
  for (Index t = 0; t < count; ++t) {
    const double* q = axes.vectors.row(t);
    const double length = axes.values[at(t)];
    if (!(length > kFlatShare * axes.values.front())) break;
    double along = 0;
    for (Index a = 0; a < m; ++a) along += q[a] * scratch.products[at(a)] / length;
    for (Index a = 0; a < m; ++a) scratch.weights[at(a)] += along * q[a];
  }
}

}  // namespace

/// What the search for new points needs beside the stored parts; made when it is first needed.
struct PatchRows::LookUp {
  LookUp(const Parts& parts, const Run& run)
      : neighbors(view_of(parts.points), parts.size, parts.options, resolve_search_limits(parts.options, parts.size),
                  run),
        geometry(parts.distances.rows > 0
                     ? std::make_unique<const LocalGeometry>(parts.distances)
                     : std::make_unique<const LocalGeometry>(view_of(parts.points), parts.options, run)) {
    if (is_given(parts) || geometry->has_coordinates()) return;
    const PointsView points = view_of(parts.points);
    rows = metric_rows(points, parts.options.metric, metric_scale(points, run), run);
  }
  static bool is_given(const Parts& parts) { return parts.options.metric == Metric::Precomputed; }

  NeighborLookup neighbors;
  std::unique_ptr<const LocalGeometry> geometry;
  MetricRows rows = {};  ///< of points whose metric is not Euclidean
};

PatchRows::PatchRows(Parts parts) : parts_(std::move(parts)) {}
PatchRows::~PatchRows() = default;

const PatchRows::LookUp& PatchRows::look_up(const Run& run) const {
  return look_up_.get([&] { return std::make_unique<const LookUp>(parts_, run); });
}

/// Distances from row i of new points to the members; empty if there are coordinates to take differences of.
std::vector<double> PatchRows::distances_to(const std::vector<Index>& members, PointsView queries, Index i,
                                            const LookUp& stored) const {
  std::vector<double> distances;
  if (stored.geometry->has_coordinates()) return distances;
  if (LookUp::is_given(parts_)) {
    queries.visit([&](auto x) {
      for (const Index member : members) distances.push_back(static_cast<double>(x(i, member)));
    });
    return distances;
  }
  const OwnedPoints own = copied_as(queries.slice(i, 1), stored.rows.points.is_float());
  const MetricRows row = metric_rows(view_of(own), parts_.options.metric, stored.rows.scale, {.threads = 1});
  const RowDistance distance(row, stored.rows, parts_.options.metric, parts_.options.p);
  for (const Index member : members) distances.push_back(distance(0, member));
  return distances;
}

/// The training point that row i of new points equals; -1: none.
Index PatchRows::copied_from(PointsView queries, Index i, const NeighborGraph& found) const {
  const PointsView own = view_of(parts_.points);
  if (!LookUp::is_given(parts_)) return equal_point(queries, i, found, own);
  return equal_point(queries, i, found, [&](Index a, Index b) -> std::optional<double> {
    if (parts_.distances.rows > 0) return known_distance(parts_.distances, a, b);
    return own.visit([&](auto d) { return given_distance(d, a, b); });
  });
}

NewRows PatchRows::rows(PointsView points, const std::vector<Index>& components, const Run& run) const {
  constexpr Index kGrain = 64;
  const LookUp& stored = look_up(run);
  const NeighborGraph found = stored.neighbors.nearest(points, run);
  // Without a rule for new neighbours only training points can be placed.
  for (Index i = 0; takes_all_entries(parts_.options) && i < found.size(); ++i)
    if (found.degree(i) == 0 || found.distances_of(i).front() > 0) refuse_new_points();
  NewRows result{.same = std::vector<Index>(at(points.rows()), -1), .leaders = std::vector<Index>(at(points.rows()))};
  std::vector<Mixture> mixtures(at(points.rows()));
  parallel_for(run, points.rows(), kGrain, [&](Index begin, Index end) {
    Scratch scratch;
    for (Index i = begin; i < end; ++i) {
      if (found.degree(i) == 0) refuse_row(i, "has no training point within the radius", "fit with a larger one");
      const Index copy = copied_from(points, i, found);
      result.leaders[at(i)] = copy >= 0 ? copy : found.neighbors_of(i).front();
      if (copy >= 0) {
        result.same[at(i)] = copy;
      } else {
        mixtures[at(i)] = mixture(points, i, found, components, stored, scratch);
      }
    }
  });
  SparseMatrix w{.rows = points.rows(), .cols = parts_.size};
  for (const Mixture& mixture : mixtures) {
    w.columns.insert(w.columns.end(), mixture.columns.begin(), mixture.columns.end());
    w.values.insert(w.values.end(), mixture.weights.begin(), mixture.weights.end());
    w.offsets.push_back(std::ssize(w.columns));
  }
  result.w = std::move(w);
  return result;
}

PatchRows::Mixture PatchRows::mixture(PointsView queries, Index i, const NeighborGraph& found,
                                      const std::vector<Index>& components, const LookUp& stored,
                                      Scratch& scratch) const {
  const auto near = found.neighbors_of(i);
  const Index leader = near.front();
  Place place{.queries = queries, .row = i, .members = {}, .distances = {}};
  if (parts_.rule == PatchRule::Affine) {
    const auto patch = parts_.nearest.neighbors_of(leader);
    place.members.assign(patch.begin(), patch.end());
    if (place.members.empty()) place.members = {leader};
    place.distances = distances_to(place.members, queries, i, stored);
    find_affine_weights(*stored.geometry, place, leader, parts_.tangent, scratch);
    place.members.push_back(leader);
    scratch.weights.push_back(1 - std::accumulate(scratch.weights.begin(), scratch.weights.end(), 0.0));
  } else {
    for (std::size_t e = 0; e < near.size(); ++e) {
      if (!components.empty() && components[at(near[e])] != components[at(leader)]) continue;
      place.members.push_back(near[e]);
      place.distances.push_back(found.distances_of(i)[e]);
    }
    find_weights(*stored.geometry, place, parts_.weights, scratch);
  }
  return {std::move(place.members), scratch.weights};
}

void PatchRows::save(ArchiveWriter& archive) const {
  archive.put("local.rule", std::string_view(parts_.rule == PatchRule::Weights ? kWeights : kAffine));
  save_neighbor_options(archive, "local", parts_.options);
  archive.put("local.reg", parts_.weights.reg);
  archive.put("local.nonnegative", std::int64_t{parts_.weights.nonnegative});
  archive.put("local.tangent", std::int64_t{parts_.tangent});
  const bool is_sparse = parts_.distances.rows > 0;
  archive.put("local.sparse", std::int64_t{is_sparse});
  if (is_sparse) {
    archive.put("local.distances.offsets", parts_.distances.offsets);
    archive.put("local.distances.columns", parts_.distances.columns);
    archive.put("local.distances.values", parts_.distances.values);
  } else {
    save_points(archive, "local.points", view_of(parts_.points));
  }
  if (parts_.rule == PatchRule::Affine) save_graph(archive, "local.nearest", parts_.nearest);
}

std::shared_ptr<const SourceRows> PatchRows::load(const ArchiveReader& archive) {
  Parts parts{.size = archive.rows("coordinates")};
  const Index n = parts.size, features = method_features(archive);
  if (n < 2) archive.fail("coordinates", "are of fewer than two points");
  const std::string rule = archive.text("local.rule");
  if (rule != kWeights && rule != kAffine) archive.fail("local.rule", "is not one of local methods");
  parts.rule = rule == kWeights ? PatchRule::Weights : PatchRule::Affine;
  parts.options = load_neighbor_options(archive, "local", n);
  parts.weights = {archive.real("local.reg"), archive.flag("local.nonnegative")};
  if (parts.weights.reg < 0) archive.fail("local.reg", "must not be negative");
  parts.tangent = archive.integer("local.tangent");
  if (parts.tangent < 0) archive.fail("local.tangent", "must not be negative");
  const bool is_given = parts.options.metric == Metric::Precomputed;
  if (is_given && features != n) archive.fail("n_features", "must be the number of points");
  if (archive.flag("local.sparse")) {
    if (!is_given) archive.fail("local.sparse", "does not go with the metric");
    parts.distances = {.rows = n,
                       .cols = n,
                       .offsets = archive.integers("local.distances.offsets"),
                       .columns = archive.integers("local.distances.columns"),
                       .values = archive.reals("local.distances.values")};
    try {
      check_structure(parts.distances);
    } catch (const Error& error) {
      archive.fail("local.distances.offsets", error.what());
    }
  } else {
    parts.points = load_points(archive, "local.points", features);
    if (view_of(parts.points).rows() != n) archive.fail("local.points.f64", "are not as many as the coordinates");
  }
  if (parts.rule == PatchRule::Affine) parts.nearest = load_graph(archive, "local.nearest", n);
  return std::make_shared<const PatchRows>(std::move(parts));
}

}  // namespace unroll
