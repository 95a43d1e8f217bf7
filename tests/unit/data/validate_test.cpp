#include "data/validate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/not_finite.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

std::string message(PointsView points, Index min_rows = 1, int threads = 0) {
  try {
    check_points(points, min_rows, unroll::Run{.threads = threads});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidData);
    return error.what();
  }
  return "accepted";
}

TEST(CheckPoints, TooFewRowsOrFeatures) {
  EXPECT_EQ(message(Array2<double>(0, 5)),
            "Found array with 0 sample(s) (shape=(0, 5)) while a minimum of 1 is required");
  EXPECT_EQ(message(Array2<float>(2, 5), 3),
            "Found array with 2 sample(s) (shape=(2, 5)) while a minimum of 3 is required");
  EXPECT_EQ(message(Array2<double>(5, 0)),
            "Found array with 0 feature(s) (shape=(5, 0)) while a minimum of 1 is required");
  EXPECT_EQ(message(Array2<double>(0, 5), 0), "accepted");
}

TEST(CheckPoints, TheLargestMagnitude) {
  Array2<double> points(100, 7);
  points(3, 2) = -8.5;
  points(99, 6) = 8;
  EXPECT_EQ(check_points(points, 1, {}).max_abs, 8.5);
  Array2<float> single(100, 7);
  single(99, 6) = -0.1F;
  EXPECT_EQ(check_points(single, 1, {}).max_abs, static_cast<double>(0.1F));
  EXPECT_EQ(check_points(Array2<double>(3, 3), 1, {}).max_abs, 0);
}

TEST(CheckPoints, LargeFiniteValuesAreFine) {
  Array2<double> points(1000, 3);
  for (Index i = 0; i < points.size(); ++i) points.data()[i] = i % 2 == 0 ? 1.7e308 : -1.7e308;
  EXPECT_EQ(check_points(points, 1, {}).max_abs, 1.7e308);
}

TEST(CheckPoints, NanWithPlaceAndCount) {
  Array2<double> points(10, 4);
  points(2, 1) = kNan;
  points(2, 3) = -kNan;
  points(9, 0) = kNan;
  points(0, 0) = kInfinity;
  EXPECT_TRUE(message(points).starts_with("row 3 contains NaN in column 2 (3 NaN in all); ")) << message(points);
}

TEST(CheckPoints, TheRowIsAPartOfTheError) {
  Array2<double> points(10, 4);
  points(2, 1) = kNan;
  const auto check = [&] { check_points(points, 1, {}); };
  expect_error_of_row(ErrorKind::InvalidData, 2, "row 3 contains NaN", check);
  points(2, 1) = kInfinity;
  expect_error_of_row(ErrorKind::InvalidData, 2, "row 3 contains infinity", check);
  expect_error_of_row(ErrorKind::InvalidData, 2, "row 3 of the centers contains infinity",
                      [&] { check_points(points, 1, {}, "centers"); });
}

TEST(CheckPoints, InfinityWithPlaceAndCount) {
  Array2<float> points(10, 4);
  points(4, 3) = -std::numeric_limits<float>::infinity();
  points(7, 0) = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(message(points).starts_with("row 5 contains infinity or a value too large in column 4 (2 in all); "))
      << message(points);
}

/// One bad value at a time, everywhere: the vectorised part and the rest behind it.
TEST(CheckPoints, NoPlaceIsOverlooked) {
  constexpr Index kRows = 5, kCols = 13;
  for (const double bad : {kNan, kInfinity, -kInfinity})
    for (Index at = 0; at < kRows * kCols; ++at) {
      Array2<double> points(kRows, kCols);
      points.data()[at] = bad;
      const std::string column = " in column " + std::to_string(at % kCols + 1) + " ";
      EXPECT_NE(message(points).find(column), std::string::npos) << message(points);
      EXPECT_TRUE(message(points).starts_with("row " + std::to_string(at / kCols + 1) + " ")) << message(points);
    }
}

TEST(CheckPoints, OnlyTheViewIsLookedAt) {
  Array2<double> points(6, 5);
  for (Index i = 0; i < 6; ++i) points(i, 4) = kNan;  // beyond the four columns of the view
  points(3, 2) = 7;
  EXPECT_EQ(check_points(MatrixView<double>{points.data(), 6, 4, 5}, 1, {}).max_abs, 7);
  points(5, 3) = kNan;
  const std::string found = message(MatrixView<double>{points.data(), 6, 4, 5});
  EXPECT_NE(found.find("row 6 contains NaN in column 4 (1 NaN in all)"), std::string::npos) << found;
}

TEST(CheckPoints, SameAnswerAtAnyThreadCount) {
  Array2<double> points(100000, 3);
  points(77777, 1) = kNan;
  points(33333, 2) = kNan;
  const std::string one = message(points, 1, 1);
  EXPECT_NE(one.find("row 33334 contains NaN in column 3 (2 NaN in all)"), std::string::npos) << one;
  for (const int threads : {2, 3, 8}) EXPECT_EQ(message(points, 1, threads), one);
}

TEST(CheckPoints, RowsLongerThanABlock) {
  Array2<float> points(2, 200000);
  points(1, 199999) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(message(points).find("row 2 contains NaN in column 200000"), std::string::npos);
}

}  // namespace
}  // namespace unroll
