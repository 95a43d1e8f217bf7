#include "neighbors/sparse_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "neighbors/group_search.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/sparse_rows.h"
#include "unroll/neighbors/neighbor_index.h"

namespace unroll {
namespace {

/// Distances of whole numbers have no rounding: sparse rows must have the neighbours of the dense ones, bit for bit.
TEST(SparseSearch, FindsTheNeighborsOfTheDenseRows) {
  for (const Index rows : {5, 60, 700}) {
    const Array2<double> x = sparse_counts(rows, 40, 0.15);
    const SparseMatrix entries = entries_of(x);
    const NarrowRows narrow(entries);
    for (const NeighborOptions& options : {NeighborOptions{.n_neighbors = 4}, NeighborOptions{.radius = 12.0},
                                           NeighborOptions{.n_neighbors = 3, .radius = 11.0}}) {
      const NeighborGraph expected = neighbors(x, options).graph;
      EXPECT_EQ(neighbors(SparseRows(entries), options).graph, expected);
      EXPECT_EQ(neighbors(narrow.view(), options).graph, expected);
    }
  }
}

TEST(SparseSearch, CosineOfRowsOfZeros) {
  Array2<double> x = sparse_counts(80, 30, 0.4);  // no other row of zeros
  std::fill_n(x.row(3), 30, 0.0);
  std::fill_n(x.row(50), 30, 0.0);
  const SparseMatrix entries = entries_of(x);
  const NeighborOptions options{.n_neighbors = 79, .metric = Metric::Cosine};
  const NeighborGraph dense = neighbors(x, options).graph, sparse = neighbors(SparseRows(entries), options).graph;
  for (Index i = 0; i < 80; ++i) {
    std::vector<double> expected(80, 0), found(80, 0);
    for (std::size_t e = 0; e < 79; ++e) {
      expected[static_cast<std::size_t>(dense.neighbors_of(i)[e])] = dense.distances_of(i)[e];
      found[static_cast<std::size_t>(sparse.neighbors_of(i)[e])] = sparse.distances_of(i)[e];
    }
    for (std::size_t j = 0; j < 80; ++j) EXPECT_NEAR(found[j], expected[j], 1e-14) << i << " " << j;
  }
  EXPECT_EQ(sparse.neighbors_of(3)[0], 50);
  EXPECT_EQ(sparse.distances_of(3)[0], 0);
  EXPECT_EQ(sparse.distances_of(3)[1], 1);
}

/// Inner products lose all digits of distances between rows that are far from the origin; the judge must not.
TEST(SparseSearch, SmallDifferencesOfLargeRowsAreSeen) {
  constexpr Index kPoints = 64;
  Array2<double> x(kPoints, 8);
  for (Index i = 0; i < kPoints; ++i) x(i, 0) = 1e8 + static_cast<double>((i * 29) % kPoints) * 1e-5, x(i, 5) = 3e8;
  const SparseMatrix entries = entries_of(x);
  EXPECT_EQ(neighbors(SparseRows(entries), {.n_neighbors = 5}).graph, neighbors(x, {.n_neighbors = 5}).graph);
}

TEST(SparseSearch, NewRowsAndAdjacentOnes) {
  const Array2<double> x = sparse_counts(90, 25, 0.2), fresh = sparse_counts(20, 25, 0.2, 1);
  const SparseMatrix entries = entries_of(x), few = entries_of(fresh);
  const NeighborOptions options{.n_neighbors = 6};
  const NeighborIndex dense(x, options), sparse(SparseRows(entries), options);
  const NeighborGraph nearest = dense.nearest(fresh), adjacent = dense.adjacent(fresh);
  EXPECT_EQ(sparse.nearest(SparseRows(few)), nearest);
  EXPECT_EQ(sparse.adjacent(SparseRows(few)), adjacent);
  EXPECT_EQ(sparse.nearest(fresh), nearest);  // dense rows among sparse ones, and the other way round
  EXPECT_EQ(dense.adjacent(SparseRows(few)), adjacent);
  EXPECT_EQ(sparse.nearest(x).distances_of(7)[0], 0);
}

TEST(SparseSearch, OtherGroups) {
  const Array2<double> x = sparse_counts(50, 25, 0.2);
  const SparseMatrix entries = entries_of(x);
  std::vector<Index> group, all;
  for (Index i = 0; i < 50; ++i) group.push_back(i % 3), all.push_back(i);
  const auto expected = nearest_of_other_groups(x, group, all, {}, {});
  const auto found = nearest_of_other_groups(SparseRows(entries), group, all, {}, {});
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(found[i].index, expected[i].index);
    EXPECT_EQ(found[i].distance, expected[i].distance);
  }
}

TEST(SparseSearch, HasTheSameBitsAtAnyNumberOfThreads) {
  const SparseMatrix entries = entries_of(sparse_counts(300, 40, 0.15));
  for (const Metric metric : {Metric::Euclidean, Metric::Cosine}) {
    const NeighborOptions options{.n_neighbors = 7, .metric = metric};
    const NeighborGraph one = neighbors(SparseRows(entries), options, {.threads = 1}).graph;
    for (const int threads : {2, 3, 8})
      EXPECT_EQ(neighbors(SparseRows(entries), options, {.threads = threads}).graph, one);
  }
}

TEST(SparseSearch, SaysWhatIsNotForSparseRows) {
  const SparseMatrix entries = entries_of(sparse_counts(30, 10, 0.3));
  expect_error(ErrorKind::Unsupported, "metric=manhattan is not for sparse points",
               [&] { neighbors(SparseRows(entries), {.metric = Metric::Manhattan}); });
  expect_error(ErrorKind::Unsupported, "algorithm=kd_tree is not for sparse points",
               [&] { neighbors(SparseRows(entries), {.algorithm = SearchAlgorithm::KdTree}); });
  expect_error(ErrorKind::Unsupported, "algorithm=approximate is not for sparse points",
               [&] { neighbors(SparseRows(entries), {.algorithm = SearchAlgorithm::Approximate}); });
  expect_error(ErrorKind::Unsupported, "sparse rows",
               [&] { neighbors_by(SparseRows(entries), [](auto, auto) { return 1.0; }); });
}

}  // namespace
}  // namespace unroll
