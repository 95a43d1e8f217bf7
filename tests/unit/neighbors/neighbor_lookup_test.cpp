#include "neighbors/neighbor_lookup.h"

#include <gtest/gtest.h>

#include "neighbors/search_limits.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/naive_neighbors.h"
#include "unroll/neighbors/neighbor_index.h"

namespace unroll {
namespace {

TEST(NeighborLookup, FindsWhatAnIndexFinds) {
  const Array2<double> x = normal_matrix(200, 4, 1), queries = normal_matrix(30, 4, 2);
  const NeighborOptions options{.n_neighbors = 6};
  const NeighborIndex index(x, options);
  const NeighborLookup lookup(x, index.graph(), options, {});
  EXPECT_TRUE(naive::same_bytes(lookup.nearest(queries, {}), index.nearest(queries)));
  EXPECT_TRUE(naive::same_bytes(lookup.adjacent(queries, {}), index.adjacent(queries)));
  const NeighborLookup without_graph(x, x.rows(), options, resolve_search_limits(options, x.rows()), {});
  EXPECT_TRUE(naive::same_bytes(without_graph.nearest(queries, {}), index.nearest(queries)));
}

TEST(NeighborLookup, CanBeAskedForAllPoints) {
  const Array2<double> x = normal_matrix(5, 3, 3), queries = normal_matrix(20, 3, 4);
  for (const SearchLimits limits : {SearchLimits{5}, SearchLimits{}}) {
    const NeighborGraph found = NeighborLookup(x, x.rows(), {}, limits, {}).nearest(queries, {});
    for (Index i = 0; i < queries.rows(); ++i) {
      ASSERT_EQ(found.degree(i), 5);
      EXPECT_TRUE(std::is_sorted(found.distances_of(i).begin(), found.distances_of(i).end()));
    }
  }
}

/// A model file may say anything.
TEST(NeighborLookup, OfOnePointIsRefused) {
  const Array2<double> x = normal_matrix(1, 30, 1);
  const NeighborGraph alone{{0, 0}, {}, {}};
  for (const Metric metric : {Metric::Euclidean, Metric::Manhattan, Metric::Precomputed})
    expect_error(ErrorKind::InvalidData, "a minimum of 2 is required",
                 [&] { NeighborLookup(x, alone, {.metric = metric}, {}); });
}

/// The points stay where they are: the distance to one that moves is that to its new place.
TEST(NeighborLookup, LooksAtThePointsOfItsOwner) {
  Array2<double> x = normal_matrix(5, 3, 5);
  const NeighborLookup lookup(x, x.rows(), {.metric = Metric::Manhattan, .algorithm = SearchAlgorithm::Brute},
                              SearchLimits{5}, {});
  const Array2<double> query(1, 3);
  std::fill_n(x.data(), x.size(), 0.25);
  for (const double distance : lookup.nearest(query, {}).distances) EXPECT_EQ(distance, 0.75);
}

}  // namespace
}  // namespace unroll
