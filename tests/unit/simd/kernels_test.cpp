#include "simd/kernels.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/matrices.h"
#include "support/runnable_kernels.h"

namespace unroll {
namespace {

template <class T>
void expect_plain_loops(const simd::PointKernels<T>& kernels, const Array2<T>& x, const char* name) {
  const Index rows = x.rows(), cols = x.cols(), panels = 2;
  const double scale = 0.25;
  std::vector<double> center(static_cast<std::size_t>(cols));
  for (std::size_t j = 0; j < center.size(); ++j) center[j] = 0.1 * static_cast<double>(j % 7);
  const auto z = [&](Index i, Index j) {
    return scale * static_cast<double>(x(i, j)) - center[static_cast<std::size_t>(j)];
  };

  std::vector<double> packed(static_cast<std::size_t>(rows * cols));
  kernels.pack(x.data(), cols, rows, cols, scale, center.data(), packed.data());
  std::vector<float> packed_float(packed.size());
  kernels.pack_float(x.data(), cols, rows, cols, scale, center.data(), packed_float.data());
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      ASSERT_EQ(packed[static_cast<std::size_t>(i * cols + j)], z(i, j)) << name;
      ASSERT_EQ(packed_float[static_cast<std::size_t>(i * cols + j)], static_cast<float>(z(i, j))) << name;
    }

  const Array2<double> axes = normal_matrix(panels * cols, simd::kPanel, 3);
  Array2<double> projected(rows, panels * simd::kPanel), expected(rows, panels * simd::kPanel);
  kernels.project(x.data(), cols, rows, cols, scale, center.data(), axes.data(), panels, projected.data());
  for (Index i = 0; i < rows; ++i)
    for (Index k = 0; k < panels * simd::kPanel; ++k)
      for (Index j = 0; j < cols; ++j) expected(i, k) += z(i, j) * axes(k / simd::kPanel * cols + j, k % simd::kPanel);
  EXPECT_LT(relative_difference(projected, expected), 1e-13) << name;

  std::vector<double> sum(center.size()), low(center.size(), 1e9), high(center.size(), -1e9);
  simd::ColumnStatistics statistics{sum.data(), low.data(), high.data(), true};
  kernels.column_statistics(x.data(), cols, rows, cols, scale, center.data(), &statistics);
  for (Index j = 0; j < cols; ++j) {
    double plain_sum = 0, plain_low = 1e9, plain_high = -1e9;
    for (Index i = 0; i < rows; ++i) {
      plain_sum += z(i, j);
      plain_low = std::min(plain_low, scale * static_cast<double>(x(i, j)));
      plain_high = std::max(plain_high, scale * static_cast<double>(x(i, j)));
    }
    const auto at = static_cast<std::size_t>(j);
    EXPECT_NEAR(sum[at], plain_sum, 1e-12);
    EXPECT_EQ(low[at], plain_low);
    EXPECT_EQ(high[at], plain_high);
  }
  EXPECT_FALSE(statistics.on_grid);
}

TEST(Kernels, EveryInstructionSetDoesWhatPlainLoopsDo) {
  for (const simd::Kernels* kernels : runnable_kernels()) {
    for (const auto& [rows, cols] : std::vector<std::pair<Index, Index>>{{1, 1}, {3, 5}, {4, 8}, {13, 300}}) {
      const Array2<double> x = normal_matrix(rows, cols, 1);
      expect_plain_loops(kernels->f64, x, kernels->name);
      expect_plain_loops(kernels->f32, as_float(x), kernels->name);
    }
  }
}

TEST(Kernels, GridIsRecognized) {
  for (const simd::Kernels* kernels : runnable_kernels()) {
    Array2<double> x(5, 19);
    for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i * 3 % 256);
    const auto on_grid = [&] {
      std::vector<double> shift(19), sum(19), low(19), high(19);
      simd::ColumnStatistics statistics{sum.data(), low.data(), high.data(), true};
      kernels->f64.column_statistics(x.data(), 19, 5, 19, 1.0 / 256, shift.data(), &statistics);
      return statistics.on_grid;
    };
    EXPECT_TRUE(on_grid()) << kernels->name;
    x(4, 18) += 0.5;
    EXPECT_FALSE(on_grid()) << kernels->name;
  }
}

}  // namespace
}  // namespace unroll
