#include "unroll/methods/umap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/model_warnings.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

/// Clusters of normal points, far from each other; point i is in cluster i % count.
Array2<double> umap_clusters(Index n, Index count, double apart) {
  Array2<double> x = normal_matrix(n, 4, 3);
  for (Index i = 0; i < n; ++i) x(i, 0) += apart * static_cast<double>(i % count);
  return x;
}

double map_distance(const Array2<double>& y, Index i, Index j) {
  double sum = 0;
  for (Index k = 0; k < y.cols(); ++k) sum += (y(i, k) - y(j, k)) * (y(i, k) - y(j, k));
  return std::sqrt(sum);
}

/// The share of points whose nearest in the map has the same label.
double umap_label_agreement(const Array2<double>& y, const std::vector<std::int64_t>& labels) {
  double right = 0;
  for (Index i = 0; i < y.rows(); ++i) {
    Index nearest = i == 0 ? 1 : 0;
    for (Index j = 0; j < y.rows(); ++j)
      if (j != i && map_distance(y, i, j) < map_distance(y, i, nearest)) nearest = j;
    right += labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(nearest)] ? 1 : 0;
  }
  return right / static_cast<double>(y.rows());
}

void expect_finite_map(const Array2<double>& y) {
  for (Index i = 0; i < y.size(); ++i) ASSERT_TRUE(std::isfinite(y.data()[i]));
}

TEST(Umap, PartsLieSideBySide) {
  const Array2<double> x = umap_clusters(300, 3, 100);
  const Model model = umap(x, {.n_neighbors = 10});
  EXPECT_EQ(model.attribute<std::int64_t>("components"), 3);
  EXPECT_TRUE(has_warning(model, "several-components"));
  std::vector<std::int64_t> of;
  for (std::int64_t i = 0; i < 300; ++i) of.push_back(i % 3);
  EXPECT_EQ(umap_label_agreement(model.coordinates(), of), 1);
}

TEST(Umap, LabelsTellApartWhatTheDataDoNot) {
  const Array2<double> x = normal_matrix(300, 3, 5);
  std::vector<std::int64_t> labels, known;
  for (std::int64_t i = 0; i < 300; ++i) {
    labels.push_back(i % 2);
    known.push_back(i < 200 ? i % 2 : -1);
  }
  const double blind = umap_label_agreement(umap(x).coordinates(), labels);
  Input input(x);
  input.labels = labels;
  EXPECT_GT(umap_label_agreement(umap(input, {.target_weight = 0.9}).coordinates(), labels), blind + 0.3);
  input.labels = known;
  expect_finite_map(umap(input).coordinates());
  EXPECT_NE(umap(input).coordinates(), umap(x).coordinates());
}

TEST(Umap, TargetsBringEqualNumbersTogether) {
  const Array2<double> x = normal_matrix(300, 3, 5);
  std::vector<double> targets;
  for (Index i = 0; i < 300; ++i) targets.push_back(static_cast<double>((i * 7) % 300));
  const auto mean_distance = [&](const Array2<double>& y) {  // of points with adjacent numbers, relative to any two
    double near = 0, far = 0;
    for (Index i = 0; i < 300; ++i) {
      near += map_distance(y, i, (i + 43) % 300);  // 43 * 7 = 301
      far += map_distance(y, i, (i + 150) % 300);
    }
    return near / far;
  };
  Input input(x);
  input.targets = targets;
  EXPECT_LT(mean_distance(umap(input, {.target_weight = 0.8}).coordinates()),
            0.5 * mean_distance(umap(x).coordinates()));
}

TEST(Umap, TargetsAreChecked) {
  const Array2<double> x = normal_matrix(30, 3, 5);
  const std::vector<std::int64_t> labels(29);
  std::vector<double> targets(30);
  Input input(x);
  input.labels = labels;
  expect_error(ErrorKind::InvalidData, "umap: there are 29 labels, but 30 points", [&] { umap(input); });
  input.labels = {};
  targets[4] = std::nan("");
  input.targets = targets;
  expect_error(ErrorKind::InvalidData, "row 5 has a target that is not finite", [&] { umap(input); });
  targets[4] = 0;
  expect_error(ErrorKind::Unsupported, "does not look at them", [&] { find_method("pca").fit(input, {}, {}); });
}

