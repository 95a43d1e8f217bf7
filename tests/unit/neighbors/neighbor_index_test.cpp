#include "unroll/neighbors/neighbor_index.h"

#include <gtest/gtest.h>

#include "neighbors/group_search.h"
#include "support/expect_error.h"
#include "support/naive_neighbors.h"
#include "support/point_clouds.h"

namespace unroll {
namespace {

struct SearchCase {
  Metric metric;
  SearchAlgorithm algorithm;
  Index features;
};
const std::vector<SearchCase> kCases{
    {Metric::Euclidean, SearchAlgorithm::KdTree, 3},   {Metric::Euclidean, SearchAlgorithm::KdTree, 40},
    {Metric::Euclidean, SearchAlgorithm::Brute, 3},    {Metric::Euclidean, SearchAlgorithm::Brute, 80},
    {Metric::Manhattan, SearchAlgorithm::KdTree, 9},   {Metric::Chebyshev, SearchAlgorithm::Brute, 9},
    {Metric::Minkowski, SearchAlgorithm::KdTree, 5},   {Metric::Cosine, SearchAlgorithm::KdTree, 20},
    {Metric::Cosine, SearchAlgorithm::Brute, 70},      {Metric::Correlation, SearchAlgorithm::KdTree, 6},
    {Metric::Correlation, SearchAlgorithm::Brute, 20}, {Metric::Hamming, SearchAlgorithm::Auto, 12},
    {Metric::Jaccard, SearchAlgorithm::Brute, 12},     {Metric::Haversine, SearchAlgorithm::KdTree, 2},
    {Metric::Haversine, SearchAlgorithm::Brute, 2},    {Metric::Euclidean, SearchAlgorithm::Approximate, 10}};

NeighborOptions options_of(const SearchCase& setup, Index k) {
  return {.n_neighbors = k, .metric = setup.metric, .p = 3, .algorithm = setup.algorithm};
}

std::string name_of(const SearchCase& setup) {
  return std::string(unroll::name_of(setup.metric)) + ' ' + std::string(unroll::name_of(setup.algorithm)) + ' ' +
         std::to_string(setup.features);
}

Array2<double> points_for(const SearchCase& setup, Index rows, std::uint64_t seed) {
  if (setup.metric == Metric::Hamming || setup.metric == Metric::Jaccard) return lattice(rows, setup.features, 3, seed);
  return normal_matrix(rows, setup.features, seed);
}

template <class T>
Array2<T> rows_of(const Array2<T>& x, Index first, Index count) {
  Array2<T> some(count, x.cols());
  std::copy_n(x.row(first), some.size(), some.data());
  return some;
}

NeighborGraph one_row(const NeighborGraph& graph, Index i) {
  const auto n = graph.neighbors_of(i);
  const auto d = graph.distances_of(i);
  return {{0, graph.degree(i)}, {n.begin(), n.end()}, {d.begin(), d.end()}};
}

TEST(NeighborIndex, NearestOfNewRows) {
  for (const SearchCase& setup : kCases) {
    SCOPED_TRACE(name_of(setup));
    const Array2<double> x = points_for(setup, 300, 1), queries = points_for(setup, 40, 2);
    for (NeighborOptions options : {options_of(setup, 7), options_of(setup, 299), options_of(setup, 1)}) {
      const NeighborIndex index(x, options);
      naive::expect_graph(index.nearest(queries), x, options, queries);
      if (setup.algorithm == SearchAlgorithm::Approximate) continue;
      options.n_neighbors.reset();
      options.radius = 0.8;
      naive::expect_graph(NeighborIndex(x, options).nearest(queries), x, options, queries);
      options.n_neighbors = 4;
      naive::expect_graph(NeighborIndex(x, options).nearest(queries), x, options, queries);
    }
  }
}

TEST(NeighborIndex, KeepsTheGraphAndItsReach) {
  const Array2<double> x = normal_matrix(90, 4, 3);
  const NeighborIndex index(x, {.n_neighbors = 5});
  EXPECT_EQ(index.size(), 90);
  EXPECT_EQ(index.n_features(), 4);
  EXPECT_TRUE(naive::same_bytes(index.graph(), neighbors(x, {.n_neighbors = 5}).graph));
  for (Index i = 0; i < 90; ++i)
    EXPECT_EQ(index.reach()[static_cast<std::size_t>(i)], index.graph().distances_of(i)[4]);
  const NeighborIndex same(x, index.graph(), {.n_neighbors = 5});
  EXPECT_TRUE(naive::same_bytes(same.adjacent(x), index.adjacent(x)));
  expect_error(ErrorKind::InvalidData, "does not belong to",
               [&] { NeighborIndex(rows_of(x, 0, 89), index.graph(), {.n_neighbors = 5}); });
}

TEST(NeighborIndex, WithoutAGraphFindsTheSameNearest) {
  for (const SearchCase& setup : kCases) {
    const Array2<double> x = points_for(setup, 60, 1), queries = points_for(setup, 20, 2);
    const NeighborIndex index(x, options_of(setup, 5)), lookup = NeighborIndex::without_graph(x, options_of(setup, 5));
    EXPECT_TRUE(naive::same_bytes(lookup.nearest(queries), index.nearest(queries))) << name_of(setup);
    EXPECT_EQ(lookup.size(), 60);
    EXPECT_EQ(lookup.graph().size(), 0);
    expect_error(ErrorKind::Unsupported, "without a graph", [&] { lookup.adjacent(queries); });
  }
  const Array2<double> x = normal_matrix(30, 3, 1);
  Array2<double> distances(30, 30);
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 30; ++j)
      for (Index k = 0; k < 3; ++k) distances(i, j) += std::abs(x(i, k) - x(j, k));
  const NeighborOptions given{.n_neighbors = 4, .metric = Metric::Precomputed};
  EXPECT_TRUE(naive::same_bytes(NeighborIndex::without_graph(distances, given).nearest(distances),
                                NeighborIndex(distances, given).nearest(distances)));
}

TEST(NeighborIndex, ARowAloneIsARowInABatch) {
  for (const SearchCase& setup : kCases) {
    SCOPED_TRACE(name_of(setup));
    const Array2<double> x = points_for(setup, 300, 4);
    Array2<double> queries = points_for(setup, 230, 5);
    const bool is_place = setup.metric == Metric::Haversine;
    for (Index i = 0; i < queries.rows(); i += 9)  // rows of very different size beside each other
      for (Index j = 0; j < queries.cols(); ++j) queries(i, j) *= is_place ? 0.1 : 1e6;
    std::copy_n(x.row(17), x.cols(), queries.row(100));
    const NeighborIndex index(x, options_of(setup, 6));
    const NeighborGraph nearest = index.nearest(queries), adjacent = index.adjacent(queries);
    for (Index q = 0; q < queries.rows(); q += 3) {
      const Array2<double> alone = rows_of(queries, q, 1);
      ASSERT_TRUE(naive::same_bytes(index.nearest(alone), one_row(nearest, q)))
          << q << ": " << naive::first_difference(index.nearest(alone), one_row(nearest, q));
      ASSERT_TRUE(naive::same_bytes(index.adjacent(alone), one_row(adjacent, q)))
          << q << ": " << naive::first_difference(index.adjacent(alone), one_row(adjacent, q));
    }
    for (const int threads : {1, 3, 8}) {
      EXPECT_TRUE(naive::same_bytes(index.nearest(queries, {.threads = threads}), nearest));
      EXPECT_TRUE(naive::same_bytes(index.adjacent(queries, {.threads = threads}), adjacent));
    }
  }
}

/// Adjacent are a row's neighbours and the points that reach as far: by the definition, from distances of the index's
/// own (all of them, from another index).
TEST(NeighborIndex, AdjacentByTheDefinition) {
  for (const SearchCase& setup : kCases) {
    if (setup.algorithm == SearchAlgorithm::Approximate) continue;
    SCOPED_TRACE(name_of(setup));
    const Array2<double> x = points_for(setup, 220, 6), queries = points_for(setup, 50, 7);
    const NeighborIndex index(x, options_of(setup, 5)), everybody(x, options_of(setup, 219));
    const NeighborGraph nearest = index.nearest(queries), adjacent = index.adjacent(queries);
    const NeighborGraph all = everybody.nearest(queries);
    for (Index q = 0; q < queries.rows(); ++q) {
      if (all.distances_of(q)[0] == 0) continue;
      std::vector<std::pair<double, Index>> expected;
      for (std::size_t r = 0; r < all.neighbors_of(q).size(); ++r) {
        const Index j = all.neighbors_of(q)[r];
        if (r < 5 || all.distances_of(q)[r] <= index.reach()[static_cast<std::size_t>(j)])
          expected.emplace_back(all.distances_of(q)[r], j);
      }
      std::vector<std::pair<double, Index>> found;
      for (std::size_t r = 0; r < adjacent.neighbors_of(q).size(); ++r)
        found.emplace_back(adjacent.distances_of(q)[r], adjacent.neighbors_of(q)[r]);
      ASSERT_EQ(found, expected) << "row " << q;
      ASSERT_TRUE(
          std::equal(nearest.neighbors_of(q).begin(), nearest.neighbors_of(q).end(), adjacent.neighbors_of(q).begin()));
    }
  }
}

/// For a row of the points themselves: its row of the union graph, and itself at distance 0.
void expect_union_rows(PointsView points, const NeighborIndex& index) {
  const NeighborGraph united = symmetrized(index.graph(), Symmetrization::Union);
  const NeighborGraph adjacent = index.adjacent(points);
  for (Index i = 0; i < index.size(); ++i) {
    std::vector<std::pair<double, Index>> expected{{0, i}}, found;
    for (std::size_t r = 0; r < united.neighbors_of(i).size(); ++r)
      expected.emplace_back(united.distances_of(i)[r], united.neighbors_of(i)[r]);
    for (std::size_t r = 0; r < adjacent.neighbors_of(i).size(); ++r)
      found.emplace_back(adjacent.distances_of(i)[r], adjacent.neighbors_of(i)[r]);
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(found, expected) << "point " << i;
  }
}

TEST(NeighborIndex, AdjacentToItsOwnRowsIsTheUnionGraph) {
  for (const SearchCase& setup : kCases) {
    if (setup.algorithm == SearchAlgorithm::Approximate) continue;                     // its graph is not exact
    if (setup.metric == Metric::Hamming || setup.metric == Metric::Jaccard) continue;  // ties: see below
    SCOPED_TRACE(name_of(setup));
    const Array2<double> x = points_for(setup, 300, 8);
    for (const Index k : {1, 7, 299}) expect_union_rows(x, NeighborIndex(x, options_of(setup, k)));
    const Array2<float> single = as_float(x);
    expect_union_rows(single, NeighborIndex(single, options_of(setup, 7)));
    NeighborOptions options = options_of(setup, 7);
    options.n_neighbors.reset();
    options.radius = 0.5;
    expect_union_rows(x, NeighborIndex(x, options));
    options.n_neighbors = 3;
    expect_union_rows(x, NeighborIndex(x, options));
  }
}

TEST(NeighborIndex, AdjacentToRowsThatExistTwice) {
  for (const SearchCase& setup : kCases) {
    if (setup.algorithm == SearchAlgorithm::Approximate) continue;
    if (setup.metric == Metric::Hamming || setup.metric == Metric::Jaccard) continue;
    SCOPED_TRACE(name_of(setup));
    // As many copies as leave something to be found beside them.
    const Array2<double> base = points_for(setup, 100, 9);
    Array2<double> x(250, setup.features);
    for (Index i = 0; i < x.rows(); ++i) std::copy_n(base.row(i % 100), x.cols(), x.row(i));
    for (const Index k : {1, 2}) {
      // Points at the limit tie with their copies: what is adjacent holds all of them.
      const NeighborIndex index(x, options_of(setup, k));
      const NeighborGraph united = symmetrized(index.graph(), Symmetrization::Union), adjacent = index.adjacent(x);
      for (Index i = 0; i < x.rows(); ++i) {
        std::vector<bool> is_united(250);
        for (const Index j : united.neighbors_of(i)) is_united[static_cast<std::size_t>(j)] = true;
        Index expected = 0;
        for (std::size_t r = 0; r < adjacent.neighbors_of(i).size(); ++r) {
          const Index j = adjacent.neighbors_of(i)[r];
          const double d = adjacent.distances_of(i)[r];
          if (is_united[static_cast<std::size_t>(j)]) {
            ++expected;
          } else if (j == i) {
            EXPECT_EQ(d, 0);
          } else {
            EXPECT_TRUE(d == index.reach()[static_cast<std::size_t>(j)] ||
                        d == index.reach()[static_cast<std::size_t>(i)])
                << i << " and " << j << " at " << d;
          }
        }
        EXPECT_EQ(expected, united.degree(i)) << "point " << i;
        const auto row = adjacent.neighbors_of(i);
        EXPECT_NE(std::find(row.begin(), row.end(), i), row.end()) << "point " << i;
      }
    }
  }
}

TEST(NeighborIndex, AmongGivenDistances) {
  const Array2<double> x = normal_matrix(60, 3, 10), fresh = normal_matrix(11, 3, 11);
  const auto matrix = [](const Array2<double>& a, const Array2<double>& b) {
    Array2<double> distances(a.rows(), b.rows());
    const naive::Rows left(a, Metric::Euclidean), right(b, Metric::Euclidean);
    for (Index i = 0; i < a.rows(); ++i)
      for (Index j = 0; j < b.rows(); ++j)
        distances(i, j) = static_cast<double>(std::sqrt(naive::squared(left.row(i), right.row(j), a.cols())));
    return distances;
  };
  const Array2<double> own = matrix(x, x), rows = matrix(fresh, x);
  for (const Index k : {1, 6, 59}) {
    const NeighborOptions options{.n_neighbors = k, .metric = Metric::Precomputed};
    const NeighborIndex index(own, options);
    expect_union_rows(own, index);
    naive::expect_graph(index.nearest(rows), x, {.n_neighbors = k}, fresh);
    const NeighborGraph of_points = NeighborIndex(x, {.n_neighbors = k}).adjacent(fresh);
    EXPECT_EQ(index.adjacent(rows).neighbors, of_points.neighbors);
  }
  const NeighborIndex index(own, {.n_neighbors = 6, .metric = Metric::Precomputed});
  Array2<double> bad = rows;
  bad(3, 4) = -1;
  expect_error(ErrorKind::InvalidData,
               "row 4 has the distance -1 in column 5, but all distances must be positive or zero",
               [&] { index.nearest(bad); });
  expect_error(ErrorKind::InvalidData, "X has 3 features, but the index is expecting 60 features as input",
               [&] { index.nearest(fresh); });
}

TEST(NeighborIndex, RowsOfTheOtherType) {
  const Array2<double> x = normal_matrix(250, 6, 12), fresh = normal_matrix(30, 6, 13);
  const Array2<float> x_float = as_float(x), fresh_float = as_float(fresh);
  Array2<double> fresh_rounded(30, 6);
  std::copy_n(fresh_float.data(), fresh.size(), fresh_rounded.data());
  for (const auto algorithm : {SearchAlgorithm::KdTree, SearchAlgorithm::Brute}) {
    const NeighborOptions options{.n_neighbors = 5, .algorithm = algorithm};
    naive::expect_graph(NeighborIndex(x, options).nearest(fresh_float), x, options, fresh_float);
    const NeighborIndex of_floats(x_float, options);
    EXPECT_TRUE(naive::same_bytes(of_floats.nearest(fresh_rounded), of_floats.nearest(fresh_float)));
    naive::expect_graph(of_floats.nearest(fresh_float), x_float, options, fresh_float);
  }
}

TEST(NeighborIndex, RowsBeyondSinglePrecision) {
  const NeighborIndex index(as_float(normal_matrix(50, 4, 14)), {.n_neighbors = 5});
  Array2<double> bad = normal_matrix(5, 4, 15);
  bad(2, 3) = -1e39;
  for (const bool adjacent : {false, true})
    expect_error_of_row(ErrorKind::InvalidData, 2, "row 3 has -1e+39 in column 4, too large for the single precision",
                        [&] { adjacent ? index.adjacent(bad) : index.nearest(bad); });
}

TEST(NeighborIndex, RowsThatDoNotFit) {
  const NeighborIndex index(normal_matrix(50, 4, 14), {.n_neighbors = 5});
  expect_error(ErrorKind::InvalidData, "X has 3 features, but the index is expecting 4 features as input",
               [&] { index.nearest(normal_matrix(5, 3, 15)); });
  expect_error(ErrorKind::InvalidData, "X has 5 features", [&] { index.adjacent(normal_matrix(5, 5, 15)); });
  Array2<double> bad = normal_matrix(5, 4, 15);
  bad(2, 3) = std::numeric_limits<double>::quiet_NaN();
  expect_error_of_row(ErrorKind::InvalidData, 2, "row 3 contains NaN in column 4", [&] { index.nearest(bad); });
  expect_error(ErrorKind::InvalidOption, "must be less than the number of points",
               [] { NeighborIndex(normal_matrix(5, 4, 16), {.n_neighbors = 5}); });
}

/// Rows far beyond all points, alone and among ordinary ones: found right, or refused, never found wrong.
TEST(NeighborIndex, RowsMuchLargerThanThePoints) {
  for (const Index d : {2, 40, 80})
    for (const auto algorithm : {SearchAlgorithm::KdTree, SearchAlgorithm::Brute})
      for (const bool single : {false, true})
        for (const double factor : {1e10, 1e18, 1e25, 1e38, 1e100}) {
          SCOPED_TRACE(testing::Message()
                       << d << ' ' << unroll::name_of(algorithm) << (single ? " float " : " ") << factor);
          const Array2<double> x = normal_matrix(230, d, 17);
          const Array2<float> x_float = as_float(x);
          Array2<double> queries = normal_matrix(20, d, 18);
          for (Index i = 0; i < 20; i += 4)
            for (Index j = 0; j < d; ++j) queries(i, j) *= factor;
          const NeighborOptions options{.n_neighbors = 5, .algorithm = algorithm};
          const NeighborIndex index(single ? PointsView(x_float) : PointsView(x), options);
          try {
            const NeighborGraph nearest = index.nearest(queries);
            for (const double distance : nearest.distances) ASSERT_TRUE(std::isfinite(distance));
            if (!single) naive::expect_graph(nearest, x, options, queries);
            for (Index q = 0; q < 20; ++q) {
              ASSERT_EQ(nearest.degree(q), 5);
              const Array2<double> alone = rows_of(queries, q, 1);
              ASSERT_TRUE(naive::same_bytes(index.nearest(alone), one_row(nearest, q))) << q;
              ASSERT_TRUE(naive::same_bytes(index.adjacent(alone), one_row(index.adjacent(queries), q))) << q;
            }
          } catch (const Error& error) {
            EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::InvalidData)) << error.what();
            EXPECT_GT(factor, 1e37) << error.what();
          }
        }
  for (const Metric metric : {Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev, Metric::Minkowski})
    expect_error_of_row(
        ErrorKind::InvalidData, 3, "row 4 is more than 1e+120 times as large as the training points", [&] {
          Array2<double> queries = normal_matrix(5, 3, 20);
          queries(3, 1) = 1e200;
          NeighborIndex(normal_matrix(50, 3, 19), {.n_neighbors = 5, .metric = metric}).nearest(queries);
        });
  // Directions have no unit.
  EXPECT_EQ(NeighborIndex(normal_matrix(50, 3, 19), {.n_neighbors = 5, .metric = Metric::Cosine})
                .nearest(scaled_by(normal_matrix(5, 3, 20), 1e200))
                .edges(),
            25);
}

