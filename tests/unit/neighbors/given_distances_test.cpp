#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "support/expect_error.h"
#include "support/naive_neighbors.h"
#include "support/not_finite.h"
#include "support/point_clouds.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

double euclidean(std::span<const double> x, std::span<const double> y) {
  double squares = 0;
  for (std::size_t j = 0; j < x.size(); ++j) squares += (x[j] - y[j]) * (x[j] - y[j]);
  return std::sqrt(squares);
}

Array2<double> distance_matrix(const Array2<double>& x) {
  Array2<double> distances(x.rows(), x.rows());
  const auto d = static_cast<std::size_t>(x.cols());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.rows(); ++j) distances(i, j) = euclidean({x.row(i), d}, {x.row(j), d});
  return distances;
}

/// The nearest by the matrix, plainly: sorted rows.
NeighborGraph nearest_by(const Array2<double>& distances, Index k, double radius = kInfinity) {
  NeighborGraph graph;
  for (Index i = 0; i < distances.rows(); ++i) {
    std::vector<std::pair<double, Index>> others;
    for (Index j = 0; j < distances.cols(); ++j)
      if (j != i && distances(i, j) <= radius) others.emplace_back(distances(i, j), j);
    std::sort(others.begin(), others.end());
    for (Index r = 0; r < std::min(k, static_cast<Index>(others.size())); ++r) {
      graph.distances.push_back(others[static_cast<std::size_t>(r)].first);
      graph.neighbors.push_back(others[static_cast<std::size_t>(r)].second);
    }
    graph.offsets.push_back(graph.edges());
  }
  return graph;
}

Array2<double> example() { return distance_matrix(normal_matrix(40, 3, 1)); }
const NeighborOptions kPrecomputed{.n_neighbors = 4, .metric = Metric::Precomputed};

SparseMatrix sparse(Index rows, Index cols, const std::vector<std::vector<std::pair<Index, double>>>& entries) {
  SparseMatrix matrix{.rows = rows, .cols = cols};
  for (const auto& row : entries) {
    for (const auto& [column, value] : row) {
      matrix.columns.push_back(column);
      matrix.values.push_back(value);
    }
    matrix.offsets.push_back(static_cast<Index>(matrix.columns.size()));
  }
  return matrix;
}

SparseMatrix all_of(const Array2<double>& distances) {
  std::vector<std::vector<std::pair<Index, double>>> rows(static_cast<std::size_t>(distances.rows()));
  for (Index i = 0; i < distances.rows(); ++i)
    for (Index j = 0; j < distances.cols(); ++j) rows[static_cast<std::size_t>(i)].emplace_back(j, distances(i, j));
  return sparse(distances.rows(), distances.cols(), rows);
}

TEST(GivenDistances, DenseSparseAndAFunctionTellTheSame) {
  for (const Array2<double>& x : {normal_matrix(70, 3, 2), lattice(70, 2, 4, 3), with_duplicates(70, 3, 9, 4)}) {
    const Array2<double> distances = distance_matrix(x);
    for (const Index k : {1, 5, 60, 69}) {
      const NeighborGraph expected = nearest_by(distances, k);
      const NeighborOptions options{.n_neighbors = k, .metric = Metric::Precomputed};
      EXPECT_TRUE(naive::same_bytes(neighbors(distances, options).graph, expected));
      EXPECT_TRUE(naive::same_bytes(neighbors(all_of(distances), options).graph, expected));
      EXPECT_TRUE(naive::same_bytes(neighbors_by(x, euclidean, options).graph, expected));
      for (const int threads : {2, 3, 8}) {
        EXPECT_TRUE(naive::same_bytes(neighbors(distances, options, {.threads = threads}).graph, expected));
        EXPECT_TRUE(naive::same_bytes(neighbors_by(x, euclidean, options, {.threads = threads}).graph, expected));
      }
    }
    for (const double radius : {0.0, 1.0, 100.0}) {
      const NeighborOptions options{.radius = radius, .metric = Metric::Precomputed};
      const NeighborGraph expected = nearest_by(distances, 1000, radius);
      EXPECT_TRUE(naive::same_bytes(neighbors(distances, options).graph, expected));
      EXPECT_TRUE(naive::same_bytes(neighbors(all_of(distances), options).graph, expected));
      EXPECT_TRUE(naive::same_bytes(neighbors_by(x, euclidean, options).graph, expected));
    }
  }
}

