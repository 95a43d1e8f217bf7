// t-SNE as a method: starts, going on from a model, odd data, new points.
#include "unroll/methods/tsne.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/distances.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/model_warnings.h"
#include "unroll/methods/pca.h"
#include "unroll/quality/quality.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

/// Three clusters in five dimensions.
Array2<double> clusters(Index n, std::uint64_t seed) {
  Array2<double> x = normal_matrix(n, 5, seed);
  for (Index i = 0; i < n; ++i) x(i, i % 3) += 12;
  return x;
}

bool is_finite(const Array2<double>& y) {
  return std::all_of(y.data(), y.data() + y.size(), [](double v) { return std::isfinite(v); });
}

TEST(TsneMethod, KeepsNeighborsTogether) {
  const Array2<double> x = clusters(300, 1);
  const Model model = tsne(x);
  const NeighborhoodQuality quality = neighborhood_quality(x, model.coordinates(), {.n_neighbors = 10});
  EXPECT_GT(quality.trustworthiness.value, 0.93);
  EXPECT_EQ(model.attribute<std::int64_t>("kl_sample"), 300);
  EXPECT_LT(model.attribute<double>("kl_divergence"), 1.5);
  EXPECT_GT(model.attribute<double>("kl_divergence"), 0);
}

TEST(TsneMethod, StartsWhereItIsTold) {
  const Array2<double> x = clusters(60, 2);
  Array2<double> start = normal_matrix(60, 2, 3);
  Input input(x);
  input.init = PointsView(start);
  EXPECT_EQ(tsne(input, {.n_iter = 0}).coordinates(), start);
  EXPECT_EQ(tsne(input, {.n_iter = 0, .init = LayoutStart::Given}).coordinates(), start);
  // The principal axes, in a small region.
  const Array2<double> axes = pca(x).coordinates(), small = tsne(x, {.n_iter = 0}).coordinates();
  EXPECT_NEAR(small(7, 0) / small(3, 0), axes(7, 0) / axes(3, 0), 1e-9);
  double squares = 0;
  for (Index i = 0; i < 60; ++i) squares += small(i, 0) * small(i, 0) / 60;
  EXPECT_NEAR(std::sqrt(squares), 1e-4, 1e-12);
  for (const LayoutStart init : {LayoutStart::Spectral, LayoutStart::Random})
    EXPECT_NE(tsne(x, {.n_iter = 0, .init = init}).coordinates(), small);
  EXPECT_NE(tsne(x, {.init = LayoutStart::Random}).coordinates(),
            tsne(x, {.init = LayoutStart::Random, .random_state = 1}).coordinates());
}

TEST(TsneMethod, StartsThatAreNoneAreRefused) {
  const Array2<double> x = clusters(60, 2);
  Array2<double> start = normal_matrix(60, 2, 3);
  Input input(x);
  input.init = PointsView(start);
  expect_error(ErrorKind::InvalidOption, "init=pca, but a start came with the input",
               [&] { tsne(input, {.init = LayoutStart::Pca}); });
  expect_error(ErrorKind::InvalidData,
               "the start has 60 rows and 2 columns, but the map has 60 points and 3 components",
               [&] { tsne(input, {.n_components = 3}); });
  expect_error(ErrorKind::InvalidOption, "init=given, but no start came",
               [&] { tsne(x, {.init = LayoutStart::Given}); });
  expect_error(ErrorKind::InvalidOption, "init=pca is for points, but the input is distances",
               [&] { tsne(DistancesView{distances_between(x)}, {.init = LayoutStart::Pca}); });
  expect_error(ErrorKind::Unsupported, "pca: a start came with the input", [&] { pca(input); });
  start(5, 1) = std::nan("");
  expect_error(ErrorKind::InvalidData, "NaN", [&] { tsne(input); });
}

TEST(TsneMethod, ResumedIsStraightAlsoFromAFile) {
  const Array2<double> x = clusters(90, 4);
  const TsneOptions whole{.n_iter = 400, .scale = Scaling::Standardize};
  TsneOptions part = whole;
  const Model straight = tsne(x, whole);
  for (const Index pause : {1, 130, 299}) {
    part.n_iter = pause;
    const Model first = tsne(x, part), loaded = load_model(first.bytes(), "a file");
    for (const Model* from : {&first, &loaded}) {
      Input input(x);
      input.resume = from;
      const Model resumed = tsne(input, whole);
      EXPECT_TRUE(resumed.bytes() == straight.bytes()) << pause;
    }
  }
}

