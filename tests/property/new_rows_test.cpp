// What is said of one row, or of one component, names it.
#include <algorithm>
#include <cmath>

#include "property/methods_under_test.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kRows = 5000, kBad = 4500;  // beyond any block of rows

class NewRows : public EveryMethod {
 protected:
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

  static void expect_blamed(const Model& model, PointsView rows) {
    try {
      model.transform(rows);
      ADD_FAILURE() << "row " << kBad + 1 << " was placed";
    } catch (const Error& error) {
      EXPECT_EQ(error.row(), kBad) << error.what();
      EXPECT_NE(std::string(error.what()).find("row 4501 "), std::string::npos) << error.what();
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, NewRows, testing::ValuesIn(method_names()), test_name);

TEST_P(NewRows, APointWithoutNeighborsIsNamed) {
  if (!has_choice("radius", "")) GTEST_SKIP() << "has no radius";
  const Model model = fit(points(), {{"radius", 1.5}});
  Array2<double> rows = points(kRows, 3);
  rows(kBad, 0) = 1e3;
  expect_blamed(model, rows);
}

TEST_P(NewRows, ADistanceBelowZeroIsNamed) {
  if (!has_choice("metric", "precomputed")) GTEST_SKIP() << "takes no distances";
  const Array2<double> x = points();
  const Model model = fit(distances(x, x), {{"metric", std::string("precomputed")}});
  Array2<double> rows = distances(points(kRows, 3), x);
  rows(kBad, 7) = -1;
  expect_blamed(model, rows);
}

TEST_P(NewRows, AWeightBelowZeroIsNamed) {
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

TEST_P(NewRows, TheSpectrumOfSeparateMapsSaysWhoseItIs) {
  if (!has_choice("components", "separate")) GTEST_SKIP() << "has no components";
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
