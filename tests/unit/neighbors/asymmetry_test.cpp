#include "neighbors/asymmetry.h"

#include <gtest/gtest.h>

namespace unroll {
namespace {

TEST(Asymmetry, IsThatOfTheWorstPair) {
  Asymmetry worst;
  worst.compare(0, 1, 2, 2);
  EXPECT_EQ(worst.difference, 0);
  worst.compare(2, 3, 1, 2);
  worst.compare(4, 5, 100, 101);
  worst.compare(6, 7, 2, 1);
  EXPECT_EQ(worst.difference, 0.5);
  EXPECT_EQ(worst.row, 2);
  EXPECT_EQ(worst.col, 3);
  EXPECT_EQ(worst.there, 1);
  EXPECT_EQ(worst.back, 2);
  Asymmetry later;
  later.compare(8, 9, 3, -3);
  EXPECT_EQ(worst.or_later(later).row, 8);
  EXPECT_EQ(later.or_later(worst).row, 8);
  EXPECT_EQ(worst.or_later(worst).row, 2);
}

TEST(Asymmetry, OfSmallEntriesIsRelativeToTheUnit) {
  Asymmetry worst{.unit = 1};
  worst.compare(0, 1, 1e-17, -1e-17);
  EXPECT_TRUE(worst.is_rounding(false));
  worst.compare(0, 1, 1e-3, 1e-3 + 1e-7);
  EXPECT_FALSE(worst.is_rounding(false));
  EXPECT_TRUE(worst.is_rounding(true));
}

}  // namespace
}  // namespace unroll
