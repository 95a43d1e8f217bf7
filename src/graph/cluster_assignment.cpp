#include "graph/cluster_assignment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/at.h"
#include "core/parallel.h"
#include "linalg/small_products.h"
#include "unroll/neighbors/kmeans.h"

namespace unroll {
namespace {

constexpr Index kGrain = 4096;

/// The index of the largest value, the first of several.
Index largest(const std::vector<double>& values) {
  return std::max_element(values.begin(), values.end()) - values.begin();
}

/// Lowers each value to f(row) if that is less.
template <class F>
void lower(std::vector<double>& values, const Run& run, const F& f) {
  parallel_for(run, std::ssize(values), kGrain, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) values[at(i)] = std::min(values[at(i)], f(i));
  });
}

/// The part of a row that is orthogonal to the directions taken before, scaled to length one. Two passes are enough
/// (Parlett).
std::vector<double> new_direction(const double* row, const std::vector<std::vector<double>>& taken, Index d) {
  std::vector<double> q(row, row + d);
  for (int pass = 0; pass < 2; ++pass)
    for (const auto& other : taken) {
      const double along = dot(d, q.data(), other.data());
      for (Index k = 0; k < d; ++k) q[at(k)] -= along * other[at(k)];
    }
  const double length = std::sqrt(dot(d, q.data(), q.data()));
  for (double& entry : q) entry /= length;
  return q;
}

/// Adds pivots while there are directions left.
void pick_directions(const Array2<double>& rows, Index count, std::vector<Index>& picked, const Run& run) {
  constexpr double kRounding = 1e-14;  // of differences of squares
  const Index d = rows.cols();
  std::vector<double> left(at(rows.rows()), std::numeric_limits<double>::infinity());
  lower(left, run, [&](Index i) { return dot(d, rows.row(i), rows.row(i)); });
  const double least = kRounding * left[at(largest(left))];
  std::vector<std::vector<double>> taken;
  while (std::ssize(picked) < std::min(count, d)) {
    const Index next = largest(left);
    if (!(left[at(next)] > least)) return;
    picked.push_back(next);
    taken.push_back(new_direction(rows.row(next), taken, d));
    lower(left, run, [&](Index i) {
      const double along = dot(d, rows.row(i), taken.back().data());
      return std::max(0.0, left[at(i)] - along * along);
    });
    left[at(next)] = 0;
  }
}

/// Adds the farthest rows.
void pick_farthest(const Array2<double>& rows, Index count, std::vector<Index>& picked, const Run& run) {
  const Index d = rows.cols();
  std::vector<double> far(at(rows.rows()), std::numeric_limits<double>::max());
  const auto near_to = [&](Index center) {
    lower(far, run, [&](Index i) {
      double sum = 0;
      for (Index k = 0; k < d; ++k) sum += (rows(i, k) - rows(center, k)) * (rows(i, k) - rows(center, k));
      return sum;
    });
    far[at(center)] = -1;  // picked
  };
  for (const Index center : picked) near_to(center);
  while (std::ssize(picked) < count) {
    picked.push_back(largest(far));
    near_to(picked.back());
  }
}

/// A point in the middle of two centers belongs to the first, so that renumbering may move it, which may change the
/// order again.
void number_by_first_point(const Array2<double>& rows, ClusterAssignment& result, const Run& run) {
  const Index count = result.centers.rows();
  for (Index attempt = 0; attempt < count; ++attempt) {
    const std::vector<Index> order = first_point_order(result.labels, count);
    if (std::is_sorted(order.begin(), order.end())) return;
    Array2<double> centers = Array2<double>::uninitialized(count, rows.cols());
    for (Index c = 0; c < count; ++c) std::copy_n(result.centers.row(c), rows.cols(), centers.row(order[at(c)]));
    result.centers = std::move(centers);
    result.labels = nearest_centers(rows, result.centers, run);
  }
}

}  // namespace

std::vector<Index> first_point_order(const std::vector<Index>& labels, Index count) {
  std::vector<Index> order(at(count), -1);
  Index next = 0;
  for (const Index label : labels)
    if (order[at(label)] < 0) order[at(label)] = next++;
  for (Index& number : order)
    if (number < 0) number = next++;
  return order;
}

std::vector<Index> pivot_rows(const Array2<double>& rows, Index count, const Run& run) {
  std::vector<Index> picked;
  pick_directions(rows, count, picked, run);
  if (std::ssize(picked) < count) pick_farthest(rows, count, picked, run);
  return picked;
}

ClusterAssignment assign_clusters(const Array2<double>& rows, Index count, Index n_init, std::int64_t seed,
                                  const Run& run) {
  const std::vector<Index> pivots = pivot_rows(rows, count, run);
  Array2<double> start = Array2<double>::uninitialized(count, rows.cols());
  for (Index c = 0; c < count; ++c) std::copy_n(rows.row(pivots[at(c)]), rows.cols(), start.row(c));
  const KMeansOptions options{.n_clusters = count, .n_init = std::max<Index>(n_init, 1), .random_state = seed};
  KMeans best = kmeans(rows, start, options, run);
  if (n_init > 0) {
    KMeans other = kmeans(rows, options, run);
    if (other.inertia < best.inertia) best = std::move(other);
  }
  ClusterAssignment result{.labels = std::move(best.labels),
                           .centers = std::move(best.centers),
                           .inertia = best.inertia,
                           .warnings = std::move(best.warnings)};
  number_by_first_point(rows, result, run);
  return result;
}

}  // namespace unroll