TEST(TsneMethod, AnInterruptedFitCanGoOn) {
  const Array2<double> x = clusters(90, 4);
  const Model straight = tsne(x);
  const unroll::Run interrupted{.progress = [](const Progress& progress) -> Answer {
    return progress.frame != nullptr && progress.fraction > 0.3 ? Answer::FinishHere : Answer::Continue;
  }};
  const Model first = tsne(x, {}, interrupted);
  EXPECT_TRUE(has_warning(first, "finished-early"));
  EXPECT_LT(first.attribute<std::int64_t>("n_iter"), 300);
  Input input(x);
  input.resume = &first;
  EXPECT_TRUE(tsne(input).bytes() == straight.bytes());
}

TEST(TsneMethod, ModelsOfOtherFitsAreNotGoneOnFrom) {
  const Array2<double> x = clusters(60, 5);
  const Model half = tsne(x, {.n_iter = 100}), axes = pca(x);
  Input input(x);
  input.resume = &axes;
  expect_error(ErrorKind::InvalidOption, "tsne: the model to go on from is of pca", [&] { tsne(input); });
  input.resume = &half;
  expect_error(ErrorKind::InvalidOption, "perplexity=7, but the model to go on from has 19.6",
               [&] { tsne(input, {.perplexity = {{7}}}); });
  expect_error(ErrorKind::InvalidOption, "n_iter=99 must be at least 100", [&] { tsne(input, {.n_iter = 99}); });
  expect_error(ErrorKind::Unsupported, "isomap: a model to go on from",
               [&] { find_method("isomap").fit(input, {}, {}); });
  const Array2<double> other = clusters(61, 5);
  Input more(other);
  more.resume = &half;
  expect_error(ErrorKind::InvalidData, "is of 60 points with 5 features, the input has 61 with 5", [&] { tsne(more); });
  const Array2<double> start = normal_matrix(60, 2, 3);
  input.init = PointsView(start);
  expect_error(ErrorKind::InvalidOption, "two starts", [&] { tsne(input); });
}

TEST(TsneMethod, FewAndEqualPointsAreDefined) {
  for (const Index n : {2, 3, 4, 7}) {
    const Model model = tsne(clusters(n, 6), {.n_components = 1});
    EXPECT_TRUE(is_finite(model.coordinates())) << n;
  }
  expect_error(ErrorKind::InvalidData, "a minimum of 2", [] { tsne(clusters(1, 6), {.n_components = 1}); });
  const Model equal = tsne(Array2<double>(40, 3));
  EXPECT_EQ(equal.coordinates(), Array2<double>(40, 2));
  EXPECT_TRUE(has_warning(equal, "equal-points"));
  // On a line the map still uses its second dimension.
  Array2<double> line(40, 1);
  for (Index i = 0; i < 40; ++i) line(i, 0) = static_cast<double>(i * i);
  const Array2<double> flat = tsne(line).coordinates();
  double second = 0;
  for (Index i = 0; i < 40; ++i) second = std::max(second, std::abs(flat(i, 1)));
  EXPECT_GT(second, 1e-3);
}

TEST(TsneMethod, PerplexitiesThatDoNotFitAreSaid) {
  const Array2<double> x = clusters(30, 7);
  expect_error(ErrorKind::InvalidOption, "perplexity=30 must be less than the number of points, 30",
               [&] { tsne(x, {.perplexity = {{30}}}); });
  EXPECT_TRUE(has_warning(tsne(x, {.perplexity = {{20}}}), "large-perplexity"));
  EXPECT_FALSE(has_warning(tsne(x), "large-perplexity"));
  EXPECT_NE(tsne(x, {.perplexity = {{3, 9}}}).coordinates(), tsne(x, {.perplexity = {{9}}}).coordinates());
}