TEST(NeighborIndex, RowsMuchSmallerThanThePoints) {
  for (const Index d : {2, 40, 80})
    for (const double factor : {1e-30, 1e-200, 1e-300}) {
      const Array2<double> x = normal_matrix(230, d, 21), queries = scaled_by(normal_matrix(20, d, 22), factor);
      for (const auto algorithm : {SearchAlgorithm::KdTree, SearchAlgorithm::Brute}) {
        const NeighborOptions options{.n_neighbors = 5, .algorithm = algorithm};
        naive::expect_graph(NeighborIndex(x, options).nearest(queries), x, options, queries);
      }
    }
}

TEST(NeighborIndex, ClustersFarApart) {
  for (const Index d : {3, 50, 100})
    for (const auto algorithm : {SearchAlgorithm::KdTree, SearchAlgorithm::Brute}) {
      SCOPED_TRACE(testing::Message() << d << ' ' << unroll::name_of(algorithm));
      const Array2<double> x = two_clusters(250, 150, d, 1e-9, 1e3, 23);
      Array2<double> queries = two_clusters(20, 15, d, 1e-9, 1e3, 24);
      const NeighborOptions options{.n_neighbors = 5, .algorithm = algorithm};
      const NeighborIndex index(x, options);
      naive::expect_graph(index.nearest(queries), x, options, queries);
      expect_union_rows(x, index);
    }
}

