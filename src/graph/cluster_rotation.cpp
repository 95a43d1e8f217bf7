#include "graph/cluster_rotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/parallel.h"
#include "linalg/nearest_orthogonal.h"
#include "linalg/small_products.h"
#include "neighbors/center_search.h"

namespace unroll {
namespace {

/// The rotation that turns the rows that a pivoted QR decomposition picks closest to the axes (Damle, Minden & Ying
/// 2019): U V^T of the matrix whose columns they are.
Array2<double> pivot_rotation(const Array2<double>& rows, const Run& run) {
  const Index d = rows.cols();
  const std::vector<Index> pivots = pivot_rows(rows, d, run);
  Array2<double> columns(d, d);
  for (Index c = 0; c < d; ++c)
    for (Index k = 0; k < d; ++k) columns(k, c) = rows(pivots[at(c)], k);
  return nearest_orthogonal(columns).matrix;
}

/// 1 / length of every column; 0 of a column of zeros.
std::vector<double> column_scales(const Array2<double>& rows) {
  std::vector<double> scales(at(rows.cols()));
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index k = 0; k < rows.cols(); ++k) scales[at(k)] += rows(i, k) * rows(i, k);
  for (double& scale : scales) scale = scale > 0 ? 1 / std::sqrt(scale) : 0;
  return scales;
}

/// The rows with scaled columns, each of length one; rows of zeros stay.
Array2<double> unit_rows(const Array2<double>& rows, const std::vector<double>& scales) {
  Array2<double> units = rows;
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index k = 0; k < rows.cols(); ++k) units(i, k) *= scales[at(k)];
    const double length = std::sqrt(dot(rows.cols(), units.row(i), units.row(i)));
    for (Index k = 0; k < rows.cols() && length > 0; ++k) units(i, k) /= length;
  }
  return units;
}

/// Alternates between the nearest axis of every row and the rotation that fits these best (Yu & Shi 2003). Each step
/// raises the sum of the products of rows with their axes, so that it ends. The start is that of the pivot rows, which
/// is near the end and the same in every run.
Array2<double> discretizing_rotation(const Array2<double>& units, const Run& run) {
  constexpr int kMostSteps = 100;
  const Index d = units.cols();
  ClusterDirections now{.columns = pivot_rotation(units, run)};
  std::vector<Index> labels = nearest_directions(units, now, run);
  for (int step = 0; step < kMostSteps; ++step) {
    Array2<double> sums(d, d);  // of the rows of a cluster, in the cluster's column
    for (Index i = 0; i < units.rows(); ++i)
      for (Index k = 0; k < d; ++k) sums(k, labels[at(i)]) += units(i, k);
    now.columns = nearest_orthogonal(sums).matrix;
    std::vector<Index> next = nearest_directions(units, now, run);
    if (next == labels) break;
    labels = std::move(next);
    run.check_cancelled();
  }
  return now.columns;
}

/// Numbers the directions in the order of their first rows; those without rows follow.
void number_directions(const Array2<double>& rows, ClusterAssignment& result, const Run& run) {
  const Index count = result.directions.columns.cols();
  std::vector<Index> order = first_point_order(result.labels, count);
  const Array2<double> before = result.directions.columns;
  for (Index c = 0; c < count; ++c)
    for (Index k = 0; k < before.rows(); ++k) result.directions.columns(k, order[at(c)]) = before(k, c);
  result.labels = nearest_directions(rows, result.directions, run);
}

/// Means of the clusters, and the sum of squared distances from them.
void add_centers(const Array2<double>& rows, ClusterAssignment& result) {
  const Index d = rows.cols();
  result.centers = Array2<double>(d, d);
  std::vector<double> sizes(at(d));
  for (Index i = 0; i < rows.rows(); ++i) {
    ++sizes[at(result.labels[at(i)])];
    for (Index k = 0; k < d; ++k) result.centers(result.labels[at(i)], k) += rows(i, k);
  }
  for (Index c = 0; c < d; ++c)
    for (Index k = 0; k < d && sizes[at(c)] > 0; ++k) result.centers(c, k) /= sizes[at(c)];
  for (Index i = 0; i < rows.rows(); ++i)
    result.inertia += squared_distance(rows.row(i), result.centers.row(result.labels[at(i)]), d);
  const auto filled = std::count_if(sizes.begin(), sizes.end(), [](double size) { return size > 0; });
  if (filled < d)
    result.warnings.push_back({"empty-clusters", fmt::format("only {} of {} clusters have points", filled, d),
                               fmt::format("use n_clusters={}", filled)});
}

}  // namespace

void check_assignment(LabelAssignment rule, Index n_components, Index n_clusters) {
  if (rule == LabelAssignment::KMeans || n_components == n_clusters) return;
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("assign_labels={} finds a cluster per eigenvector, but n_components={} and "
                                      "n_clusters={}",
                                      name_of(rule), n_components, n_clusters),
               .advice = "leave n_components out, or use assign_labels=kmeans",
               .option = "n_components"});
}

std::vector<Index> nearest_directions(const Array2<double>& rows, const ClusterDirections& directions, const Run& run) {
  constexpr Index kRows = 1024;
  const Index d = rows.cols(), count = directions.columns.cols();
  std::vector<Index> labels(at(rows.rows()));
  parallel_for(run, rows.rows(), kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double largest = 0;
      for (Index c = 0; c < count; ++c) {
        double product = 0;
        for (Index k = 0; k < d; ++k) product += rows(i, k) * directions.columns(k, c);
        if (directions.both_ways) product = std::abs(product);
        if (c > 0 && product <= largest) continue;
        largest = product;
        labels[at(i)] = c;
      }
    }
  });
  return labels;
}

ClusterAssignment rotate_to_clusters(const Array2<double>& rows, LabelAssignment rule, const Run& run) {
  ClusterAssignment result;
  if (rule == LabelAssignment::ClusterQr) {
    result.directions = {.columns = pivot_rotation(rows, run), .both_ways = true};
  } else {
    const std::vector<double> scales = column_scales(rows);
    result.directions = {.columns = discretizing_rotation(unit_rows(rows, scales), run)};
    for (Index k = 0; k < rows.cols(); ++k)
      for (Index c = 0; c < rows.cols(); ++c) result.directions.columns(k, c) *= scales[at(k)];
  }
  result.labels = nearest_directions(rows, result.directions, run);
  number_directions(rows, result, run);
  add_centers(rows, result);
  return result;
}

ClusterAssignment find_clusters(const Array2<double>& rows, LabelAssignment rule, Index count, Index n_init,
                                std::int64_t seed, const Run& run) {
  if (rule == LabelAssignment::KMeans) return assign_clusters(rows, count, n_init, seed, run);
  return rotate_to_clusters(rows, rule, run);
}

}  // namespace unroll
