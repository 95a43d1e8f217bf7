// The C++ surface as a user meets it: sizes of any type, vectors, null pointers.
#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "unroll/unroll.h"

namespace unroll {
namespace {

TEST(PointsView, TakesSizesOfAnyIntegerType) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  const int cols = 2;
  EXPECT_EQ((PointsView{values.data(), values.size() / 2, 2}.rows()), 3);
  EXPECT_EQ((PointsView{values.data(), 3U, cols}.cols()), 2);
  EXPECT_EQ(pca({values.data(), values.size() / 2, cols}).coordinates().rows(), 3);
}

TEST(PointsView, TakesAVectorAndTheNumberOfColumns) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  const std::vector<float> floats{1, 2, 3, 4};
  EXPECT_EQ(PointsView(values, 2).rows(), 3);
  EXPECT_EQ(PointsView(values, 3).rows(), 2);
  EXPECT_TRUE(PointsView(floats, 2).is_float());
  EXPECT_EQ(pca({values, 2}).n_features(), 2);
  expect_error(ErrorKind::InvalidData, "6 numbers are no rows of 4 columns", [&] { PointsView(values, 4); });
  expect_error(ErrorKind::InvalidData, "6 numbers are no rows of 0 columns", [&] { PointsView(values, 0); });
}

TEST(PointsView, RefusesNumbersAtNoAddress) {
  const double* nothing = nullptr;
  expect_error(ErrorKind::InvalidData, "a table of 3 x 2 numbers at a null pointer",
               [&] { PointsView(nothing, 3, 2); });
  expect_error(ErrorKind::InvalidData, "a size is negative", [&] { PointsView(nothing, -1, 2); });
  EXPECT_EQ(PointsView(nothing, 0, 2).rows(), 0);
}

template <class T>
concept HasViewOfATemporary = requires(T&& table) {
  std::forward<T>(table).view();
};

TEST(Table, HasNoViewOnceItIsGone) {
  EXPECT_FALSE(HasViewOfATemporary<Table>);
  EXPECT_TRUE(HasViewOfATemporary<Table&>);
  EXPECT_TRUE(HasViewOfATemporary<const Table&>);
}

TEST(Input, TakesATemporaryForTheLengthOfACall) {
  const auto made = [] {
    Array2<double> points(4, 2);
    for (Index i = 0; i < points.size(); ++i) points.data()[i] = static_cast<double>(i * i);
    return points;
  };
  EXPECT_EQ(pca(made()).n_features(), 2);
}

TEST(Version, OfHeadersAndLibraryAgree) {
  EXPECT_EQ(std::string(version()), std::to_string(UNROLL_VERSION_MAJOR) + "." + std::to_string(UNROLL_VERSION_MINOR) +
                                        "." + std::to_string(UNROLL_VERSION_PATCH));
}

TEST(ErrorKind, HasAName) {
  EXPECT_EQ(name_of(ErrorKind::InvalidOption), "invalid_option");
  EXPECT_EQ(name_of(ErrorKind::Internal), "internal");
}

}  // namespace
}  // namespace unroll
