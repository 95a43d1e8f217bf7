#include "neighbors/equal_point.h"

#include <algorithm>
#include <vector>

#include "core/sparse_points.h"

namespace unroll {
namespace {

bool has_copy(Index row, const NeighborGraph& found) {
  return found.degree(row) > 0 && found.distances_of(row).front() == 0;
}

}  // namespace

Index equal_point(PointsView queries, Index row, const NeighborGraph& found, PointsView training) {
  if (!has_copy(row, found)) return -1;
  const auto near = found.neighbors_of(row);
  const auto distances = found.distances_of(row);
  const auto equals = [&](Index j) {
    if (queries.is_sparse()) return equal_rows(queries.sparse(), row, training.sparse(), j);
    return queries.visit([&](auto x) {
      return training.visit([&](auto y) { return std::equal(x.row(row), x.row(row) + x.cols, y.row(j)); });
    });
  };
  for (std::size_t e = 0; e < near.size() && distances[e] == 0; ++e)
    if (equals(near[e])) return near[e];
  return near.front();
}

Index equal_point(PointsView distances, Index row, const NeighborGraph& found, const KnownDistance& known) {
  if (!has_copy(row, found)) return -1;
  std::vector<Index> zeros;
  distances.visit([&](auto x) {
    for (Index j = 0; j < x.cols; ++j)
      if (x(row, j) == 0) zeros.push_back(j);
  });
  check_zeros(row, zeros, found.distances_of(row).back(), known);
  return found.neighbors_of(row).front();
}

}  // namespace unroll
