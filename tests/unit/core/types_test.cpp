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

TEST(CountOrFraction, IsMadeOfAnyNumber) {
  EXPECT_EQ(PcaOptions{.n_components = 5}.n_components.count(), 5);
  EXPECT_EQ(PcaOptions{.n_components = std::size_t{5}}.n_components.count(), 5);
  EXPECT_EQ(PcaOptions{.n_components = 0.95}.n_components.fraction(), 0.95);
  EXPECT_EQ(CountOrFraction(3.0), CountOrFraction(3));
  EXPECT_FALSE(CountOrFraction(0.5).is_count());
  EXPECT_FALSE((std::is_constructible_v<CountOrFraction, bool>));
  EXPECT_EQ(CountOrFraction(2.5).number(), 2.5);  // which no option takes
}

TEST(CountOrFraction, IsAnOptionOfPca) {
  const std::vector<double> values{1, 5, 3, 4, 2, 6, 9, 1};
  EXPECT_EQ(pca({values, 2}, {.n_components = 1}).n_components(), 1);
  EXPECT_EQ(pca({values, 2}, {.n_components = 0.999}).n_components(), 2);
  for (const CountOrFraction wrong : {CountOrFraction(2.5), CountOrFraction(-1), CountOrFraction(-0.5)})
    expect_error(ErrorKind::InvalidOption, "must be a whole number, or a fraction strictly between 0 and 1", [&] {
      pca({values, 2}, {.n_components = wrong});
    });
  const Method& method = find_method("pca");
  for (const OptionValue& given : {OptionValue(std::int64_t{1}), OptionValue(1.0)})  // as 0.1.0 had it
    EXPECT_EQ(method.fit(PointsView(values, 2), {{"n_components", given}}, {}).options().front().value,
              OptionValue(std::int64_t{1}));
}

TEST(Model, GoesThroughBytes) {
  const std::vector<double> values{1, 5, 3, 4, 2, 6, 9, 1};
  const Model model = pca({values, 2}), again = load_model(model.bytes(), "bytes");
  EXPECT_EQ(again.transform({values, 2}), model.transform({values, 2}));
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
