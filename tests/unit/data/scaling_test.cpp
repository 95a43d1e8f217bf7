#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "core/random.h"
#include "data/column_statistics.h"
#include "data/feature_scaler.h"
#include "support/expect_error.h"

namespace unroll {
namespace {

constexpr std::array kAll{Scaling::None, Scaling::Center, Scaling::Standardize, Scaling::MinMax, Scaling::UnitRows};

/// Normal columns, each with its own scale and offset (in units of the scale).
struct Column {
  double scale;
  double offset;
};
constexpr std::array<Column, 9> kColumns{
    {{1, 0}, {1, 1e8}, {1e300, 0}, {1e-300, 0}, {1e150, -30}, {1e-150, 1e6}, {1e-290, 1e8}, {1e290, 1e8}, {7, -1e12}}};

Array2<double> sample(Index rows, std::uint64_t seed = 0) {
  const Random random(seed, "scaling test");
  Array2<double> points(rows, kColumns.size());
  for (Index i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < kColumns.size(); ++j)
      points(i, static_cast<Index>(j)) =
          kColumns[j].scale * (kColumns[j].offset + random.normal(static_cast<std::uint64_t>(i), j));
  return points;
}

template <class T>
Array2<T> from_rows(std::initializer_list<std::initializer_list<T>> rows) {
  Array2<T> array(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) std::copy(row.begin(), row.end(), array.row(i++));
  return array;
}

Array2<double> scaled(PointsView points, Scaling scaling, const unroll::Run& run = {}) {
  return std::get<Array2<double>>(FeatureScaler(points, scaling, run).apply(points, run));
}

/// Mean and deviation with an exponent range and digits to spare.
struct Reference {
  long double mean = 0;
  long double deviation = 0;
};
Reference reference(const Array2<double>& points, Index j) {
  const long double origin = points(0, j);
  const auto n = static_cast<long double>(points.rows());
  long double sum = 0, squares = 0;
  for (Index i = 0; i < points.rows(); ++i) sum += points(i, j) - origin;
  for (Index i = 0; i < points.rows(); ++i) squares += std::pow(points(i, j) - origin - sum / n, 2.0L);
  return {origin + sum / n, std::sqrt(squares / n)};
}

TEST(ColumnStatistics, AreRightAtAnyScaleAndOffset) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  for (const Index rows : {2, 3, 1000, 5000}) {
    const Array2<double> points = sample(rows);
    const ColumnRanges ranges = column_ranges(points, {});
    const auto means = column_means(points, ranges, {});
    const auto deviations = column_deviations(points, ranges, means, {});
    for (std::size_t j = 0; j < kColumns.size(); ++j) {
      const Reference expected = reference(points, static_cast<Index>(j));
      const auto deviation = static_cast<double>(expected.deviation);
      // Of the mean one unit in the last place, of the deviation a few roundings of the sum.
      EXPECT_NEAR(means[j], static_cast<double>(expected.mean), 2 * kEpsilon * std::abs(means[j]) + 1e-14 * deviation);
      EXPECT_NEAR(deviations[j], deviation, 1e-13 * deviation) << rows << " rows, column " << j;
    }
  }
}

TEST(ColumnStatistics, HandleDenormalsAndTheLargestNumbers) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  const auto points = from_rows<double>({{1e-310, kLargest, 5e-324, 0.0}, {3e-310, kLargest / 2, 0.0, 0.0}});
  const ColumnRanges ranges = column_ranges(points, {});
  const auto means = column_means(points, ranges, {});
  const auto deviations = column_deviations(points, ranges, means, {});
  EXPECT_DOUBLE_EQ(means[0], 2e-310);
  EXPECT_NEAR(deviations[0] / 1e-310, 1, 1e-12);
  EXPECT_DOUBLE_EQ(means[1], kLargest / 4 * 3);
  EXPECT_DOUBLE_EQ(deviations[1], kLargest / 4);
  EXPECT_GT(deviations[2], 0);
  EXPECT_EQ(deviations[3], 0);
}

TEST(FeatureScaler, StandardizeIsScikitLearns) {
  // sklearn.preprocessing.StandardScaler().fit_transform([[1, 5], [2, 5], [3, 5], [4, 5]])
  const auto points = from_rows<double>({{1, 5}, {2, 5}, {3, 5}, {4, 5}});
  const auto result = scaled(points, Scaling::Standardize);
  const std::array<double, 4> expected{-1.3416407864998738, -0.4472135954999579, 0.4472135954999579,
                                       1.3416407864998738};
  for (Index i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(result(i, 0), expected[static_cast<std::size_t>(i)]);
    EXPECT_EQ(result(i, 1), 0);
  }
}

