// Coordinates that repeat others, of methods of local fits: those of graphs have tests of their own.
#include <gtest/gtest.h>

#include <cmath>

#include "support/distances.h"
#include "support/matrices.h"
#include "support/model_warnings.h"
#include "support/strips.h"
#include "unroll/methods/lle.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

/// A strip on a spiral, whose turns are far apart.
Array2<double> spiral(const Array2<double>& strip, double height = 0) {
  Array2<double> x(strip.rows(), 3);
  for (Index i = 0; i < x.rows(); ++i) {
    const double angle = strip(i, 0) / 3, radius = 3 + strip(i, 0) / 10;
    x(i, 0) = radius * std::cos(angle), x(i, 1) = strip(i, 1) + height, x(i, 2) = radius * std::sin(angle);
  }
  return x;
}

const OptionValues kTwelve{{"n_neighbors", std::int64_t{12}}};
const OptionValues kIndependent{{"n_neighbors", std::int64_t{12}}, {"independent", true}};

class LocalStrips : public testing::TestWithParam<std::pair<std::string, double>> {};
INSTANTIATE_TEST_SUITE_P(Methods, LocalStrips,
                         testing::Values(std::pair{"lle", 14.0}, std::pair{"mlle", 50.0}, std::pair{"hlle", 50.0},
                                         std::pair{"ltsa", 50.0}),
                         [](const auto& test) { return test.param.first; });

TEST_P(LocalStrips, TheWidthIsNotFoundWithAWarningOrIsIndependent) {
  const Method& method = find_method(GetParam().first);
  const Array2<double> strip = even_strip(2000, GetParam().second), x = spiral(strip);
  const Model plain = method.fit(x, kTwelve, {}), chosen = method.fit(x, kIndependent, {});
  EXPECT_LT(correlation(plain.coordinates(), 1, strip, 1), 0.2);
  EXPECT_TRUE(has_warning(plain, "repeated-direction"));
  EXPECT_LT(plain.attribute<std::vector<double>>("independence")[1], 0.15);
  EXPECT_GT(correlation(chosen.coordinates(), 0, strip, 0), 0.9);
  EXPECT_GT(correlation(chosen.coordinates(), 1, strip, 1), 0.7);
  EXPECT_FALSE(has_warning(chosen, "repeated-direction"));
  EXPECT_EQ(chosen.embedding().spectrum.values.size(), 2U);
  EXPECT_EQ(chosen.transform(x), chosen.coordinates());
}

TEST(LocalIndependence, EveryComponentHasItsOwn) {
  const std::vector<Array2<double>> parts{spiral(random_strip(2000, 10, 1)), spiral(random_strip(1500, 4, 2), 100)};
  Array2<double> x(3500, 3);
  std::copy_n(parts[0].data(), parts[0].size(), x.data());
  std::copy_n(parts[1].data(), parts[1].size(), x.row(2000));
  const LleOptions options{.n_neighbors = 12, .independent = true};
  const Model model = lle(x, options);
  EXPECT_EQ(model.transform(x), model.coordinates());
  Index first = 0;
  for (const Array2<double>& part : parts) {
    const Array2<double> alone = lle(part, options).coordinates();
    Array2<double> own = rows_of(model.coordinates(), first, part.rows());
    const double offset = own(0, 0) - alone(0, 0);
    for (Index i = 0; i < own.rows(); ++i) own(i, 0) -= offset;
    EXPECT_LT(relative_difference(own, alone), 1e-6) << part.rows();
    first += part.rows();
  }
}

// Landmarks span no more coordinates than there are of them: fewer are looked at.
TEST(LocalIndependence, FewLandmarksAreEnough) {
  const Array2<double> x = spiral(random_strip(500, 4, 1));
  const Model model = lle(x, {.n_neighbors = 12, .independent = true, .n_landmarks = 8});
  EXPECT_EQ(model.n_components(), 2);
  EXPECT_EQ(model.attribute<std::vector<std::int64_t>>("landmarks").size(), 8U);
}

// The same landmarks are reported once, however often eigenvectors are looked for.
TEST(LocalIndependence, LandmarksAreReportedOnce) {
  Array2<double> line(400, 2);  // has one direction: all that can be judged are looked at
  for (Index i = 0; i < 400; ++i)
    line(i, 0) = std::cos(0.01 * static_cast<double>(i)), line(i, 1) = std::sin(0.01 * static_cast<double>(i));
  const Model model = lle(line, {.n_neighbors = 6, .independent = true, .n_landmarks = 60});
  EXPECT_TRUE(has_warning(model, "repeated-direction"));
  EXPECT_EQ(model.attribute<std::vector<std::int64_t>>("landmarks").size(), 60U);
}

}  // namespace
}  // namespace unroll
