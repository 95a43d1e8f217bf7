#include "report/rank_curves.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "unroll/quality/co_ranking.h"

namespace unroll {
namespace {

Array2<double> normal_points(Index n, Index cols, std::uint64_t seed) {
  const Random random(seed, "test.curves");
  Array2<double> points(n, cols);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < cols; ++j)
      points(i, j) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
  return points;
}

ComparedMethod with_map(Array2<double> map) {
  ComparedMethod method{.name = "a", .label = "a", .title = "a", .coordinates = std::move(map)};
  method.quality = Quality();
  return method;
}

TEST(RankCurves, AreThoseOfTheMapsOneByOne) {
  const Index n = 60;
  const Array2<double> points = normal_points(n, 3, 1);
  std::vector<ComparedMethod> methods{with_map(normal_points(n, 2, 2)), {.name = "failed"}, with_map(points)};
  const auto curves = rank_curves(points, methods, {}, {});
  ASSERT_TRUE(curves);
  EXPECT_EQ(curves->k, log_spaced_ranks(n - 2, 60));
  EXPECT_TRUE(curves->r_nx[1].empty());
  EXPECT_FALSE(curves->area[1]);
  for (const std::size_t i : {0U, 2U}) {
    const CoRanking alone = co_ranking(points, methods[i].coordinates, {});
    ASSERT_EQ(curves->r_nx[i].size(), curves->k.size());
    for (std::size_t at = 0; at < curves->k.size(); ++at)
      EXPECT_EQ(curves->r_nx[i][at], alone.r_nx[static_cast<std::size_t>(curves->k[at] - 1)]);
    EXPECT_EQ(curves->area[i]->value, alone.area.value);
  }
  EXPECT_EQ(curves->area[2]->value, 1) << "the points themselves";
}

TEST(RankCurves, AreMeasuredOnASampleOfManyPoints) {
  const Array2<double> points = normal_points(3000, 2, 1);
  const auto curves = rank_curves(points, {with_map(points)}, {}, {});
  ASSERT_TRUE(curves);
  EXPECT_EQ(curves->area[0]->sample, 5'000'000 / 3000);
}

TEST(RankCurves, NeedSomePointsAndAMap) {
  const Array2<double> points = normal_points(4, 2, 1);
  EXPECT_FALSE(rank_curves(points, {with_map(points)}, {}, {}));
  EXPECT_FALSE(rank_curves(normal_points(50, 2, 1), {{.name = "failed"}}, {}, {}));
}

}  // namespace
}  // namespace unroll