TEST(NeighborIndex, OutlivesThePoints) {
  std::unique_ptr<NeighborIndex> copy;
  const Array2<double> queries = normal_matrix(9, 3, 26);
  NeighborGraph expected;
  {
    const Array2<double> x = normal_matrix(80, 3, 25);
    const NeighborIndex index(x, {.n_neighbors = 4});
    expected = index.nearest(queries);
    copy = std::make_unique<NeighborIndex>(index);
  }
  EXPECT_TRUE(naive::same_bytes(copy->nearest(queries), expected));
}

/// The nearest point of another group, which is how the parts of a graph are connected.
TEST(ForeignNeighbors, ByTheDefinition) {
  for (const SearchCase& setup : kCases) {
    SCOPED_TRACE(name_of(setup));
    const Array2<double> x = points_for(setup, 240, 27);
    NeighborOptions options = options_of(setup, 1);
    options.algorithm = SearchAlgorithm::Auto;
    std::vector<Index> group, queries;
    for (Index i = 0; i < x.rows(); ++i) {
      group.push_back(i % 7 == 0 ? 1 : i % 5 == 0 ? 2 : 0);
      if (i % 3 != 0) queries.push_back(i);
    }
    const auto found = nearest_of_other_groups(x, group, queries, options, {});
    ASSERT_EQ(found.size(), queries.size());
    const naive::Rows rows(x, setup.metric);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const std::vector<naive::Real> truth = naive::distances_from(rows, queries[q], rows, options);
      naive::Real nearest = std::numeric_limits<naive::Real>::infinity();
      for (Index j = 0; j < x.rows(); ++j)
        if (group[static_cast<std::size_t>(j)] != group[static_cast<std::size_t>(queries[q])])
          nearest = std::min(nearest, truth[static_cast<std::size_t>(j)]);
      const Index j = found[q].index;
      ASSERT_TRUE(j >= 0 && group[static_cast<std::size_t>(j)] != group[static_cast<std::size_t>(queries[q])]);
      const naive::Real slack = naive::rounding(nearest, setup.metric);
      ASSERT_LE(std::abs(truth[static_cast<std::size_t>(j)] - nearest), slack);
      ASSERT_LE(std::abs(static_cast<naive::Real>(found[q].distance) - nearest), slack);
    }
    const std::vector<Index> one_group(240, 4);
    EXPECT_EQ(nearest_of_other_groups(x, one_group, {3}, options, {})[0].index, -1);
  }
}

}  // namespace
}  // namespace unroll
