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

/// Neighbours by the definitions of the metrics alone: plain loops in long double, whose range takes squares of anything
/// that a double can be. Nothing here is shared with the searches under test.
namespace unroll::naive {

using Real = long double;


/// 1 - cos of the angle, by the chord between the unit vectors: the textbook's 1 - x.y has no digits at small angles.
inline Real cosine(std::vector<Real> x, std::vector<Real> y) {
  const auto length = [](const std::vector<Real>& v) {
    Real squares = 0;
    for (const Real e : v) squares += e * e;
    return std::sqrt(squares);
  };
  const Real lx = length(x), ly = length(y);
  if (lx == 0 || ly == 0) return lx == ly ? 0 : 1;
  Real squares = 0;
  for (std::size_t j = 0; j < x.size(); ++j) squares += (x[j] / lx - y[j] / ly) * (x[j] / lx - y[j] / ly);
  return squares / 2;
}

inline void center(std::vector<Real>& x) {
  Real sum = 0, largest = 0;
  for (const Real e : x) {
    sum += e;
    largest = std::max(largest, std::abs(e));
  }
  const Real mean = sum / static_cast<Real>(x.size());
  for (Real& e : x) {
    e -= mean;
    if (std::abs(e) < 1e-17L * largest) e = 0;  // a constant row is zero, not rounding
  }
}

inline Real haversine(const std::vector<Real>& x, const std::vector<Real>& y) {
  const Real a = std::sin((x[0] - y[0]) / 2), b = std::sin((x[1] - y[1]) / 2);
  return 2 * std::asin(std::sqrt(std::min(1.0L, a * a + std::cos(x[0]) * std::cos(y[0]) * b * b)));
}

inline Real jaccard(const std::vector<Real>& x, const std::vector<Real>& y) {
  int both = 0, either = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (x[j] != 0 && y[j] != 0) ++both;
    if (x[j] != 0 || y[j] != 0) ++either;
  }
  return either == 0 ? 0 : 1 - static_cast<Real>(both) / static_cast<Real>(either);
}

inline Real distance(std::vector<Real> x, std::vector<Real> y, Metric metric, double p) {
  if (metric == Metric::Correlation) {
    center(x);
    center(y);
  }
  if (metric == Metric::Cosine || metric == Metric::Correlation) return cosine(x, y);
  if (metric == Metric::Haversine) return haversine(x, y);
  if (metric == Metric::Jaccard) return jaccard(x, y);
  Real sum = 0, largest = 0, differing = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const Real d = std::abs(x[j] - y[j]);
    sum += metric == Metric::Euclidean ? d * d : metric == Metric::Minkowski ? std::pow(d, static_cast<Real>(p)) : d;
    largest = std::max(largest, d);
    if (d != 0) ++differing;
  }
  switch (metric) {
    case Metric::Manhattan: return sum;
    case Metric::Chebyshev: return largest;
    case Metric::Minkowski: return std::pow(sum, 1 / static_cast<Real>(p));
    case Metric::Hamming: return differing / static_cast<Real>(x.size());
    default: return std::sqrt(sum);
  }
}

inline std::vector<Real> row_of(PointsView points, Index i) {
  return points.visit([&](auto x) { return std::vector<Real>(x.row(i), x.row(i) + x.cols); });
}

inline Real distance(PointsView a, Index i, PointsView b, Index j, const NeighborOptions& options) {
  return distance(row_of(a, i), row_of(b, j), options.metric, options.p);
}

/// By how much a distance may be off for the rounding of double arithmetic alone.
inline Real rounding(Real distance, Metric metric) {
  const Real relative = 1e-13L * distance + 2 * std::numeric_limits<double>::denorm_min();
  // Half the squared chord between unit vectors whose coordinates are rounded.
  if (metric == Metric::Cosine || metric == Metric::Correlation) return relative + 4e-15L * std::sqrt(distance) + 1e-30L;
  // The arcsine has no digits where it is steep: at the antipodes.
  if (metric == Metric::Haversine)
    return relative + 1e-15L / std::max(1e-8L, std::cos(std::min(distance, std::numbers::pi_v<Real>) / 2));
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
  constexpr Index kEffort = 4'000'000;
  const Index affordable = std::max<Index>(8, kEffort / (points.rows() * points.cols()));
  const Index step = std::max<Index>(1, asked.rows() / affordable);
  for (Index i = 0; i < asked.rows(); i += step) {
    std::vector<Real> truth;
    for (Index j = 0; j < points.rows(); ++j) truth.push_back(distance(asked, i, points, j, options));
    SCOPED_TRACE(testing::Message() << "row " << i);
    expect_row(graph.neighbors_of(i), graph.distances_of(i), truth, queries ? kNobody : i, options);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Bit for bit.
inline bool same_bytes(const NeighborGraph& a, const NeighborGraph& b) {
  return a.offsets == b.offsets && a.neighbors == b.neighbors && a.distances.size() == b.distances.size() &&
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
      std::snprintf(text, sizeof text, "row %td rank %zu: %td at %.17g and %td at %.17g", static_cast<std::ptrdiff_t>(i),
                    r, static_cast<std::ptrdiff_t>(p), d, static_cast<std::ptrdiff_t>(q), e);
      return text;
    }
  }
  return "the same";
}

}  // namespace unroll::naive
