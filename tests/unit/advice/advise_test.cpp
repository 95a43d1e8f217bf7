#include "unroll/advice/advise.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "unroll/advice/page_advice.h"
#include "unroll/data/generators.h"
#include "unroll/registry.h"
#include "unroll/report/figures.h"

namespace unroll {
namespace {

const TriedMap& best_of(const Advice& advice) { return advice.tried.at(advice.best); }
std::string evidence_of(const Advice& advice) { return joined(advice.evidence, " "); }
std::string reading_of(const Advice& advice) { return joined(advice.reading, " "); }

/// ranks[i][j]: the place of j among the others by distance from i, from 1.
std::vector<std::vector<Index>> ranks_of(const Array2<double>& x) {
  const auto square = [&](Index i, Index j) {
    double sum = 0;
    for (Index f = 0; f < x.cols(); ++f) sum += (x(i, f) - x(j, f)) * (x(i, f) - x(j, f));
    return sum;
  };
  std::vector<std::vector<Index>> ranks;
  for (Index i = 0; i < x.rows(); ++i) {
    std::vector<Index> others;
    for (Index j = 0; j < x.rows(); ++j)
      if (j != i) others.push_back(j);
    std::stable_sort(others.begin(), others.end(), [&](Index a, Index b) { return square(i, a) < square(i, b); });
    ranks.emplace_back(static_cast<std::size_t>(x.rows()));
    for (std::size_t r = 0; r < others.size(); ++r)
      ranks.back()[static_cast<std::size_t>(others[r])] = static_cast<Index>(r) + 1;
  }
  return ranks;
}

/// The area under R_NX over log K by its definition.
double area_by_hand(const Array2<double>& high, const Array2<double>& low) {
  const auto a = ranks_of(high), b = ranks_of(low);
  const auto n = static_cast<double>(high.rows());
  double sum = 0, weights = 0;
  for (Index k = 1; k <= high.rows() - 2; ++k) {
    double kept = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < a.size(); ++j) kept += i != j && a[i][j] <= k && b[i][j] <= k ? 1 : 0;
    const auto size = static_cast<double>(k);
    sum += ((n - 1) * kept / (size * n) - size) / (n - 1 - size) / size;
    weights += 1 / size;
  }
  return sum / weights;
}

TEST(Advise, MeasuresEveryMapByTheAreaUnderRnx) {
  const Array2<double> x = make_dataset("swiss_roll", 120).points;
  const Advice advice = advise(x, {.methods = {"pca", "isomap", "ltsa"}});
  EXPECT_GT(advice.tried.size(), 10U);  // isomap and ltsa with several sizes
  for (const TriedMap& map : advice.tried)
    EXPECT_NEAR(map.area.value(), area_by_hand(x, map.run.coordinates), 1e-9) << map.run.label;
  for (const Agreement& other : advice.sizes) {
    const auto same = std::find_if(advice.tried.begin(), advice.tried.end(),
                                   [&](const TriedMap& map) { return map.run.label == other.label; });
    ASSERT_NE(same, advice.tried.end());
    EXPECT_EQ(other.area, same->area);
    EXPECT_NEAR(other.agreement, area_by_hand(best_of(advice).run.coordinates, same->run.coordinates), 1e-9);
  }
}

TEST(Advise, TakesTheBestAndItsOptionsMakeThatMap) {
  const Array2<double> x = make_dataset("s_curve", 300).points;
  const Advice advice = advise(x, {.methods = {"pca", "isomap", "lle", "diffusion_maps"}, .scale = Scaling::MinMax});
  double largest = -1;
  for (const TriedMap& map : advice.tried) largest = std::max(largest, map.area.value_or(-1));
  const TriedMap& best = best_of(advice);
  EXPECT_GE(best.area.value(), largest - 0.003);
  const Model again = find_method(best.run.name).fit(Input(x), best.run.options, {});
  EXPECT_LT(relative_difference(again.coordinates(), best.run.coordinates), 1e-9);
}

TEST(Advise, SeesPiecesAndShortCircuits) {
  const Advice roll = advise(make_dataset("swiss_roll", 1000).points, {.methods = {"isomap"}});
  EXPECT_EQ(roll.graphs.front().short_circuits, 0);
  EXPECT_GT(roll.graphs.back().short_circuits, 0);
  EXPECT_EQ(roll.graphs.back().components, 1);
  EXPECT_NE(evidence_of(roll).find("short-circuit"), std::string::npos) << evidence_of(roll);
  EXPECT_NEAR(roll.dimension, 2, 0.3);

  Array2<double> pieces = normal_matrix(90, 3, 1);
  for (Index i = 0; i < 90; ++i) pieces(i, 0) += static_cast<double>(i % 3) * 100;
  const Advice apart = advise(pieces, {.methods = {"pca", "laplacian_eigenmaps"}});
  EXPECT_EQ(apart.graphs.front().components, 3);
  EXPECT_NE(evidence_of(apart).find("splits the data in 3 parts"), std::string::npos) << evidence_of(apart);
}

TEST(Advise, SaysHowToReadTheMap) {
  const Advice islands = advise(normal_matrix(200, 20, 1), {.methods = {"tsne"}});
  EXPECT_NE(reading_of(islands).find("Distances between clusters mean nothing"), std::string::npos);
  ASSERT_EQ(islands.seeds.size(), 2U);
  EXPECT_NE(evidence_of(islands).find("ther seeds"), std::string::npos) << evidence_of(islands);
  EXPECT_NE(evidence_of(islands).find("cannot keep all neighborhoods"), std::string::npos) << evidence_of(islands);

  Array2<double> strip(400, 2);  // 40 times as long as wide: the second eigenvector is a harmonic of the first
  for (Index i = 0; i < 400; ++i) {
    strip(i, 0) = 0.1 * static_cast<double>(i);
    strip(i, 1) = 0.01 * static_cast<double>(i % 3);
  }
  const Advice long_strip = advise(strip, {.methods = {"laplacian_eigenmaps"}});
  EXPECT_NE(reading_of(long_strip).find("Coordinate 2 of the map repeats"), std::string::npos)
      << reading_of(long_strip);
}

TEST(Advise, OfASampleSaysSo) {
  const Advice advice = advise(make_dataset("s_curve", 400).points, {.methods = {"pca"}, .max_points = 150});
  EXPECT_EQ(advice.n_points, 400);
  EXPECT_EQ(advice.sample, 150);
  EXPECT_EQ(best_of(advice).run.coordinates.rows(), 150);
  EXPECT_NE(evidence_of(advice).find("150 of the 400"), std::string::npos) << evidence_of(advice);
}

TEST(Advise, FailuresAreInTheTable) {
  const Advice advice = advise(normal_matrix(40, 3, 1), {.methods = {"pca", "isomap:k=60"}});
  EXPECT_EQ(best_of(advice).run.name, "pca");
  EXPECT_FALSE(advice.tried.back().area);
  EXPECT_TRUE(advice.tried.back().run.error);
}

TEST(Advise, DoesNotDependOnThreads) {
  const Array2<double> x = make_dataset("torus", 250).points;
  const AdviceOptions options{.methods = {"pca", "isomap", "umap", "tsne"}};
  const Advice one = advise(x, options, {.threads = 1}), more = advise(x, options, {.threads = 3});
  ASSERT_EQ(one.tried.size(), more.tried.size());
  for (std::size_t i = 0; i < one.tried.size(); ++i) {
    EXPECT_EQ(one.tried[i].run.label, more.tried[i].run.label);
    EXPECT_EQ(one.tried[i].area, more.tried[i].area);
  }
  EXPECT_EQ(one.evidence, more.evidence);
  EXPECT_EQ(one.reading, more.reading);
}

Comparison compared_for_a_page(const Array2<double>& x, const ComparisonOptions& options) {
  Comparer comparer(x, {}, options, {});
  while (comparer.next()) {
  }
  comparer.measure_curves();
  return comparer.take();
}

TEST(AddAdvice, SaysOfComparedMapsWhatAdviseSays) {
  const Array2<double> x = make_dataset("swiss_roll", 1000).points;
  const ComparisonOptions options{.methods = {"pca", "isomap", "laplacian_eigenmaps", "isomap:k=60"}};
  const Comparison comparison = compared_for_a_page(x, options);
  PageSection section;
  add_advice(section, x, comparison, options);
  EXPECT_EQ(section.advised, "isomap");
  const std::string why = joined(section.advice, " ");
  for (const char* words : {"isomap keeps neighborhoods of all sizes", "the best other method is", "short-circuit",
                            "The data have about 2 dimensions near a point"})
    EXPECT_NE(why.find(words), std::string::npos) << words << ": " << why;
  ASSERT_EQ(section.reading.size(), 4U);
  EXPECT_NE(joined(section.reading[0], " ").find("Distances are those of the data"), std::string::npos);
  const Advice alone = advise(x, {.methods = {"isomap:k=10"}});
  const auto same = std::find_if(alone.tried.begin(), alone.tried.end(),
                                 [](const TriedMap& map) { return map.run.label == "isomap:k=10"; });
  ASSERT_NE(same, alone.tried.end());
  EXPECT_NE(why.find(fmt::format("with {:.3f} (area", *same->area)), std::string::npos) << why;
}

TEST(AddAdvice, SaysNothingWithoutMapsOrCurves) {
  const Array2<double> x = normal_matrix(60, 3, 1);
  PageSection section;
  add_advice(section, x, compare(x, {}, {.methods = {"pca"}}), {});
  EXPECT_TRUE(section.advised.empty());
  add_advice(section, x, compared_for_a_page(x, {.methods = {"isomap:k=70", "spectral_clustering"}}), {});
  EXPECT_TRUE(section.advised.empty());
  add_advice(section, x, compared_for_a_page(x, {.methods = {"spectral_clustering", "isomap:k=70", "pca"}}), {});
  EXPECT_EQ(section.advised, "pca");
  EXPECT_TRUE(section.reading[0].empty() && section.reading[1].empty() && !section.reading[2].empty());
}

TEST(AddAdvice, RecommendsNoMapThatIsWorthless) {
  const Array2<double> x = normal_matrix(200, 60, 1);
  const Comparison noise = compared_for_a_page(x, {.methods = {"lle"}});
  ASSERT_TRUE(worthless_maps(noise).front());
  PageSection section;
  add_advice(section, x, noise, {});
  EXPECT_TRUE(section.advised.empty());
}

TEST(AddAdvice, LooksAtScaledPoints) {
  Array2<double> x = make_dataset("s_curve", 300).points;
  for (Index i = 0; i < x.rows(); ++i) x(i, 1) *= 1e6;
  const ComparisonOptions options{.methods = {"pca"}, .scale = Scaling::Standardize};
  PageSection section;
  add_advice(section, x, compared_for_a_page(x, options), options);
  EXPECT_NE(joined(section.advice, " ").find("about 2 dimensions"), std::string::npos) << joined(section.advice, " ");
}

TEST(Advise, RefusesWhatItCannotTry) {
  const Array2<double> x = normal_matrix(50, 3, 1);
  expect_error(ErrorKind::InvalidData, "20", [] { advise(normal_matrix(19, 3, 1)); });
  expect_error(ErrorKind::InvalidOption, "none that makes a map",
               [&] { advise(x, {.methods = {"spectral_clustering"}}); });
  expect_error(ErrorKind::InvalidData, "square", [&] { advise(x, {.metric = Metric::Precomputed}); });
}

}  // namespace
}  // namespace unroll
