#include "neighbors/entry_rule.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace unroll {
namespace {

/// Points at 0, 0, 1, 5, 6 of a line, each with its two nearest: 1 and 2 are copies.
const NeighborGraph kEntries{{0, 2, 4, 6, 8, 10}, {1, 2, 0, 2, 0, 1, 4, 2, 3, 2}, {0, 1, 0, 1, 1, 1, 1, 4, 1, 5}};

TEST(KnownDistance, IsThatOfEitherRow) {
  EXPECT_EQ(known_distance(kEntries, 0, 1), 0);
  EXPECT_EQ(known_distance(kEntries, 2, 3), 4);  // only point 3 has this edge
  EXPECT_EQ(known_distance(kEntries, 0, 3), std::nullopt);
  EXPECT_EQ(known_distance(to_sparse(kEntries), 2, 3), 4);
  EXPECT_EQ(known_distance(to_sparse(kEntries), 0, 4), std::nullopt);
}

TEST(KnownDistance, OfMoreCopiesThanEntries) {
  const NeighborGraph copies{{0, 1, 2, 3, 4}, {1, 0, 3, 2}, {0, 0, 0, 0}};
  EXPECT_EQ(known_distance(copies, 0, 3), 0);
  const NeighborGraph pairs{{0, 1, 2, 3, 4}, {1, 0, 3, 2}, {0, 0, 2, 2}};
  EXPECT_EQ(known_distance(pairs, 0, 3), std::nullopt);
}

TEST(Zeros, AreOfCopiesAlone) {
  const auto check = [](std::vector<Index> zeros, double farthest = 5) {
    check_zeros(7, zeros, farthest, [](Index i, Index j) { return known_distance(kEntries, i, j); });
  };
  EXPECT_NO_THROW(check({}));
  EXPECT_NO_THROW(check({3}));
  EXPECT_NO_THROW(check({0, 1}));
  EXPECT_NO_THROW(check({0, 1, 2}, 1e7)) << "1 is rounding of 10^7";
  expect_error_of_row(ErrorKind::InvalidData, 7,
                      "row 8 has distance 0 from the training points 1 and 3, which are 1 apart; a distance that is "
                      "missing cannot be told by 0",
                      [&] {
                        check({0, 1, 2});
                      });
  expect_error_of_row(ErrorKind::InvalidData, 7, "the training points 1 and 5, which are no neighbors of each other",
                      [&] {
                        check({0, 1, 4});
                      });
}

}  // namespace
}  // namespace unroll
