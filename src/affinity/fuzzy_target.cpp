#include "affinity/fuzzy_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "affinity/fuzzy_set.h"
#include "affinity/sparse_join.h"
#include "core/at.h"
#include "unroll/core/error.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

/// Divides every row by its largest entry, and unites what the two ends of an edge say.
SparseMatrix made_sure_again(SparseMatrix a, const Run& run) {
  for (Index i = 0; i < a.rows; ++i) {
    const auto begin = a.values.begin() + a.offsets[at(i)], end = a.values.begin() + a.offsets[at(i) + 1];
    const double largest = begin == end ? 0 : *std::max_element(begin, end);
    if (largest > 0) std::for_each(begin, end, [&](double& value) { value /= largest; });
  }
  return fuzzy_union(a, 1, run);
}

double smallest_of(const SparseMatrix& a) {
  return a.values.empty() ? 1 : *std::min_element(a.values.begin(), a.values.end());
}

}  // namespace

void check_targets(const Input& input) {
  const auto check = [&](std::size_t count, std::string_view what) {
    if (count == 0 || static_cast<Index>(count) == input.size()) return;
    throw Error(ErrorKind::InvalidData, fmt::format("there are {} {}, but {} points", count, what, input.size()),
                "give one per point");
  };
  check(input.labels.size(), "labels");
  check(input.targets.size(), "targets");
  for (std::size_t i = 0; i < input.targets.size(); ++i)
    if (!std::isfinite(input.targets[i]))
      throw Error(ErrorKind::InvalidData, {.problem = "has a target that is not finite",
                                           .advice = "leave out such points",
                                           .row = static_cast<Index>(i)});
}

SparseMatrix intersected_by_labels(SparseMatrix graph, std::span<const std::int64_t> labels, double weight,
                                   const Run& run) {
  constexpr double kUnknown = 1, kDifferent = 2.5;
  const double different = weight < 1 ? std::exp(-kDifferent / (1 - weight)) : 0;
  const double unknown = std::exp(-kUnknown);
  for (Index i = 0; i < graph.rows; ++i)
    for (Index e = graph.offsets[at(i)]; e < graph.offsets[at(i) + 1]; ++e) {
      const std::int64_t own = labels[at(i)], other = labels[at(graph.columns[at(e)])];
      if (own == -1 || other == -1) {
        graph.values[at(e)] *= unknown;
      } else if (own != other) {
        graph.values[at(e)] *= different;
      }
    }
  return made_sure_again(std::move(graph), run);
}

SparseMatrix fuzzy_intersection(const SparseMatrix& graph, const SparseMatrix& other, double weight, const Run& run) {
  constexpr double kLeast = 1e-8, kMost = 1e-4;
  const double least = std::max(smallest_of(graph) / 2, kLeast);
  const double least_of_other = std::min(std::max(smallest_of(other) / 2, kLeast), kMost);
  const auto both = [&](const double* own, const double* of_other) {
    const double w = own != nullptr ? *own : least, v = of_other != nullptr ? *of_other : least_of_other;
    return weight < 0.5 ? w * std::pow(v, weight / (1 - weight)) : std::pow(w, (1 - weight) / weight) * v;
  };
  return made_sure_again(joined(graph, other, both, run), run);
}

SparseMatrix intersected_by_numbers(const SparseMatrix& graph, std::span<const double> numbers, Index n_neighbors,
                                    double weight, const Run& run) {
  const PointsView points(numbers, 1);
  const NeighborGraph nearest = neighbors(points, {.n_neighbors = n_neighbors}, run).graph;
  return fuzzy_intersection(graph, memberships(nearest, smooth_distances(nearest, 1, run), run), weight, run);
}

SparseMatrix supervised(SparseMatrix graph, const Input& input, Index n_neighbors, double weight, const Run& run) {
  if (!input.labels.empty()) return intersected_by_labels(std::move(graph), input.labels, weight, run);
  if (!input.targets.empty()) return intersected_by_numbers(graph, input.targets, n_neighbors, weight, run);
  return graph;
}

}  // namespace unroll
