#include "unroll/quality/agreement.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace unroll {
namespace {

TEST(AdjustedRandIndex, AgreesWithScikitLearn) {
  // sklearn.metrics.adjusted_rand_score of scikit-learn 1.2
  EXPECT_DOUBLE_EQ(adjusted_rand_index({0, 0, 1, 2}, {0, 0, 1, 1}), 0.5714285714285714);
  EXPECT_DOUBLE_EQ(adjusted_rand_index({0, 0, 0, 1, 1, 1}, {0, 0, 1, 1, 2, 2}), 0.24242424242424243);
  EXPECT_DOUBLE_EQ(adjusted_rand_index({0, 0, 1, 1}, {0, 1, 0, 1}), -0.5);
}

TEST(AdjustedRandIndex, NamesDoNotCount) {
  EXPECT_EQ(adjusted_rand_index({7, 7, -1, -1, 3}, {0, 0, 1, 1, 2}), 1);
  EXPECT_EQ(adjusted_rand_index({0, 0, 0, 0}, {0, 1, 2, 3}), 0);
  EXPECT_EQ(adjusted_rand_index({0, 0, 0}, {1, 1, 1}), 1);
  EXPECT_EQ(adjusted_rand_index({0}, {5}), 1);
  EXPECT_EQ(adjusted_rand_index({}, {}), 1);
  EXPECT_EQ(adjusted_rand_index({7, 7, -1, -1, 3, 7}, {0, 0, 1, 1, 2, kNoLabel}), 1);
}

TEST(AdjustedRandIndex, RefusesListsOfDifferentLengths) {
  expect_error(ErrorKind::InvalidData, "2 labels and 1", [] { adjusted_rand_index({0, 1}, {0}); });
}

}  // namespace
}  // namespace unroll