TEST(FeatureScaler, StandardizeGivesEveryColumnTheSameNormalNumbers) {
  const Array2<double> points = sample(3000);
  const auto result = scaled(points, Scaling::Standardize);
  for (std::size_t j = 0; j < kColumns.size(); ++j) {
    const auto k = static_cast<Index>(j);
    const Reference expected = reference(points, k);
    // The offset leaves the data that many digits fewer, and the mean is rounded to them too.
    const double tolerance = 1e-13 + 1e-16 * std::abs(kColumns[j].offset);
    for (Index i = 0; i < points.rows(); ++i)
      ASSERT_NEAR(result(i, k), static_cast<double>((points(i, k) - expected.mean) / expected.deviation), tolerance)
          << i << " " << j;
  }
}

TEST(FeatureScaler, CenterTakesOutTheMeanAlone) {
  const Array2<double> points = sample(1000);
  const auto result = scaled(points, Scaling::Center);
  for (Index j = 0; j < points.cols(); ++j) {
    const Reference before = reference(points, j), after = reference(result, j);
    EXPECT_LE(std::abs(after.mean), 1e-15L * std::abs(before.mean) + 1e-14L * before.deviation);
    EXPECT_NEAR(static_cast<double>(after.deviation / before.deviation), 1, 1e-14);
  }
}

TEST(FeatureScaler, MinMaxReachesBothEndsExactlyAndPassesNeither) {
  const Array2<double> points = sample(2000);
  const auto result = scaled(points, Scaling::MinMax);
  const ColumnRanges ranges = column_ranges(result, {});
  for (const double low : ranges.low) EXPECT_EQ(low, 0);
  for (const double high : ranges.high) EXPECT_EQ(high, 1);
}

TEST(FeatureScaler, ConstantFeaturesBecomeZero) {
  for (const double value : {0.1, 1e8 / 3, 1e300, -5e-324}) {
    Array2<double> points(1001, 1);
    std::fill_n(points.data(), points.size(), value);
    for (const Scaling scaling : {Scaling::Center, Scaling::Standardize, Scaling::MinMax}) {
      const auto result = scaled(points, scaling);
      EXPECT_TRUE(std::all_of(result.data(), result.data() + result.size(), [](double x) { return x == 0; }))
          << value << " " << name_of(scaling);
      // Elsewhere they keep their units.
      const auto elsewhere = from_rows<double>({{value + 2.5}});
      const FeatureScaler scaler(points, scaling, {});
      EXPECT_EQ(std::get<Array2<double>>(scaler.apply(elsewhere, {}))(0, 0), value + 2.5 - value);
    }
  }
}

TEST(FeatureScaler, UnitRowsHaveLengthOneAtAnyScale) {
  auto points =
      from_rows<double>({{3, 4}, {3e300, -4e300}, {3e-300, 4e-300}, {0, 0}, {0, -5e-324}, {1.7e308, 1.7e308}});
  const auto result = scaled(points, Scaling::UnitRows);
  const auto expected =
      from_rows<double>({{0.6, 0.8}, {0.6, -0.8}, {0.6, 0.8}, {0, 0}, {0, -1}, {std::sqrt(0.5), std::sqrt(0.5)}});
  for (Index i = 0; i < result.size(); ++i) EXPECT_DOUBLE_EQ(result.data()[i], expected.data()[i]) << i;
}

// float stays float, but nothing is computed in float: the result is that of the same numbers as doubles, rounded once.
TEST(FeatureScaler, FloatIsTheDoubleResultRounded) {
  const Random random(0, "float");
  Array2<float> narrow(3000, 5);
  Array2<double> wide(3000, 5);
  for (Index i = 0; i < narrow.size(); ++i) {
    narrow.data()[i] = static_cast<float>(1e6 + random.normal(static_cast<std::uint64_t>(i)));
    wide.data()[i] = static_cast<double>(narrow.data()[i]);
  }
  for (const Scaling scaling : kAll) {
    const auto result = FeatureScaler(narrow, scaling, {}).apply(narrow, {});
    ASSERT_TRUE(std::holds_alternative<Array2<float>>(result));
    const auto& floats = std::get<Array2<float>>(result);
    const auto doubles = scaled(wide, scaling);
    for (Index i = 0; i < floats.size(); ++i)
      ASSERT_EQ(floats.data()[i], static_cast<float>(doubles.data()[i])) << name_of(scaling);
  }
}

TEST(FeatureScaler, HasTheSameBitsAtAnyThreadCount) {
  const Array2<double> points = sample(5000);
  for (const Scaling scaling : kAll) {
    const auto one = scaled(points, scaling, {.threads = 1});
    for (const int threads : {2, 3, 8}) EXPECT_EQ(one, scaled(points, scaling, {.threads = threads}));
  }
}

