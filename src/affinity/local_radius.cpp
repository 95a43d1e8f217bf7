#include "affinity/local_radius.h"

#include <algorithm>
#include <cmath>

#include "affinity/sparse_join.h"
#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
namespace {

/// An entry of a matrix, or null.
const double* entry_of(const SparseMatrix& a, Index i, Index j) {
  const auto first = a.columns.begin() + a.offsets[at(i)], last = a.columns.begin() + a.offsets[at(i) + 1];
  const auto found = std::lower_bound(first, last, j);
  return found != last && *found == j ? &a.values[at(found - a.columns.begin())] : nullptr;
}

}  // namespace

std::vector<double> log_radii(const SparseMatrix& graph, const NeighborGraph& nearest, const Run& run) {
  constexpr double kLeast = 1e-8;
  constexpr Index kRows = 512;
  const double largest =
      nearest.distances.empty() ? 0 : *std::max_element(nearest.distances.begin(), nearest.distances.end());
  const double unit = largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1;
  const SparseMatrix distances = edge_matrix(nearest, nearest.distances, run);
  std::vector<double> result(at(graph.rows), kNoRadius);
  parallel_for(run, graph.rows, kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double sum = 0, weight = 0;
      for (Index e = graph.offsets[at(i)]; e < graph.offsets[at(i) + 1]; ++e) {
        const Index j = graph.columns[at(e)];
        const double* distance = entry_of(distances, i, j);
        if (distance == nullptr) distance = entry_of(distances, j, i);
        if (distance == nullptr) continue;
        sum += graph.values[at(e)] * (unit * *distance) * (unit * *distance);
        weight += graph.values[at(e)];
      }
      if (weight > 0) result[at(i)] = std::log(kLeast + sum / weight);
    }
  });
  return result;
}

double radius_correlation(const std::vector<double>& log_radii, const std::vector<double>& others) {
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  const auto for_each = [&](auto&& visit) {
    for (std::size_t i = 0; i < log_radii.size(); ++i)
      if (log_radii[i] != kNoRadius && others[i] != kNoRadius) visit(log_radii[i], others[i]);
  };
  for_each([&](double a, double b) { n += 1, x += a, y += b; });
  if (n == 0) return 0;
  for_each([&](double a, double b) {
    const double da = a - x / n, db = b - y / n;
    xx += da * da, yy += db * db, xy += da * db;
  });
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

}  // namespace unroll
