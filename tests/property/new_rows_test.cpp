// What is said of one row, or of one component, names it.
#include <malloc.h>

#include <algorithm>
#include <cmath>

#include "property/methods_under_test.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kRows = 5000, kBad = 4500;  // beyond any block of rows

class RowsOfNewPoints : public EveryMethod {
 protected:
  Model fit(PointsView x, const OptionValues& options = {}) const {
    return EveryMethod::fit(x, with_few_iterations(method(), options));
  }

  bool has_choice(const std::string& option, const std::string& choice) const {
    for (const OptionInfo& info : method().options)
      if (info.name == option && (choice.empty() || std::count(info.choices.begin(), info.choices.end(), choice) > 0))
        return true;
    return false;
  }

  static Array2<double> distances(PointsView from, PointsView to) {
    Array2<double> d(from.rows(), to.rows());
    from.visit([&](auto x) {
      to.visit([&](auto y) {
        for (Index i = 0; i < d.rows(); ++i)
          for (Index j = 0; j < d.cols(); ++j) {
            double sum = 0;
            for (Index f = 0; f < x.cols; ++f)
              sum += std::pow(static_cast<double>(x(i, f)) - static_cast<double>(y(j, f)), 2);
            d(i, j) = std::sqrt(sum);
          }
      });
    });
    return d;
  }

  static void expect_named(const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidData) << error.what();
    EXPECT_EQ(error.row(), kBad) << error.what();
    EXPECT_NE(std::string(error.what()).find(": row 4501 "), std::string::npos) << error.what();
  }

  static void expect_blamed(const Model& model, PointsView rows) {
    try {
      model.transform(rows);
      ADD_FAILURE() << "row " << kBad + 1 << " was placed";
    } catch (const Error& error) {
      expect_named(error);
    }
  }

  /// For rows that some methods can place: none is refused without its number.
  static void expect_placed_or_blamed(const Model& model, PointsView rows) {
    try {
      EXPECT_EQ(model.transform(rows).rows(), kRows);
    } catch (const Error& error) {
      expect_named(error);
    }
  }

  /// The options of this method under which rows of new points are made in another way.
  std::vector<OptionValues> variants() const {
    std::vector<OptionValues> all{{}};
    if (has_choice("graph", "full")) all.push_back({{"graph", std::string("full")}});
    if (has_choice("metric", "manhattan")) all.push_back({{"metric", std::string("manhattan")}});
    return all;
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, RowsOfNewPoints, testing::ValuesIn(method_names()), test_name);

TEST_P(RowsOfNewPoints, APointWithoutNeighborsIsNamed) {
  if (!has_choice("radius", "")) GTEST_SKIP() << "has no radius";
  if (method().kind == MethodKind::Labels) GTEST_SKIP() << "has no label, and that is the answer";
  const Model model = fit(points(), {{"radius", 1.5}});
  Array2<double> rows = points(kRows, 3);
  rows(kBad, 0) = 1e3;
  expect_blamed(model, rows);
}

TEST_P(RowsOfNewPoints, ADistanceBelowZeroIsNamed) {
  if (!has_choice("metric", "precomputed")) GTEST_SKIP() << "takes no distances";
  const Array2<double> x = points();
  const Model model = fit(distances(x, x), {{"metric", std::string("precomputed")}});
  Array2<double> rows = distances(points(kRows, 3), x);
  rows(kBad, 7) = -1;
  expect_blamed(model, rows);
}

TEST_P(RowsOfNewPoints, AWeightBelowZeroIsNamed) {
  if (!has_choice("weights", "precomputed")) GTEST_SKIP() << "takes no weights";
  const Array2<double> x = points();
  const auto weights = [&](PointsView from) {
    Array2<double> w = distances(from, x);
    for (Index i = 0; i < w.size(); ++i) w.data()[i] = std::exp(-w.data()[i]);
    return w;
  };
  const Model model = fit(weights(x), {{"weights", std::string("precomputed")}});
  Array2<double> rows = weights(points(kRows, 3));
  rows(kBad, 7) = -1;
  expect_blamed(model, rows);
}

