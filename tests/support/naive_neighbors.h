#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "unroll/neighbors/neighbors.h"

/// Neighbours by the definitions of the metrics alone: plain loops in long double, whose range takes squares of
/// anything that a double can be. Nothing here is shared with the searches under test.
namespace unroll::naive {

using Real = long double;

/// The points in long double, and once for all what a metric makes of a row by itself: rows minus their means, rows of
/// length 1.
class Rows {
 public:
  Rows(PointsView points, Metric metric) : rows_(points.rows()), cols_(points.cols()) {
    points.visit([&](auto x) {
      for (Index i = 0; i < rows_; ++i) values_.insert(values_.end(), x.row(i), x.row(i) + cols_);
    });
    for (Index i = 0; i < rows_; ++i) {
      if (metric == Metric::Correlation) center(i);
      if (metric == Metric::Cosine || metric == Metric::Correlation) normalize(i);
    }
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  const Real* row(Index i) const { return values_.data() + i * cols_; }

 private:
  Real* begin(Index i) { return values_.data() + i * cols_; }

  void center(Index i) {
    Real sum = 0, largest = 0;
    for (Real* e = begin(i); e != begin(i) + cols_; ++e) {
      sum += *e;
      largest = std::max(largest, std::abs(*e));
    }
    for (Real* e = begin(i); e != begin(i) + cols_; ++e) {
      *e -= sum / static_cast<Real>(cols_);
      if (std::abs(*e) < 1e-17L * largest) *e = 0;  // a constant row is zero, not rounding
    }
  }

  /// Zero rows stay what they are.
  void normalize(Index i) {
    Real squares = 0;
    for (Real* e = begin(i); e != begin(i) + cols_; ++e) squares += *e * *e;
    if (squares == 0) return;
    for (Real* e = begin(i); e != begin(i) + cols_; ++e) *e /= std::sqrt(squares);
  }

  Index rows_, cols_;
  std::vector<Real> values_ = {};
};

inline bool is_zero(const Real* x, Index n) {
  return std::all_of(x, x + n, [](Real e) { return e == 0; });
}

inline Real haversine(const Real* x, const Real* y) {
  const Real a = std::sin((x[0] - y[0]) / 2), b = std::sin((x[1] - y[1]) / 2);
  return 2 * std::asin(std::sqrt(std::min(1.0L, a * a + std::cos(x[0]) * std::cos(y[0]) * b * b)));
}

inline Real jaccard(const Real* x, const Real* y, Index n) {
  Index both = 0, either = 0;
  for (Index j = 0; j < n; ++j) {
    if (x[j] != 0 && y[j] != 0) ++both;
    if (x[j] != 0 || y[j] != 0) ++either;
  }
  return either == 0 ? 0 : 1 - static_cast<Real>(both) / static_cast<Real>(either);
}

inline Real squared(const Real* x, const Real* y, Index n) {
  Real sum = 0;
  for (Index j = 0; j < n; ++j) sum += (x[j] - y[j]) * (x[j] - y[j]);
  return sum;
}

/// Of prepared rows.
inline Real distance(const Real* x, const Real* y, Index n, Metric metric, double p) {
  Real sum = 0;
  switch (metric) {
    case Metric::Manhattan:
      for (Index j = 0; j < n; ++j) sum += std::abs(x[j] - y[j]);
      return sum;
    case Metric::Chebyshev:
      for (Index j = 0; j < n; ++j) sum = std::max(sum, std::abs(x[j] - y[j]));
      return sum;
    case Metric::Minkowski:
      for (Index j = 0; j < n; ++j) sum += std::pow(std::abs(x[j] - y[j]), static_cast<Real>(p));
      return std::pow(sum, 1 / static_cast<Real>(p));
    case Metric::Hamming:
      for (Index j = 0; j < n; ++j) sum += x[j] != y[j] ? 1 : 0;
      return sum / static_cast<Real>(n);
    case Metric::Jaccard: return jaccard(x, y, n);
    case Metric::Haversine: return haversine(x, y);
    case Metric::Cosine:
    case Metric::Correlation:
      // 1 - cos of the angle as half the squared chord: the textbook's 1 - x.y has no digits at small angles.
      if (is_zero(x, n) || is_zero(y, n)) return is_zero(x, n) && is_zero(y, n) ? 0 : 1;
      return squared(x, y, n) / 2;
    default: return std::sqrt(squared(x, y, n));
  }
}

/// From row i of one set to every row of another.
inline std::vector<Real> distances_from(const Rows& a, Index i, const Rows& b, const NeighborOptions& options) {
  std::vector<Real> result;
  for (Index j = 0; j < b.rows(); ++j)
    result.push_back(distance(a.row(i), b.row(j), b.cols(), options.metric, options.p));
  return result;
}

/// By how much a distance may be off for the rounding of double arithmetic alone.
inline Real rounding(Real distance, Metric metric) {
  const Real relative = 1e-13L * distance + 2 * std::numeric_limits<double>::denorm_min();
  // Half the squared chord between unit vectors whose coordinates are rounded.
  if (metric == Metric::Cosine || metric == Metric::Correlation)
    return relative + 4e-15L * std::sqrt(distance) + 1e-30L;
  // The arcsine has no digits where it is steep: at the antipodes.
  if (metric == Metric::Haversine)
    return relative + 4e-15L / std::max(1e-8L, std::cos(std::min(distance, std::numbers::pi_v<Real>) / 2));
  return relative;
}

constexpr Index kNobody = -1;

/// Row `own` of a search: how far it is from all points, and so who may be, must be and must not be its neighbour.
/// Points that tie but for rounding may stand for each other.
inline void expect_row(std::span<const Index> neighbors, std::span<const double> distances,
                       const std::vector<Real>& truth, Index own, const NeighborOptions& options) {
  const auto n = static_cast<Index>(truth.size());
  std::vector<Real> others;
  for (Index j = 0; j < n; ++j)
    if (j != own) others.push_back(truth[static_cast<std::size_t>(j)]);
  std::sort(others.begin(), others.end());
  Real farthest = std::numeric_limits<Real>::infinity();
  if (options.radius) farthest = *options.radius;
  const bool has_count = options.n_neighbors || !options.radius;
  const std::size_t count = std::min(others.size(), static_cast<std::size_t>(options.n_neighbors.value_or(10)));
  if (has_count) farthest = std::min(farthest, others[count - 1]);

  std::vector<bool> is_neighbor(truth.size());
  for (std::size_t r = 0; r < neighbors.size(); ++r) {
    const Index j = neighbors[r];
    ASSERT_TRUE(j >= 0 && j < n && j != own) << "rank " << r << " is " << j;
    const auto at = static_cast<std::size_t>(j);
    ASSERT_FALSE(is_neighbor[at]) << j << " twice";
    is_neighbor[at] = true;
    const Real slack = rounding(truth[at], options.metric);
    ASSERT_LE(std::abs(static_cast<Real>(distances[r]) - truth[at]), slack) << "rank " << r << ", point " << j;
    ASSERT_LE(truth[at], farthest + slack) << "rank " << r << ", point " << j << " is not among the nearest";
    if (r > 0) {
      ASSERT_LT(std::pair(distances[r - 1], neighbors[r - 1]), std::pair(distances[r], j)) << "rank " << r;
    }
  }
  for (Index j = 0; j < n; ++j) {
    const Real d = truth[static_cast<std::size_t>(j)];
    if (j != own && !is_neighbor[static_cast<std::size_t>(j)]) {
      ASSERT_GE(d, farthest - rounding(d, options.metric)) << "point " << j << " is missing";
    }
  }
  if (has_count && !options.radius) {
    ASSERT_EQ(neighbors.size(), count);
  } else if (has_count) {
    ASSERT_LE(neighbors.size(), count);
  }
}

/// The graph of the points among themselves, or (with queries) of other rows among the points. Looks at some rows only
/// where all would take long.
inline void expect_graph(const NeighborGraph& graph, PointsView points, const NeighborOptions& options,
                         std::optional<PointsView> queries = {}) {
  const PointsView asked = queries.value_or(points);
  ASSERT_EQ(graph.size(), asked.rows());
  ASSERT_EQ(graph.distances.size(), graph.neighbors.size());
  ASSERT_EQ(graph.offsets.back(), graph.edges());
  constexpr Index kEffort = 300'000;
  const Index affordable = std::max<Index>(5, kEffort / (points.rows() * points.cols()));
  const Index step = std::max<Index>(1, asked.rows() / affordable);
  const Rows rows(points, options.metric), asked_rows(asked, options.metric);
  for (Index i = 0; i < asked.rows(); i += step) {
    SCOPED_TRACE(testing::Message() << "row " << i);
    expect_row(graph.neighbors_of(i), graph.distances_of(i), distances_from(asked_rows, i, rows, options),
               queries ? kNobody : i, options);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Bit for bit.
inline bool same_bytes(const NeighborGraph& a, const NeighborGraph& b) {
  if (a.offsets != b.offsets || a.neighbors != b.neighbors || a.distances.size() != b.distances.size()) return false;
  return a.distances.empty() ||
         std::memcmp(a.distances.data(), b.distances.data(), a.distances.size() * sizeof(double)) == 0;
}

/// Where two graphs part, for the message of a test that fails.
inline std::string first_difference(const NeighborGraph& a, const NeighborGraph& b) {
  if (a.size() != b.size()) return "sizes differ";
  for (Index i = 0; i < a.size(); ++i) {
    if (a.degree(i) != b.degree(i))
      return "row " + std::to_string(i) + " has " + std::to_string(a.degree(i)) + " and " + std::to_string(b.degree(i));
    for (std::size_t r = 0; r < a.neighbors_of(i).size(); ++r) {
      const Index p = a.neighbors_of(i)[r], q = b.neighbors_of(i)[r];
      const double d = a.distances_of(i)[r], e = b.distances_of(i)[r];
      if (p == q && d == e) continue;
      char text[200];
      std::snprintf(text, sizeof text, "row %td rank %zu: %td at %.17g and %td at %.17g",
                    static_cast<std::ptrdiff_t>(i), r, static_cast<std::ptrdiff_t>(p), d,
                    static_cast<std::ptrdiff_t>(q), e);
      return text;
    }
  }
  return "the same";
}

}  // namespace unroll::naive