TEST(GivenDistances, FloatsCount) {
  const Array2<float> distances = as_float(example());
  Array2<double> exact(40, 40);
  for (Index i = 0; i < exact.size(); ++i) exact.data()[i] = distances.data()[i];
  EXPECT_TRUE(naive::same_bytes(neighbors(distances, kPrecomputed).graph, nearest_by(exact, 4)));
}

TEST(GivenDistances, AreTakenAsTheyAre) {
  // No metric, and of any size.
  Array2<double> distances(4, 4);
  const std::vector<double> values{5e-324, 1e300, 3 * 5e-324, 1e-320, 2.5, 1.7976931348623157e308};
  std::size_t next = 0;
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < i; ++j) distances(i, j) = distances(j, i) = values[next++];
  const NeighborGraph graph = neighbors(distances, {.n_neighbors = 3, .metric = Metric::Precomputed}).graph;
  EXPECT_TRUE(naive::same_bytes(graph, nearest_by(distances, 3)))
      << naive::first_difference(graph, nearest_by(distances, 3));
}

TEST(GivenDistances, SymmetricButForRounding) {
  Array2<double> distances = example();
  distances(3, 7) = std::nextafter(distances(3, 7), 10);
  distances(9, 2) *= 1 + 1e-12;
  const NeighborGraph graph = neighbors(distances, {.n_neighbors = 39, .metric = Metric::Precomputed}).graph;
  Array2<double> found(40, 40);
  for (Index i = 0; i < 40; ++i)
    for (std::size_t r = 0; r < 39; ++r) found(i, graph.neighbors_of(i)[r]) = graph.distances_of(i)[r];
  EXPECT_EQ(found, transposed(found));
  EXPECT_LT(relative_difference(found, distances), 1e-11);
}

TEST(GivenDistances, BadMatricesAreRefused) {
  const auto expect_refused = [](const Array2<double>& distances, const std::string& words) {
    expect_error(ErrorKind::InvalidData, words, [&] { neighbors(distances, kPrecomputed); });
  };
  Array2<double> bad = example();
  bad(2, 5) = bad(5, 2) * (1 + 1e-9);
  EXPECT_NO_THROW(neighbors(example(), kPrecomputed));
  expect_refused(bad, "neighbors: the distance between points 3 and 6 is ");
  expect_refused(bad, "the array must be symmetric; average it with its transpose");
  bad = example();
  bad(4, 9) = bad(9, 4) = -0.25;
  expect_refused(bad, "between points 5 and 10 is -0.25, but all distances must be positive or zero");
  bad = example();
  bad(6, 6) = 1;
  expect_refused(bad, "between points 7 and 7 is 1, but a point has no distance from itself");
  bad = example();
  bad(6, 8) = kNan;
  expect_refused(bad, "row 7 contains NaN in column 9");
  bad(6, 8) = kInfinity;
  expect_refused(bad, "infinity");
  expect_refused(Array2<double>(40, 39), "needs a square distance matrix, not one of 40 x 39");
  expect_refused(Array2<double>(1, 1), "1 sample(s)");
  // As negative zeros and zeros off the diagonal are not.
  Array2<double> zeros(6, 6);
  zeros(3, 3) = -0.0;
  EXPECT_EQ(neighbors(zeros, kPrecomputed).graph.neighbors_of(0)[3], 4);
}

