// The autoencoder as a method: better than PCA where data are curved, going on from a model, odd data.
#include "unroll/methods/autoencoder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/model_warnings.h"
#include "unroll/methods/pca.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

/// A sheet bent to the letter S, in three dimensions.
Array2<double> curved_sheet(Index n, std::uint64_t seed) {
  const Random random(seed, "curved sheet");
  Array2<double> x(n, 3);
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    const double t = 3 * std::numbers::pi * (random.uniform(at, 0) - 0.5);
    x(i, 0) = std::sin(t), x(i, 1) = 3 * random.uniform(at, 1), x(i, 2) = (t < 0 ? -1 : 1) * (std::cos(t) - 1);
  }
  return x;
}

double mean_squared_distance(const Array2<double>& a, const Array2<double>& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += std::pow(a.data()[i] - b.data()[i], 2);
  return sum / static_cast<double>(a.rows());
}

/// Small, for tests that fit many times.
AutoencoderOptions quick() {
  return {.layers = {{12, 6}}, .epochs = 14, .pretrain_epochs = 3, .batch_size = 20, .learning_rate = 0.02};
}

TEST(Autoencoder, GivesACurvedSheetBackBetterThanPca) {
  const Array2<double> x = curved_sheet(500, 1), fresh = curved_sheet(200, 2);
  const Model model = autoencoder(x), axes = pca(x);
  const double ours = mean_squared_distance(model.inverse_transform(model.coordinates()), x);
  const double theirs = mean_squared_distance(axes.inverse_transform(axes.coordinates()), x);
  EXPECT_LT(ours, 0.5 * theirs);
  EXPECT_NEAR(model.attribute<double>("reconstruction_error"), ours, 1e-3 * ours);
  EXPECT_NEAR(model.attribute<double>("pca_error"), theirs, 1e-9 * theirs);
  // New points, too.
  EXPECT_LT(mean_squared_distance(model.inverse_transform(model.transform(fresh)), fresh),
            0.6 * mean_squared_distance(axes.inverse_transform(axes.transform(fresh)), fresh));
}

TEST(Autoencoder, SaysHowItsErrorsFell) {
  const Model model = autoencoder(curved_sheet(300, 1), quick());
  const auto& training = model.attribute<std::vector<double>>("training_loss");
  const auto& held_out = model.attribute<std::vector<double>>("held_out_loss");
  EXPECT_EQ(model.attribute<std::int64_t>("n_iter"), 14);
  EXPECT_EQ(model.attribute<std::int64_t>("n_held_out"), 30);
  ASSERT_EQ(training.size(), 14U);
  ASSERT_EQ(held_out.size(), 14U);
  EXPECT_LT(training.back(), training.front());
  EXPECT_LT(held_out.back(), 0.9);
  const auto& energy = *model.attribute<std::shared_ptr<const Array2<double>>>("free_energy");
  EXPECT_EQ(energy.rows(), 3);
  EXPECT_EQ(energy.cols(), 3);
  AutoencoderOptions none = quick();
  none.held_out = 0;
  EXPECT_TRUE(autoencoder(curved_sheet(60, 1), none).attribute<std::vector<double>>("held_out_loss").empty());
}

TEST(Autoencoder, StopsWhenThePointsHeldOutGainNothing) {
  // Independent noise in many dimensions has no code: what is learned is of no use for other points.
  AutoencoderOptions options = quick();
  options.epochs = 2000;
  const Model model = autoencoder(normal_matrix(400, 20, 3), options);
  EXPECT_LT(model.attribute<std::int64_t>("n_iter"), 1000);
  const auto& losses = model.attribute<std::vector<double>>("held_out_loss");
  EXPECT_LT(*std::min_element(losses.begin(), losses.end()), losses.back());
  // A model that has come to its end is not gone on from.
  const Array2<double> x = normal_matrix(400, 20, 3);
  Input again(x);
  again.resume = &model;
  options.epochs = 3000;
  EXPECT_EQ(autoencoder(again, options).coordinates(), model.coordinates());
}

TEST(Autoencoder, ResumedIsStraightAlsoFromAFile) {
  const Array2<double> x = curved_sheet(120, 4);
  for (const VisibleUnits visible : {VisibleUnits::Gaussian, VisibleUnits::Binary}) {
    AutoencoderOptions whole = quick(), part = whole;
    whole.visible = part.visible = visible;
    whole.scale = part.scale = Scaling::Standardize;
    const Model straight = autoencoder(x, whole);
    for (const Index pause : {0, 1, 9}) {
      part.epochs = pause;
      const Model first = autoencoder(x, part), loaded = load_model(first.bytes(), "a file");
      for (const Model* from : {&first, &loaded}) {
        Input input(x);
        input.resume = from;
        EXPECT_TRUE(autoencoder(input, whole).bytes() == straight.bytes()) << pause;
      }
    }
  }
}

TEST(Autoencoder, AnInterruptedFitCanGoOnAlsoFromPretraining) {
  const Array2<double> x = curved_sheet(120, 4);
  const Model straight = autoencoder(x, quick());
  for (const double pause : {0.01, 0.2, 0.7}) {
    const unroll::Run interrupted{.progress = [&](const Progress& progress) -> Answer {
      return progress.frame != nullptr && progress.fraction > pause ? Answer::FinishHere : Answer::Continue;
    }};
    const Model first = autoencoder(x, quick(), interrupted);
    EXPECT_TRUE(has_warning(first, "finished-early")) << pause;
    EXPECT_LT(first.attribute<std::int64_t>("n_iter"), 14);
    Input input(x);
    input.resume = &first;
    EXPECT_TRUE(autoencoder(input, quick()).bytes() == straight.bytes()) << pause;
  }
}