TEST(Umap, OptionsThatDoNotGoTogether) {
  const Array2<double> x = normal_matrix(30, 3, 5);
  expect_error(ErrorKind::InvalidOption, "a and b are given together", [&] { umap(x, {.a = 1.0}); });
  expect_error(ErrorKind::InvalidOption, "min_dist=2 must be at most spread=1", [&] { umap(x, {.min_dist = 2}); });
  expect_error(ErrorKind::NotConverged, "the map left the range of numbers",
               [&] { umap(x, {.learning_rate = 1e300}); });
  const Array2<double> bad(30, 3);
  Input input(x);
  input.init = bad;
  expect_error(ErrorKind::InvalidData, "the start has 30 rows and 3 columns", [&] { umap(input); });
  Array2<double> holed(30, 2);
  holed(3, 1) = std::nan("");
  input.init = holed;
  expect_error(ErrorKind::InvalidData, "NaN", [&] { umap(input); });
}

TEST(Umap, GoesOnFromAModelWithoutATrace) {
  const Array2<double> x = normal_matrix(200, 3, 5);
  const Model straight = umap(x, {.n_epochs = 100});
  int reports = 0;
  const unroll::Run impatient{.progress = [&](const Progress& progress) -> Answer {
    return progress.stage == "UMAP" && ++reports == 30 ? Answer::FinishHere : Answer::Continue;
  }};
  const Model early = umap(x, {.n_epochs = 100}, impatient);
  EXPECT_TRUE(has_warning(early, "finished-early"));
  EXPECT_NE(early.coordinates(), straight.coordinates());
  const Model kept = load_model(early.bytes(), "memory");
  Input input(x);
  input.resume = &kept;
  EXPECT_EQ(umap(input, {.n_epochs = 100}).coordinates(), straight.coordinates());
  expect_error(ErrorKind::InvalidOption, "n_epochs=200, but the model to go on from has 100",
               [&] { umap(input, {.n_epochs = 200}); });
}

TEST(Umap, NewPointsAreNearTheirNeighbors) {
  const Array2<double> x = umap_clusters(600, 3, 8), fresh = umap_clusters(60, 3, 8);
  const Model model = umap(x);
  Array2<double> moved = fresh;
  for (Index i = 0; i < moved.size(); ++i) moved.data()[i] += 0.05;
  const Array2<double> placed = model.transform(moved);
  Index right = 0;
  for (Index i = 0; i < 60; ++i) {
    Index nearest = 0;
    for (Index j = 0; j < 600; ++j) {
      const auto gap = [&](Index of) {
        return std::hypot(placed(i, 0) - model.coordinates()(of, 0), placed(i, 1) - model.coordinates()(of, 1));
      };
      if (gap(j) < gap(nearest)) nearest = j;
    }
    right += nearest % 3 == i % 3 ? 1 : 0;
  }
  EXPECT_GE(right, 59);
}

TEST(Umap, OneToTenDimensions) {
  const Array2<double> x = normal_matrix(60, 12, 5);
  for (std::int64_t d = 1; d <= 10; ++d) {
    const Model model = umap(x, {.n_components = d, .n_epochs = 20});
    EXPECT_EQ(model.coordinates().cols(), d);
    expect_finite_map(model.coordinates());
  }
}

TEST(Umap, FewPointsAndEdgesAreDefined) {
  for (const Index n : {2, 3, 4}) expect_finite_map(umap(normal_matrix(n, 3, 1), {.n_components = 1}).coordinates());
  const SparseMatrix graph{.rows = 4, .cols = 4, .offsets = {0, 1, 2, 2, 2}, .columns = {1, 0}, .values = {2, 2}};
  const Model model = umap(SparseDistances(graph), {});
  expect_finite_map(model.coordinates());
  EXPECT_EQ(model.attribute<std::int64_t>("components"), 3);
}

}  // namespace
}  // namespace unroll