TEST_P(RowsOfNewPoints, AValueThatIsNotFiniteIsNamed) {
  const Model model = fit(points());
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    Array2<double> rows = points(kRows, 3);
    rows(kBad, 2) = bad;
    expect_blamed(model, rows);
  }
}

TEST_P(RowsOfNewPoints, AValueTooLargeForSinglePrecisionIsNamed) {
  const Array2<float> single = as_float(points());
  Array2<double> rows = points(kRows, 3);
  rows(kBad, 2) = 1e39;
  for (const OptionValues& options : variants()) expect_placed_or_blamed(fit(single, options), rows);
}

TEST_P(RowsOfNewPoints, APointInOtherUnitsIsNamed) {
  Array2<double> rows = points(kRows, 3);
  rows(kBad, 2) = 1e200;
  for (const OptionValues& options : variants()) expect_placed_or_blamed(fit(points(), options), rows);
}

TEST_P(RowsOfNewPoints, ADistanceInOtherUnitsIsNamed) {
  if (!has_choice("metric", "precomputed")) GTEST_SKIP() << "takes no distances";
  const auto tiny_distances = [&](PointsView from) {
    Array2<double> d = distances(from, points());
    for (Index i = 0; i < d.size(); ++i) d.data()[i] *= 1e-150;
    return d;
  };
  const Array2<double> own = tiny_distances(points());
  Array2<double> rows = tiny_distances(points(kRows, 3));
  std::fill_n(rows.row(kBad), rows.cols(), 1e300);
  OptionValues options{{"metric", std::string("precomputed")}};
  for (const bool by_landmarks : {false, true}) {
    if (by_landmarks && method().name != "isomap" && method().name != "mds") continue;
    if (by_landmarks) options.push_back({"n_landmarks", std::int64_t{20}});
    if (method().kind == MethodKind::Labels) {
      expect_placed_or_blamed(fit(own, options), rows);
    } else {
      expect_blamed(fit(own, options), rows);
    }
  }
}

/// A model keeps its training points once: what it makes for the first transform does not hold them again.
TEST_P(RowsOfNewPoints, TheFirstDoNotCopyTheTrainingPoints) {
  if (!has_choice("metric", "manhattan")) GTEST_SKIP() << "searches no neighbors";
  constexpr Index kFeatures = 1000;  // for which there is no tree: all points are compared as they are
  const Array2<double> x = normal_matrix(300, kFeatures, 1);
  const auto bytes_in_use = [] {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
  };
  const Model model = fit(x, {{"metric", std::string("manhattan")}});
  const double before = bytes_in_use();
  model.transform(PointsView(x.data(), 1, kFeatures));
  EXPECT_LT(bytes_in_use() - before, 0.5 * sizeof(double) * static_cast<double>(x.size()));
}

TEST_P(RowsOfNewPoints, TheSpectrumOfSeparateMapsSaysWhoseItIs) {
  if (!has_choice("components", "separate")) GTEST_SKIP() << "has no components";
  if (method().kind == MethodKind::Labels) GTEST_SKIP() << "has no maps";
  Array2<double> x = points(100);
  for (Index i = 0; i < 40; ++i) x(i, 1) += 100;
  try {
    const Model model = fit(x, {{"components", std::string("separate")}, {"n_neighbors", std::int64_t{10}}});
    const auto& warnings = model.embedding().warnings;
    const auto said = std::find_if(warnings.begin(), warnings.end(),
                                   [](const Warning& warning) { return warning.code == "largest-component"; });
    ASSERT_NE(said, warnings.end());
    EXPECT_NE(said->message.find("60 points"), std::string::npos) << said->message;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidOption) << error.what();  // clusters need one map of all
    EXPECT_EQ(method().name, "spectral_clustering") << error.what();
  }
}

}  // namespace
}  // namespace unroll