TEST(Autoencoder, WatchingDoesNotChangeTheResult) {
  const Array2<double> x = curved_sheet(120, 4);
  int frames = 0;
  const unroll::Run watched{.progress = [&](const Progress& progress) {
    if (progress.frame != nullptr) {
      EXPECT_TRUE(progress.loss.has_value());
      EXPECT_EQ(progress.frame->rows(), 120);
      ++frames;
    }
    return true;
  }};
  EXPECT_TRUE(autoencoder(x, quick(), watched).bytes() == autoencoder(x, quick()).bytes());
  EXPECT_EQ(frames, 3 * 3 + 14);
}

TEST(Autoencoder, ModelsOfOtherFitsAreNotGoneOnFrom) {
  const Array2<double> x = curved_sheet(120, 4);
  const Model half = autoencoder(x, quick());
  Input input(x);
  input.resume = &half;
  AutoencoderOptions other = quick();
  other.layers = {{12, 7}};
  expect_error(ErrorKind::InvalidOption, "layers=12,7, but the model to go on from has 12,6",
               [&] { autoencoder(input, other); });
  other = quick();
  other.epochs = 13;
  expect_error(ErrorKind::InvalidOption, "epochs=13 must be at least 14", [&] { autoencoder(input, other); });
  const Array2<double> start = normal_matrix(120, 2, 3);
  Input started(x);
  started.init = PointsView(start);
  expect_error(ErrorKind::Unsupported, "autoencoder: a start came with the input", [&] { autoencoder(started); });
}

TEST(Autoencoder, VisibleUnitsGoByTheDataAndTheirScaling) {
  const auto chosen = [](const Array2<double>& x, Scaling scale, std::optional<std::int64_t> pca = {}) {
    AutoencoderOptions options = quick();
    options.epochs = 0, options.pretrain_epochs = 0, options.scale = scale, options.pca = pca;
    const Model model = autoencoder(x, options);
    for (const NamedValue& option : model.options())
      if (option.name == "visible") return std::get<std::string>(option.value);
    return std::string();
  };
  Array2<double> x = curved_sheet(40, 4);
  EXPECT_EQ(chosen(x, Scaling::None), "gaussian");
  EXPECT_EQ(chosen(x, Scaling::MinMax), "binary");
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = 1 / (1 + std::exp(x.data()[i]));
  EXPECT_EQ(chosen(x, Scaling::None), "binary");
  EXPECT_EQ(chosen(x, Scaling::UnitRows), "binary");
  EXPECT_EQ(chosen(x, Scaling::Standardize), "gaussian");
  EXPECT_EQ(chosen(x, Scaling::MinMax, 2), "gaussian");  // on axes there are values below 0
}

TEST(Autoencoder, FewAndEqualPointsAreDefined) {
  for (const Index n : {2, 3, 4, 7})
    for (const Index features : {1, 3}) {
      const Model model = autoencoder(normal_matrix(n, features, 6), {.n_components = 1});
      EXPECT_EQ(model.coordinates().rows(), n);
      EXPECT_EQ(model.inverse_transform(model.coordinates()).cols(), features);
    }
  Array2<double> equal(40, 3);
  for (Index i = 0; i < equal.size(); ++i) equal.data()[i] = 4.25;
  const Model model = autoencoder(equal);
  EXPECT_TRUE(has_warning(model, "equal-points"));
  EXPECT_EQ(model.inverse_transform(model.coordinates()), equal);
  EXPECT_EQ(model.attribute<double>("reconstruction_error"), 0);
}

TEST(Autoencoder, WhatDoesNotFitIsRefused) {
  const Array2<double> x = curved_sheet(60, 4);
  expect_error(ErrorKind::InvalidOption, "layers is an empty list",
               [&] { autoencoder(x, {.layers = std::vector<std::int64_t>()}); });
  expect_error(ErrorKind::InvalidOption, "use a smaller pretrain_rate",
               [&] { autoencoder(x, {.pretrain_rate = 1e6}); });
  expect_error(ErrorKind::OutOfMemory, "use smaller layers", [&] {
    autoencoder(x, {.layers = {{1 << 20, 1 << 20}}}, {.memory_budget = std::uint64_t{1} << 30U});
  });
}

/// The codes and what they give back, in the units of the data, whatever these are.
TEST(Autoencoder, UnitsOfTheDataDoNotMatter) {
  const Array2<double> x = curved_sheet(60, 4);
  const Model plain = autoencoder(x, quick());
  for (const double unit : {1e150, 1e-150}) {
    Array2<double> scaled = x;
    for (Index i = 0; i < x.size(); ++i) scaled.data()[i] *= unit;
    const Model model = autoencoder(scaled, quick());
    EXPECT_LT(relative_difference(model.coordinates(), plain.coordinates()), 1e-10);
    Array2<double> back = model.inverse_transform(model.coordinates());
    for (Index i = 0; i < x.size(); ++i) back.data()[i] /= unit;
    EXPECT_LT(relative_difference(back, plain.inverse_transform(plain.coordinates())), 1e-10);
  }
}

}  // namespace
}  // namespace unroll
