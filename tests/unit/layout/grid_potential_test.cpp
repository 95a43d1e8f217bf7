// Potentials on a grid, against the sums that define them.
#include "layout/grid_potential.h"

#include <gtest/gtest.h>

#include <cmath>

#include "layout/gauss_repulsion.h"
#include "support/matrices.h"

namespace unroll {
namespace {

/// Points within a square, or on a line, of this side.
Array2<double> spread_map(Index n, Index dims, double extent) {
  Array2<double> map = normal_matrix(n, dims, 11);
  for (Index i = 0; i < map.size(); ++i) map.data()[i] *= extent / 8;
  return map;
}

struct Plain {
  double potential = 0;
  std::array<double, 2> slope = {};
};

/// Of the kernel exp(-r^2).
Plain plain_gauss(const Array2<double>& map, const std::vector<float>& charges, const double* place) {
  Plain sum;
  for (Index j = 0; j < map.rows(); ++j) {
    double squared = 0;
    for (Index d = 0; d < map.cols(); ++d) squared += std::pow(place[d] - map(j, d), 2);
    const double own = (charges.empty() ? 1.0 : static_cast<double>(charges[static_cast<std::size_t>(j)]));
    sum.potential += own * std::exp(-squared);
    for (Index d = 0; d < map.cols(); ++d)
      sum.slope[static_cast<std::size_t>(d)] += -2 * own * std::exp(-squared) * (place[d] - map(j, d));
  }
  return sum;
}

class GaussPotential : public testing::TestWithParam<std::tuple<Index, double, bool>> {};
INSTANTIATE_TEST_SUITE_P(DimensionsAndExtents, GaussPotential,
                         testing::Combine(testing::Values(1, 2), testing::Values(1e-3, 0.3, 5.0, 30.0, 120.0),
                                          testing::Bool()));

TEST_P(GaussPotential, IsTheSumOverAllPoints) {
  const auto [dims, extent, has_charges] = GetParam();
  const Array2<double> map = spread_map(800, dims, extent);
  std::vector<float> charges;
  for (Index i = 0; has_charges && i < map.rows(); ++i) charges.push_back(static_cast<float>(i % 7) / 3);
  GridPotential potential(gauss_kernel());
  potential.lay(map, {});
  potential.make(map, charges, {});
  std::vector<double> found;
  Array2<double> slopes(map.rows(), dims);
  potential.at_points(map, found, slopes, {});
  double off = 0, norm = 0, slope_off = 0, slope_norm = 0;
  for (Index i = 0; i < map.rows(); ++i) {
    const Plain expected = plain_gauss(map, charges, map.row(i));
    off += std::pow(found[static_cast<std::size_t>(i)] - expected.potential, 2);
    norm += std::pow(expected.potential, 2);
    for (Index d = 0; d < dims; ++d) {
      slope_off += std::pow(slopes(i, d) - expected.slope[static_cast<std::size_t>(d)], 2);
      slope_norm += std::pow(expected.slope[static_cast<std::size_t>(d)], 2);
    }
  }
  EXPECT_LT(std::sqrt(off / norm), 1e-4);
  EXPECT_LT(std::sqrt(slope_off / slope_norm), 1e-3);
  // Between the points too.
  std::array<double, 2> place = {};
  for (Index d = 0; d < dims; ++d) place[static_cast<std::size_t>(d)] = (map(3, d) + 2 * map(8, d)) / 3;
  ASSERT_TRUE(potential.contains(place.data(), dims));
  const Plain expected = plain_gauss(map, charges, place.data());
  EXPECT_NEAR(potential.value_at(place.data(), dims).potential, expected.potential, 1e-4 * (1 + expected.potential));
}

TEST(GridPotential, KnowsWhereTheMapEnds) {
  const Array2<double> map = spread_map(100, 2, 20);
  GridPotential potential(gauss_kernel());
  potential.lay(map, {});
  EXPECT_TRUE(potential.contains(map.row(17), 2));
  const double far[2] = {100, 0};
  EXPECT_FALSE(potential.contains(far, 2));
}

}  // namespace
}  // namespace unroll
