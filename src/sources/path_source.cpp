#include "sources/path_source.h"

#include <numeric>

#include "core/at.h"
#include "neighbors/components_policy.h"
#include "neighbors/geodesics.h"
#include "sources/matrix_source.h"
#include "sources/residual_variance.h"

namespace unroll {
namespace {

std::vector<Index> numbers(Index n) {
  std::vector<Index> all(at(n));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

}  // namespace

void PathSource::check(const Recipe& row) const {
  if (row.operation != OperatorRule::Centered)
    refuse_cell(name_of(row.operation), "W holds lengths of paths, not weights; they are centred");
  check_centered_cells(row);
}

PathSource::Lengths PathSource::lengths_of(const NeighborGraph& part, const Run& run) const {
  if (by_floyd_warshall_) return floyd_warshall(part, run);
  const std::vector<Index> all = numbers(part.size());
  if (is_single_) return geodesic_distances<float>(part, all, run);
  return geodesic_distances<double>(part, all, run);
}

PartSolution PathSource::solve(const Recipe& row, const std::vector<Index>& points, Index count,
                               const SpectralSettings& settings, const Run& run) const {
  Lengths lengths = points.empty() ? lengths_of(graph_, run) : lengths_of(subgraph(graph_, points), run);
  const Similarities w{std::visit([](const auto& m) { return decltype(Similarities::matrix)(m.view()); }, lengths),
                       Similarities::Entries::Distances};
  PartSolution solution = MatrixSource(w).solve(row, {}, count, settings, run);
  if (first_points_.empty()) {
    first_ = std::move(lengths);
    first_points_ = points.empty() ? numbers(size()) : points;
  }
  return solution;
}

std::vector<double> PathSource::residual_variance(const Array2<double>& coordinates, std::uint64_t seed,
                                                  const Run& run) const {
  if (first_points_.empty()) return {};  // every component is a point
  const Index n = std::ssize(first_points_), count = std::min(coordinates.cols(), n - 1);
  Array2<double> y = Array2<double>::uninitialized(n, count);
  for (Index i = 0; i < n; ++i) std::copy_n(coordinates.row(first_points_[at(i)]), count, y.row(i));
  return std::visit(
      [&](const auto& lengths) { return unroll::residual_variance(lengths.view(), numbers(n), y, seed, run); }, first_);
}

}  // namespace unroll
