#include "spectral/archive_parts.h"

#include <algorithm>

namespace unroll {
namespace {

std::string part(std::string_view name, std::string_view what) { return fmt::format("{}.{}", name, what); }

}  // namespace

void save_points(ArchiveWriter& archive, std::string_view name, PointsView points) {
  points.visit([&](auto x) { archive.put(part(name, points.is_float() ? "f32" : "f64"), x); });
}

OwnPoints load_points(const ArchiveReader& archive, std::string_view name, Index features) {
  const std::string narrow = part(name, "f32"), wide = part(name, "f64");
  const bool is_float = archive.has(narrow);
  OwnPoints points = is_float ? OwnPoints(archive.matrix_f32(narrow)) : OwnPoints(archive.matrix(wide));
  const PointsView view = std::visit([](const auto& array) { return PointsView(array); }, points);
  if (view.rows() == 0 || view.cols() != features)
    archive.fail(is_float ? narrow : wide, "has no rows, or another number of columns than there are features");
  return points;
}

std::vector<Index> load_indices(const ArchiveReader& archive, std::string_view name, Index bound) {
  std::vector<Index> indices = archive.integers(name);
  if (!std::all_of(indices.begin(), indices.end(), [&](Index i) { return i >= 0 && i < bound; }))
    archive.fail(name, fmt::format("must be from 0 to {}", bound - 1));
  return indices;
}

void save_graph(ArchiveWriter& archive, std::string_view name, const NeighborGraph& graph) {
  archive.put(part(name, "offsets"), graph.offsets);
  archive.put(part(name, "neighbors"), graph.neighbors);
  archive.put(part(name, "distances"), graph.distances);
}

NeighborGraph load_graph(const ArchiveReader& archive, std::string_view name, Index size) {
  NeighborGraph graph{.offsets = archive.integers(part(name, "offsets")),
                      .neighbors = load_indices(archive, part(name, "neighbors"), size),
                      .distances = archive.reals(part(name, "distances"))};
  if (graph.size() != size || graph.offsets.front() != 0 || graph.offsets.back() != graph.edges() ||
      !std::is_sorted(graph.offsets.begin(), graph.offsets.end()))
    archive.fail(part(name, "offsets"), "do not fit the neighbors");
  if (std::ssize(graph.distances) != graph.edges() ||
      !std::all_of(graph.distances.begin(), graph.distances.end(), [](double d) { return d >= 0; }))
    archive.fail(part(name, "distances"), "do not fit the neighbors, or are negative");
  return graph;
}

}  // namespace unroll