TEST(TsneMethod, UniformAffinitiesLookAtFewNeighbors) {
  const Array2<double> x = clusters(300, 1);
  TsneOptions options{.affinity = NeighborAffinity::Uniform};
  EXPECT_EQ(TsneOptions::needed_neighbors(options, 300), 15);
  EXPECT_EQ(TsneOptions::needed_neighbors({}, 300), 90);
  const Model model = tsne(x, options);
  EXPECT_GT(neighborhood_quality(x, model.coordinates(), {.n_neighbors = 10}).trustworthiness.value, 0.93);
  EXPECT_NE(model.coordinates(), tsne(x, {.perplexity = {{15}}}).coordinates());
  EXPECT_FALSE(has_warning(model, "large-perplexity"));
  EXPECT_TRUE(is_finite(tsne(clusters(5, 1), options).coordinates()));  // fewer neighbors than 15
  options.perplexity = {{7}};
  EXPECT_EQ(TsneOptions::needed_neighbors(options, 300), 7);
  options.perplexity = {{7, 9}};
  expect_error(ErrorKind::InvalidOption, "affinity=uniform has one perplexity", [&] { tsne(x, options); });
}

/// A grid or a tree, with attraction in single precision, goes the way of the exact forces.
TEST(TsneMethod, AllForcesLeadToTheSamePlaces) {
  const Array2<double> x = clusters(400, 12);
  for (const Index dims : {1, 2, 3}) {
    const Array2<double> start = normal_matrix(400, dims, 13);
    Input input(x);
    input.init = PointsView(start);
    const TsneOptions exact{
        .n_components = dims, .early_exaggeration_iter = 0, .n_iter = 40, .gradient = PairForces::Exact};
    const Array2<double> expected = tsne(input, exact).coordinates();
    for (const PairForces forces : {PairForces::Fft, PairForces::Tree}) {
      if (dims > 2 && forces == PairForces::Fft) continue;
      TsneOptions fast = exact;
      fast.gradient = forces;
      const Array2<double> found = tsne(input, fast).coordinates();
      double difference = 0, moved = 0;
      for (Index i = 0; i < found.size(); ++i) {
        difference += std::pow(found.data()[i] - expected.data()[i], 2);
        moved += std::pow(start.data()[i] - expected.data()[i], 2);
      }
      EXPECT_LT(std::sqrt(difference / moved), 0.02) << dims << " " << name_of(forces);
    }
  }
}

TEST(TsneMethod, HugeLearningRatesAreWarnedOf) {
  const Model model = tsne(clusters(60, 8), {.learning_rate = 1e300});
  EXPECT_TRUE(is_finite(model.coordinates()));
  EXPECT_TRUE(has_warning(model, "cut-steps"));
  EXPECT_TRUE(is_finite(tsne(clusters(60, 8), {.learning_rate = 1e-300}).coordinates()));
  EXPECT_TRUE(is_finite(tsne(clusters(60, 8), {.early_exaggeration = 1e300}).coordinates()));
}

TEST(TsneMethod, NewPointsGoToTheirCluster) {
  const Array2<double> x = clusters(300, 9), fresh = clusters(30, 10);
  const Model model = tsne(x);
  const Array2<double> placed = model.transform(fresh);
  const Array2<double>& y = model.coordinates();
  for (Index i = 0; i < fresh.rows(); ++i) {
    Index nearest = 0;
    double least = INFINITY;
    for (Index j = 0; j < y.rows(); ++j) {
      const double squared = std::pow(y(j, 0) - placed(i, 0), 2) + std::pow(y(j, 1) - placed(i, 1), 2);
      if (squared < least) least = squared, nearest = j;
    }
    EXPECT_EQ(nearest % 3, i % 3) << i;
  }
}

TEST(TsneMethod, CopiesHaveThePlaceOfTheFirst) {
  Array2<double> x = clusters(60, 11);
  std::copy_n(x.row(8), 5, x.row(40));
  const Model model = tsne(x);
  const Array2<double> placed = model.transform(x);
  for (Index i = 0; i < 60; ++i)
    for (Index d = 0; d < 2; ++d) EXPECT_EQ(placed(i, d), model.coordinates()(i == 40 ? 8 : i, d)) << i;
}

}  // namespace
}  // namespace unroll