TEST(GivenDistances, OptionsAreCheckedWithThem) {
  for (const Index k : {40, 41})
    expect_error(ErrorKind::InvalidOption, "must be less than the number of points, 40",
                 [&] { neighbors(example(), {.n_neighbors = k, .metric = Metric::Precomputed}); });
  expect_error(ErrorKind::InvalidOption, "must be less than the number of points, 40",
               [&] { neighbors(all_of(example()), {.n_neighbors = 40}); });
  expect_error(ErrorKind::InvalidOption, "radius=-1", [&] { neighbors(all_of(example()), {.radius = -1}); });
}

TEST(GivenDistances, ZerosThatAreThereAreEdges) {
  const SparseMatrix distances = sparse(3, 3, {{{1, 0.0}, {2, 4.0}}, {{0, 0.0}, {2, 3.0}}, {{0, 4.0}, {1, 3.0}}});
  const NeighborGraph graph = neighbors(distances, {.n_neighbors = 2}).graph;
  EXPECT_EQ(graph, (NeighborGraph{{0, 2, 4, 6}, {1, 2, 0, 2, 1, 0}, {0, 4, 0, 3, 3, 4}}));
}

TEST(GivenDistances, EntriesOfAPointWithItselfDoNotCount) {
  const SparseMatrix distances = sparse(3, 3, {{{0, 0.0}, {1, 1.0}}, {{0, 1.0}, {1, 0.0}}, {{1, 2.0}, {2, 0.0}}});
  const NeighborGraph graph = neighbors(distances, {.n_neighbors = 1}).graph;
  EXPECT_EQ(graph, (NeighborGraph{{0, 1, 2, 3}, {1, 0, 1}, {1, 1, 2}}));
  expect_error(ErrorKind::InvalidData, "some samples have only 1", [&] { neighbors(distances, {.n_neighbors = 2}); });
}

TEST(GivenDistances, SparseOnesWithTooFewEntries) {
  const SparseMatrix distances = sparse(4, 4, {{{1, 1.0}, {2, 2.0}}, {{0, 1.0}, {3, 0.5}}, {}, {{1, 0.5}}});
  expect_error(
      ErrorKind::InvalidData,
      "2 neighbors per samples are required, but some samples have only 0 (point 3); use a smaller n_neighbors",
      [&] { neighbors(distances, {.n_neighbors = 2}); });
  // A radius takes what is there.
  EXPECT_EQ(neighbors(distances, {.radius = 1}).graph,
            (NeighborGraph{{0, 1, 3, 3, 4}, {1, 3, 0, 1}, {1, 0.5, 1, 0.5}}));
  EXPECT_EQ(neighbors(distances, {.n_neighbors = 1, .radius = 9}).graph,
            (NeighborGraph{{0, 1, 2, 2, 3}, {1, 3, 1}, {1, 0.5, 0.5}}));
}

TEST(GivenDistances, BadSparseMatricesAreRefused) {
  const auto expect_refused = [](const SparseMatrix& distances, const std::string& words) {
    expect_error(ErrorKind::InvalidData, words, [&] { neighbors(distances, {.n_neighbors = 1}); });
  };
  expect_refused(sparse(2, 2, {{{1, -1.0}}, {{0, 1.0}}}),
                 "points 1 and 2 is -1, but all distances must be positive or zero");
  expect_refused(sparse(2, 2, {{{1, 1.0}}, {{0, kNan}}}), "points 2 and 1 is nan, which is not a finite number");
  expect_refused(sparse(2, 2, {{{1, kInfinity}}, {{0, 1.0}}}), "not a finite number");
  expect_refused(sparse(2, 3, {{{1, 1.0}}, {{0, 1.0}}}), "not one of 2 x 3");
  expect_refused(sparse(1, 1, {{}}), "a minimum of 2");
}