TEST(FeatureScaler, ARowAloneGetsTheSameBits) {
  const Array2<double> points = sample(300);
  for (const Scaling scaling : kAll) {
    const FeatureScaler scaler(points, scaling, {});
    const auto together = std::get<Array2<double>>(scaler.apply(points, {}));
    for (Index i = 0; i < points.rows(); ++i) {
      const auto alone = std::get<Array2<double>>(scaler.apply(PointsView(points).slice(i, 1), {}));
      ASSERT_TRUE(std::equal(alone.data(), alone.data() + alone.size(), together.row(i)));
    }
  }
}

TEST(FeatureScaler, ReadsRowsThatAreApart) {
  const Array2<double> points = sample(500);
  const PointsView three(MatrixView<double>{points.data(), points.rows(), 3, points.cols()});
  Array2<double> copy(points.rows(), 3);
  for (Index i = 0; i < points.rows(); ++i) std::copy_n(points.row(i), 3, copy.row(i));
  for (const Scaling scaling : kAll) EXPECT_EQ(scaled(three, scaling), scaled(copy, scaling)) << name_of(scaling);
}

TEST(FeatureScaler, UndoGivesThePointsBack) {
  const Array2<double> points = sample(200);
  for (const Scaling scaling : {Scaling::None, Scaling::Center, Scaling::Standardize, Scaling::MinMax}) {
    const FeatureScaler scaler(points, scaling, {});
    const auto scaled_points = std::get<Array2<double>>(scaler.apply(points, {}));
    const auto back = scaler.undo(scaled_points, {});
    const ColumnRanges ranges = column_ranges(points, {});
    for (Index i = 0; i < points.rows(); ++i)
      for (Index j = 0; j < points.cols(); ++j) {
        const auto k = static_cast<std::size_t>(j);
        const double largest = std::max(std::abs(ranges.low[k]), std::abs(ranges.high[k]));
        ASSERT_NEAR(back(i, j), points(i, j), 1e-15 * largest) << name_of(scaling);
      }
  }
  const FeatureScaler unit_rows(points, Scaling::UnitRows, {});
  expect_error(ErrorKind::Unsupported, "scale=unit_rows", [&] { unit_rows.undo(points, {}); });
}

TEST(FeatureScaler, OverflowIsAnErrorThatNamesThePlace) {
  const auto training = from_rows<double>({{0, 1e-300}, {1, 2e-300}});
  const auto far = from_rows<double>({{0, 0}, {5, 1e300}});
  const FeatureScaler scaler(training, Scaling::Standardize, {});
  expect_error(ErrorKind::InvalidData, "row 2 is too far from the training points in feature 2",
               [&] { scaler.apply(far, {}); });
  const auto huge = from_rows<double>({{0, 1.7e308}, {1, -1.7e308}});
  for (const Scaling scaling : {Scaling::Center, Scaling::Standardize, Scaling::MinMax})
    expect_error(ErrorKind::InvalidData, "feature 2 reaches from", [&] { FeatureScaler(huge, scaling, {}); });
  EXPECT_NO_THROW(scaled(huge, Scaling::UnitRows));
}

TEST(FeatureScaler, ChecksWhatItGets) {
  const FeatureScaler scaler(sample(10), Scaling::Center, {});
  const auto two = from_rows<double>({{1, 2}});
  expect_error(ErrorKind::InvalidData, "2 features, the training points had 9", [&] { scaler.apply(two, {}); });
  expect_error(ErrorKind::InvalidData, "2 features, the training points had 9", [&] { scaler.undo(two, {}); });
  expect_error(ErrorKind::InvalidData, "no points", [] { FeatureScaler(Array2<double>(0, 3), Scaling::Center, {}); });
}

TEST(FeatureScaler, RefusesBeyondTheMemoryBudget) {
  const Array2<double> points = sample(1000);
  expect_error(ErrorKind::OutOfMemory, "for the scaled points",
               [&] { scaled(points, Scaling::Center, {.memory_budget = 1000}); });
}

TEST(ScaledPoints, CopiesOnlyWhatIsScaled) {
  const Array2<double> points = sample(10);
  const auto address = [](PointsView view) {
    return view.visit([](auto x) { return static_cast<const void*>(x.data); });
  };
  EXPECT_EQ(address(ScaledPoints(points, Scaling::None, {}).view()), points.data());
  const ScaledPoints centered(points, Scaling::Center, {});
  EXPECT_NE(address(centered.view()), points.data());
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): the copy has memory of its own
  const ScaledPoints copy = centered;
  EXPECT_NE(address(copy.view()), address(centered.view()));
  EXPECT_TRUE(ScaledPoints(points, Scaling::None, {}).scaler().is_identity());
  EXPECT_FALSE(centered.scaler().is_identity());
}

}  // namespace
}  // namespace unroll
