#include "neighbors/cell_search.h"

#include <gtest/gtest.h>

#include <numeric>

#include "neighbors/block_search.h"
#include "support/point_clouds.h"

namespace unroll {
namespace {

/// Points as the approximate search sees them.
struct CellCase {
  explicit CellCase(PointsView points)
      : rows(metric_rows(points, Metric::Euclidean, metric_scale(points, {}), {})),
        search(rows, Metric::Euclidean, 0, {}),
        floats(sketch_floats(search.blocks(), {})),
        cells(floats, {}) {}
  MetricRows rows;
  BlockSearch search;
  SketchFloats floats;
  Cells cells;
};

/// The estimate by the leading coordinates, in double.
double leading_estimate(const SketchFloats& floats, Index i, Index j) {
  double sum = static_cast<double>(floats.beyond_of(i)) + static_cast<double>(floats.beyond_of(j));
  for (Index c = 0; c < floats.depth; ++c) {
    const double difference = static_cast<double>(floats.row(i)[c]) - static_cast<double>(floats.row(j)[c]);
    sum += difference * difference;
  }
  return sum;
}

TEST(Cells, ContainEveryPointOnceAndAreNotLarge) {
  for (const Array2<double>& x :
       {normal_matrix(3000, 10, 1), normal_matrix(1000, 300, 2), with_duplicates(2500, 4, 900, 3),
        Array2<double>(1500, 3), two_clusters(1990, 10, 5, 1e-3, 1e3, 4)}) {
    const CellCase data(x);
    std::vector<int> seen(static_cast<std::size_t>(x.rows()));
    for (Index cell = 0; cell < data.cells.count(); ++cell) {
      EXPECT_GE(data.cells.size(cell), 1);
      EXPECT_LE(data.cells.size(cell), 2 * LocalBlocks::kBlock);
      EXPECT_EQ(data.cells.nearest(cell, 3)[0], cell);
      for (const Place place : data.cells.members(cell)) {
        ++seen[static_cast<std::size_t>(place)];
        EXPECT_EQ(data.cells.cell_of(place), cell);
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), x.rows());
  }
}

TEST(CellSearch, FindsTheLeastEstimatesAtALargeReach) {
  constexpr Index kKept = 20;
  for (const Array2<double>& x : {normal_matrix(2000, 10, 5), normal_matrix(1500, 300, 6)}) {
    const CellCase data(x);
    CellSearch search(data.floats, data.cells, 10, kKept);
    for (Index cell = 0; cell < data.cells.count(); cell += 3) {
      const std::vector<Index> slots{0, data.cells.size(cell) - 1};
      search.start(cell, slots);
      search.extend(1e30F);
      for (const Index row : {0, 1}) {
        const Place place = data.cells.members(cell)[static_cast<std::size_t>(slots[static_cast<std::size_t>(row)])];
        std::vector<double> all;
        for (Index other = 0; other < x.rows(); ++other)
          if (other != place) all.push_back(leading_estimate(data.floats, place, other));
        std::sort(all.begin(), all.end());
        std::vector<Near> found(search.nearest(row).begin(), search.nearest(row).end());
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found.size(), static_cast<std::size_t>(kKept));
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_NEAR(static_cast<double>(found[i].estimate()), all[i], 1e-5 * all[i]);
          EXPECT_NEAR(static_cast<double>(found[i].estimate()), leading_estimate(data.floats, place, found[i].place()),
                      1e-5 * all[i]);
        }
      }
    }
  }
}

TEST(CellSearch, LooksIntoACellFromItsReachOn) {
  const Array2<double> x = normal_matrix(4000, 6, 7);
  const CellCase data(x);
  const std::vector<Index> slots{0};
  const auto finds = [&](Index cell, float reach, Index in) {
    CellSearch search(data.floats, data.cells, 5, x.rows());  // keeps all
    search.start(cell, slots);
    search.extend(reach);
    const auto near = search.nearest(0);
    return std::any_of(near.begin(), near.end(), [&](Near one) { return data.cells.cell_of(one.place()) == in; });
  };
  int tried = 0;
  for (Index cell = 0; cell < data.cells.count(); ++cell) {
    CellSearch search(data.floats, data.cells, 5, x.rows());
    search.start(cell, slots);
    for (const Index other : data.cells.nearest(cell, 6)) {
      const float reach = search.reach_to(0, other);
      if (!(reach > 0)) {
        EXPECT_TRUE(finds(cell, 0, other));
        continue;
      }
      ++tried;
      EXPECT_TRUE(finds(cell, reach * 1.001F, other));
      EXPECT_FALSE(finds(cell, reach * 0.999F, other));
    }
  }
  EXPECT_GT(tried, 50);
}

}  // namespace
}  // namespace unroll
