#include "affinity/distance_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "affinity/similarities.h"
#include "core/archive.h"
#include "core/at.h"
#include "core/matrix_copies.h"
#include "core/model_file.h"
#include "neighbors/archive_parts.h"
#include "neighbors/distance_matrix.h"
#include "neighbors/given_distances.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The columns of rows of distances.
Array2<double> given_distances(PointsView rows, const std::vector<Index>& columns) {
  Array2<double> result = picked(rows, {}, columns);
  for (Index i = 0; i < result.rows(); ++i)
    for (Index k = 0; k < result.cols(); ++k)
      if (result(i, k) < 0) throw_negative_distance(i, columns[at(k)], result(i, k));
  return result;
}

}  // namespace

DistanceRows::DistanceRows(Parts parts, const Run& run) : parts_(std::move(parts)) {
  if (!parts_.columns.empty()) return;
  const PointsView points = view_of(parts_.points);
  prepared_ = metric_rows(points, parts_.metric, metric_scale(points, run), run);
}

Index DistanceRows::columns() const {
  return parts_.columns.empty() ? view_of(parts_.points).rows() : std::ssize(parts_.columns);
}

Array2<double> DistanceRows::distances(PointsView points, const Run& run) const {
  if (!parts_.columns.empty()) return given_distances(points, parts_.columns);
  const OwnedPoints alike = copied_alike(points, prepared_.points);  // distances need rows of one type
  const MetricRows queries = metric_rows(view_of(alike), parts_.metric, prepared_.scale, run);
  return distance_matrix(queries, prepared_, {.metric = parts_.metric, .p = parts_.p}, run);
}

NewRows DistanceRows::rows(PointsView points, const std::vector<Index>&, const Run& run) const {
  Array2<double> w = distances(points, run);
  for (Index i = 0; i < w.rows(); ++i) {
    const auto same = static_cast<std::size_t>(std::find(w.row(i), w.row(i) + w.cols(), 0.0) - w.row(i));
    for (Index j = 0; j < w.cols(); ++j) {
      const bool is_self =
          w(i, j) == 0 && (parts_.copies.empty() || parts_.copies[static_cast<std::size_t>(j)] == parts_.copies[same]);
      w(i, j) = similarity(Similarities::Entries::Distances, parts_.scale, is_self ? 0 : w(i, j) + parts_.constant);
    }
  }
  return {.w = std::move(w)};
}

void DistanceRows::save(ArchiveWriter& archive) const {
  archive.put("distances.metric", name_of(parts_.metric));
  archive.put("distances.p", parts_.p);
  archive.put("distances.scale", parts_.scale);
  archive.put("distances.constant", parts_.constant);
  if (!parts_.copies.empty()) archive.put("distances.copies", parts_.copies);
  if (!parts_.columns.empty()) {
    archive.put("distances.columns", parts_.columns);
  } else {
    save_points(archive, "distances.points", view_of(parts_.points));
  }
}

std::shared_ptr<const SourceRows> DistanceRows::load(const ArchiveReader& archive) {
  Parts parts{.metric = load_choice<Metric>(archive, "distances.metric"),
              .p = archive.real("distances.p"),
              .scale = archive.real("distances.scale"),
              .constant = archive.real("distances.constant")};
  const Index features = method_features(archive);
  if (parts.metric == Metric::Precomputed) {
    parts.columns = load_indices(archive, "distances.columns", features);
    if (parts.columns.empty()) archive.fail("distances.columns", "are none");
  } else {
    parts.points = load_points(archive, "distances.points", features);
  }
  const Index known = parts.columns.empty() ? view_of(parts.points).rows() : std::ssize(parts.columns);
  if (archive.has("distances.copies")) {
    parts.copies = load_indices(archive, "distances.copies", known);
    if (std::ssize(parts.copies) != known) archive.fail("distances.copies", "are not one per point");
  }
  if (!(parts.p >= 1)) archive.fail("distances.p", "must be at least 1");
  if (!(parts.scale > 0)) archive.fail("distances.scale", "must be positive");
  if (!(parts.constant >= 0)) archive.fail("distances.constant", "must not be negative");
  return std::make_shared<const DistanceRows>(std::move(parts), Run{});
}

}  // namespace unroll
