#include "layout/layout_transformer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/archive.h"
#include "core/model_file.h"
#include "core/parallel.h"
#include "layout/layout_state.h"
#include "layout/sne_layout.h"
#include "layout/stress_placer.h"
#include "layout/tsne_placer.h"
#include "layout/umap_placer.h"
#include "neighbors/archive_parts.h"
#include "neighbors/equal_point.h"
#include "neighbors/neighbor_lookup.h"
#include "neighbors/search_limits.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

using Map = std::shared_ptr<const Array2<double>>;

struct PlacerKind {
  std::string_view name;
  std::shared_ptr<const PointPlacer> (*load)(const ArchiveReader& archive, Map map);
};
constexpr std::array kPlacers{
    PlacerKind{TsnePlacer::kKind, TsnePlacer::load},
    PlacerKind{UmapPlacer::kKind, UmapPlacer::load},
    PlacerKind{SnePlacer::kKind, SnePlacer::load},
    PlacerKind{StressPlacer::kKind, StressPlacer::load},
};

std::shared_ptr<const PointPlacer> load_placer(const ArchiveReader& archive, Map map) {
  const std::string name = archive.text("layout.kind");
  for (const PlacerKind& kind : kPlacers)
    if (kind.name == name) return kind.load(archive, std::move(map));
  archive.fail("layout.kind", fmt::format("'{}' is none that this version knows", name));
}

SearchLimits limits_of(const LayoutTransformer::Parts& parts) {
  if (parts.placer->needs_all()) return {.count = parts.map->rows()};
  return resolve_search_limits(parts.search, parts.map->rows());
}

}  // namespace

/// What the search for new points needs beside the stored parts; made when it is first needed.
struct LayoutTransformer::LookUp {
  LookUp(const Parts& parts, const Run& run)
      : neighbors(view_of(parts.points), parts.map->rows(), parts.search, limits_of(parts), run) {}
  NeighborLookup neighbors;
};

LayoutTransformer::LayoutTransformer(Parts parts) : parts_(std::move(parts)) {
  for (const double distance : parts_.nearest.distances) farthest_ = std::max(farthest_, distance);
}
LayoutTransformer::~LayoutTransformer() = default;

const LayoutTransformer::LookUp& LayoutTransformer::look_up(const Run& run) const {
  return look_up_.get([&] { return std::make_unique<const LookUp>(parts_, run); });
}

Index LayoutTransformer::copied_from(PointsView queries, Index i, const NeighborGraph& found) const {
  if (!is_given()) return equal_point(queries, i, found, view_of(parts_.points));
  return equal_point(queries, i, found, [&](Index a, Index b) { return known_distance(parts_.nearest, a, b); });
}

/// Given distances have no other check of their unit; that of points is NeighborLookup's.
void LayoutTransformer::check_unit(Index row, double distance) const {
  constexpr double kLargestRatio = 1e120;
  if (!is_given() || distance / kLargestRatio <= farthest_) return;
  throw Error(ErrorKind::InvalidData,
              Error::Parts{.problem = fmt::format("is more than {} times as far from the training points as these are "
                                                  "from each other",
                                                  kLargestRatio),
                           .advice = "is it in the same units?",
                           .row = row});
}

void LayoutTransformer::place_rows(PointsView points, double* result, const Run& run) const {
  constexpr Index kGrain = 32;
  const NeighborGraph found = look_up(run).neighbors.nearest(points, run);
  const Array2<double>& map = *parts_.map;
  parallel_for(
      run, points.rows(), kGrain,
      [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          const Index copy = copied_from(points, i, found);
          double* y = result + i * map.cols();
          if (copy >= 0) {
            std::copy_n(map.row(copy), map.cols(), y);
            continue;
          }
          check_unit(i, found.distances_of(i).front());
          parts_.placer->place(found.neighbors_of(i), found.distances_of(i), y);
        }
      },
      "placing new points");
}

Array2<double> LayoutTransformer::transform(PointsView points, const Run& run) const {
  constexpr Index kMostEntries = Index{1} << 22;  // of the lists of all training points
  parts_.placer->prepare(run);
  Array2<double> result(points.rows(), parts_.map->cols());
  const Index rows = parts_.placer->needs_all() ? std::max<Index>(1, kMostEntries / parts_.map->rows()) : points.rows();
  for (Index first = 0; first < points.rows(); first += rows) {
    try {
      place_rows(points.slice(first, std::min(rows, points.rows() - first)), result.row(first), run);
    } catch (const Error& error) {
      if (error.row() < 0) throw;
      throw error.with_row(first + error.row());
    }
  }
  return result;
}

std::shared_ptr<const Transformer> LayoutTransformer::of_landmarks() const {
  Parts parts = parts_;
  parts.is_of_landmarks = true;
  return std::make_shared<const LayoutTransformer>(std::move(parts));
}

void LayoutTransformer::save(ArchiveWriter& archive) const {
  archive.put("layout.kind", parts_.placer->kind());
  save_neighbor_options(archive, "layout.search", parts_.search);
  if (is_given()) {
    save_graph(archive, "layout.nearest", parts_.nearest);
  } else {
    save_points(archive, "layout.points", view_of(parts_.points));
  }
  if (parts_.is_of_landmarks) archive.put("layout.map", parts_.map->view());
  save_layout_state(archive, parts_.state);
  parts_.placer->save(archive);
}

bool LayoutTransformer::is_in(const ArchiveReader& archive) { return archive.has("layout.kind"); }

std::shared_ptr<const Transformer> LayoutTransformer::load(const ArchiveReader& archive) {
  const bool is_of_landmarks = archive.has("layout.map");
  Parts parts{
      .map = std::make_shared<const Array2<double>>(archive.matrix(is_of_landmarks ? "layout.map" : "coordinates")),
      .is_of_landmarks = is_of_landmarks};
  const Index n = parts.map->rows(), features = method_features(archive);
  if (n < 2) archive.fail("coordinates", "are of fewer than two points");
  if (parts.map->cols() < 1) archive.fail("coordinates", "have no columns");
  if (parts.map->cols() != archive.cols("coordinates"))
    archive.fail("layout.map", "has another number of columns than the coordinates");
  parts.search = load_neighbor_options(archive, "layout.search", n);
  if (!parts.search.n_neighbors) archive.fail("layout.search.n_neighbors", "is missing");
  if (parts.search.radius) archive.fail("layout.search.radius", "is not for optimised maps");
  if (parts.search.metric == Metric::Precomputed) {
    if (features != n) archive.fail("n_features", "must be the number of points");
    parts.nearest = load_graph(archive, "layout.nearest", n);
  } else {
    parts.points = load_points(archive, "layout.points", features);
    if (view_of(parts.points).rows() != n) archive.fail("layout.points.f64", "are not as many as the coordinates");
  }
  parts.state = load_layout_state(archive, *parts.map);
  parts.placer = load_placer(archive, parts.map);
  return std::make_shared<const LayoutTransformer>(std::move(parts));
}

}  // namespace unroll