TEST(DistanceFunction, ExceptionsArrive) {
  const Array2<double> x = normal_matrix(100, 2, 5);
  for (const int threads : {1, 3}) {
    std::atomic<int> calls = 0;
    const DistanceFunction thrower = [&](auto, auto) -> double {
      if (++calls > 500) throw std::domain_error("no such distance");
      return 1;
    };
    try {
      neighbors_by(x, thrower, {.n_neighbors = 3}, {.threads = threads});
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::domain_error& error) {
      EXPECT_STREQ(error.what(), "no such distance");
    }
  }
}

TEST(DistanceFunction, WhatIsNoDistanceIsRefused) {
  const Array2<double> x = normal_matrix(30, 2, 6);
  const auto expect_refused = [&](double value, const std::string& words) {
    expect_error(ErrorKind::InvalidData, words, [&] {
      neighbors_by(x, [&](auto a, auto) { return a[0] == x(0, 0) ? value : 1.0; }, {.n_neighbors = 3}, {.threads = 1});
    });
  };
  expect_refused(kNan, "points 1 and 2 is nan, by the function given: it must be a finite number");
  expect_refused(kInfinity, "is inf, by the function given");
  expect_refused(-2, "points 1 and 2 is -2, but all distances must be positive or zero");
  expect_error(ErrorKind::InvalidData, "the other way: the function must be symmetric",
               [&] { neighbors_by(x, [](auto a, auto b) { return a[0] > b[0] ? 1.0 : 2.0; }, {.n_neighbors = 3}); });
}

TEST(DistanceFunction, GetsTheRowsAsDoubles) {
  const Array2<float> x = as_float(normal_matrix(12, 5, 7));
  const NeighborGraph graph = neighbors_by(x,
                                           [&](std::span<const double> a, std::span<const double> b) {
                                             EXPECT_EQ(a.size(), 5U);
                                             return euclidean(a, b);
                                           },
                                           {.n_neighbors = 4}, {.threads = 1})
                                  .graph;
  naive::expect_graph(graph, x, {.n_neighbors = 4});
}

TEST(SparseDistances, BrokenMatricesAreRefused) {
  const SparseMatrix good{2, 2, {0, 1, 2}, {1, 0}, {3, 3}};
  EXPECT_EQ(neighbors(good, {.n_neighbors = 1}).graph.edges(), 2);
  const auto expect_broken = [&](SparseMatrix broken) {
    expect_error(ErrorKind::InvalidData, "the sparse matrix is broken", [&] { neighbors(broken, {.n_neighbors = 1}); });
  };
  expect_broken({2, 2, {0, 1}, {1, 0}, {3, 3}});
  expect_broken({2, 2, {0, 2, 1}, {1, 0}, {3, 3}});
  expect_broken({2, 2, {0, 1, 3}, {1, 0}, {3, 3}});
  expect_broken({2, 2, {0, 1, 2}, {2, 0}, {3, 3}});
  expect_broken({2, 2, {0, 1, 2}, {-1, 0}, {3, 3}});
  expect_broken({2, 2, {0, 2, 2}, {1, 1}, {3, 3}});
  expect_broken({2, 2, {0, 1, 2}, {1, 0}, {3}});
}

TEST(SparseDistances, MustNotContradictThemselves) {
  expect_error(ErrorKind::InvalidData, "must be symmetric", [] {
    neighbors(SparseMatrix{2, 2, {0, 1, 2}, {1, 0}, {3, 4}}, {.n_neighbors = 1});
  });
  expect_error(ErrorKind::InvalidData, "no distance from itself", [] {
    neighbors(SparseMatrix{2, 2, {0, 2, 3}, {0, 1, 0}, {5, 3, 3}}, {.n_neighbors = 1});
  });
}

TEST(RadiusGraph, IsRefusedWhenItOutgrowsTheBudget) {
  const Array2<double> x = normal_matrix(2000, 3, 8);
  expect_error(ErrorKind::OutOfMemory, "use a smaller radius",
               [&] { neighbors(x, {.radius = 100}, {.memory_budget = std::uint64_t{32} << 20}); });
}

}  // namespace
}  // namespace unroll
