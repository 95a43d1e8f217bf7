#include "neighbors/archive_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "unroll/core/error.h"

namespace unroll {
namespace {

std::string part(std::string_view name, std::string_view what) { return fmt::format("{}.{}", name, what); }

void save_sparse(ArchiveWriter& archive, std::string_view name, const SparseRows& rows) {
  rows.visit([&]<class T, class Place>(const CsrView<T, Place>& x) {
    const Index first = x.rows > 0 ? x.begin(0) : 0;
    std::vector<Index> offsets{0}, columns(x.columns + first, x.columns + first + x.entries());
    for (Index i = 0; i < x.rows; ++i) offsets.push_back(x.end(i) - first);
    archive.put(part(name, "offsets"), offsets);
    archive.put(part(name, "columns"), columns);
    archive.put(part(name, rows.is_float() ? "f32" : "f64"),
                MatrixView<T>{x.values + first, 1, x.entries(), x.entries()});
  });
}

template <class T>
SparsePoints sparse_points(std::vector<Index>&& offsets, std::vector<Index>&& columns, const Array2<T>& values,
                           Index features) {
  const Index rows = std::ssize(offsets) - 1;
  return CsrArrays<T, std::int64_t>{.rows = rows,
                                    .cols = features,
                                    .offsets = std::move(offsets),
                                    .columns = std::move(columns),
                                    .values = {values.data(), values.data() + values.size()}};
}

OwnedPoints load_sparse(const ArchiveReader& archive, std::string_view name, Index features) {
  const std::string place = part(name, "offsets"), narrow = part(name, "f32");
  std::vector<Index> offsets = archive.integers(place), columns = archive.integers(part(name, "columns"));
  const std::string values = archive.has(narrow) ? narrow : part(name, "f64");
  if (offsets.size() < 2 || offsets.front() != 0 || offsets.back() != std::ssize(columns) ||
      archive.cols(values) != std::ssize(columns) || archive.rows(values) != 1)
    archive.fail(place, "do not fit the columns and values, or there are no rows");
  SparsePoints points =
      archive.has(narrow) ? sparse_points(std::move(offsets), std::move(columns), archive.matrix_f32(values), features)
                          : sparse_points(std::move(offsets), std::move(columns), archive.matrix(values), features);
  try {
    check_structure(points.view(), {.threads = 1});
  } catch (const Error& error) {
    archive.fail(place, error.what());
  }
  return points;
}

}  // namespace

void save_points(ArchiveWriter& archive, std::string_view name, PointsView points) {
  if (points.is_sparse()) return save_sparse(archive, name, points.sparse());
  points.visit([&](auto x) { archive.put(part(name, points.is_float() ? "f32" : "f64"), x); });
}

OwnedPoints load_points(const ArchiveReader& archive, std::string_view name, Index features) {
  if (archive.has(part(name, "offsets"))) return load_sparse(archive, name, features);
  return owned(load_matrix(archive, name, features));
}

DensePoints load_matrix(const ArchiveReader& archive, std::string_view name, Index columns) {
  const std::string narrow = part(name, "f32"), wide = part(name, "f64");
  const bool is_float = archive.has(narrow);
  DensePoints points = is_float ? DensePoints(archive.matrix_f32(narrow)) : DensePoints(archive.matrix(wide));
  const PointsView view = view_of(points);
  if (view.rows() == 0 || view.cols() != columns)
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

void save_joining(ArchiveWriter& archive, std::string_view name, const std::vector<JoiningEdge>& edges) {
  std::vector<Index> ends;
  std::vector<double> lengths;
  for (const JoiningEdge& edge : edges) {
    ends.insert(ends.end(), {edge.first, edge.second});
    lengths.push_back(edge.distance);
  }
  archive.put(part(name, "ends"), ends);
  archive.put(part(name, "lengths"), lengths);
}

std::vector<JoiningEdge> load_joining(const ArchiveReader& archive, std::string_view name, Index size) {
  const std::vector<Index> ends = load_indices(archive, part(name, "ends"), size);
  const std::vector<double> lengths = archive.reals(part(name, "lengths"));
  if (ends.size() != 2 * lengths.size()) archive.fail(part(name, "ends"), "are not two per length");
  std::vector<JoiningEdge> joining;
  for (std::size_t e = 0; e < lengths.size(); ++e) {
    joining.push_back({ends[2 * e], ends[2 * e + 1], lengths[e]});
    if (joining.back().first >= joining.back().second || lengths[e] < 0)
      archive.fail(part(name, "ends"), "do not make edges");
  }
  return joining;
}

void save_neighbor_options(ArchiveWriter& archive, std::string_view name, const NeighborOptions& options) {
  archive.put(part(name, "metric"), name_of(options.metric));
  archive.put(part(name, "p"), options.p);
  archive.put(part(name, "algorithm"), name_of(options.algorithm));
  if (options.n_neighbors) archive.put(part(name, "n_neighbors"), *options.n_neighbors);
  if (options.radius) archive.put(part(name, "radius"), *options.radius);
}

NeighborOptions load_neighbor_options(const ArchiveReader& archive, std::string_view name, Index size) {
  NeighborOptions options{.metric = load_choice<Metric>(archive, part(name, "metric")),
                          .p = archive.real(part(name, "p")),
                          .algorithm = load_choice<SearchAlgorithm>(archive, part(name, "algorithm"))};
  const std::string count = part(name, "n_neighbors"), radius = part(name, "radius");
  if (archive.has(count)) options.n_neighbors = archive.integer(count);
  if (archive.has(radius)) options.radius = archive.real(radius);
  // 0.1.0 wrote this radius if all entries of a sparse matrix are edges.
  if (options.radius == std::numeric_limits<double>::max()) options.radius = {};
  try {
    validate_options(options, name);
  } catch (const Error& error) {
    archive.fail(part(name, "metric"), error.what());
  }
  if (options.n_neighbors && *options.n_neighbors >= size)
    archive.fail(count, "must be less than the number of points");
  return options;
}

}  // namespace unroll
