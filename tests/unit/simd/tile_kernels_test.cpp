#include "simd/tile_kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "support/matrices.h"
#include "support/runnable_kernels.h"

namespace unroll {
namespace {

/// Representable numbers between two that are not negative.
double ulps_between(double a, double b) {
  a += 0.0, b += 0.0;  // not -0
  return std::abs(static_cast<double>(std::bit_cast<std::int64_t>(a) - std::bit_cast<std::int64_t>(b)));
}

TEST(TileKernels, ExpIsWithinTwoUlpOverTheWholeRange) {
  std::vector<double> x;
  for (double v = -746; v < 710; v += 0.00137) x.push_back(v);
  for (double v = -746; v < -708; v += 0.000031) x.push_back(v);  // results below the smallest normal number
  for (int e = -1074; e < 8; ++e)
    for (const double m : {1.0, 1.37, -1.0, -1.93}) x.push_back(std::ldexp(m, e));
  const double ln2 = std::log(2.0);
  for (int k = -1074; k < 1024; ++k)  // where the reduced argument changes its sign and where it is largest
    for (const double part : {0.0, 0.5}) {
      const double at = (k + part) * ln2;
      x.insert(x.end(), {at, std::nextafter(at, 1e9), std::nextafter(at, -1e9)});
    }
  for (const simd::Kernels* kernels : runnable_kernels()) {
    std::vector<double> y(x.size());
    kernels->tiles.exp(x.data(), std::ssize(x), 1, y.data());
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_LE(ulps_between(y[i], static_cast<double>(std::exp(static_cast<long double>(x[i])))), 2)
          << kernels->name << ": exp(" << x[i] << ") = " << y[i];
  }
}

TEST(TileKernels, ExpHasItsLimits) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> x{-inf, -1e308, -746, 0.0, -0.0, 710, 1e308, inf, std::nan(""), 1, 2};
  for (const simd::Kernels* kernels : runnable_kernels()) {
    std::vector<double> y = x;  // in place
    kernels->tiles.exp(y.data(), std::ssize(y), 1, y.data());
    const std::vector<double> expected{0, 0, 0, 1, 1, inf, inf, inf};
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(y[i], expected[i]) << kernels->name << " " << x[i];
    EXPECT_TRUE(std::isnan(y[8])) << kernels->name;
  }
}

TEST(TileKernels, ExpMinusOneKeepsItsDigits) {
  std::vector<double> x{0.0, -1e308, -std::numeric_limits<double>::infinity()};
  for (double v = -60; v < 0; v += 0.000717) x.push_back(v);
  for (int e = -1020; e < 6; ++e)
    for (const double m : {-1.0, -1.37, -1.93}) x.push_back(std::ldexp(m, e));
  for (const simd::Kernels* kernels : runnable_kernels()) {
    std::vector<double> y(x.size());
    kernels->tiles.expm1(x.data(), std::ssize(x), 1, y.data());
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_LE(ulps_between(-y[i], static_cast<double>(-std::expm1(static_cast<long double>(x[i])))), 2)
          << kernels->name << ": " << x[i] << " " << y[i];
  }
}

TEST(TileKernels, ExpOfAnEntryDoesNotDependOnItsPlace) {
  const Array2<double> x = normal_matrix(1, 37, 3);
  for (const simd::Kernels* kernels : runnable_kernels()) {
    std::vector<double> all(37);
    kernels->tiles.exp(x.data(), 37, -2.5, all.data());
    for (Index i = 0; i < 37; ++i) {
      double one = 0;
      kernels->tiles.exp(x.data() + i, 1, -2.5, &one);
      EXPECT_EQ(one, all[static_cast<std::size_t>(i)]) << kernels->name;
    }
  }
}

TEST(TileKernels, SumsOverPairs) {
  for (const simd::Kernels* kernels : runnable_kernels())
    for (const Index rows : {1, 3, 4, 7})
      for (const Index depth : {1, 2, 13}) {
        const Index panels = 2, width = panels * simd::kPanel;
        const Array2<double> x = normal_matrix(rows, depth, 1), y = normal_matrix(width, depth, 2);
        Array2<double> panelled(panels * depth, simd::kPanel);
        for (Index i = 0; i < width; ++i)
          for (Index j = 0; j < depth; ++j) panelled(i / simd::kPanel * depth + j, i % simd::kPanel) = y(i, j);
        const auto expect = [&](auto add, auto term) {
          Array2<double> out(rows, width);
          std::fill_n(out.data(), out.size(), 0.5);
          add({depth, rows, x.data(), panels, panelled.data(), out.data(), width});
          for (Index i = 0; i < rows; ++i)
            for (Index p = 0; p < width; ++p) {
              double sum = 0.5;
              for (Index j = 0; j < depth; ++j) sum += term(x(i, j), y(p, j));
              ASSERT_NEAR(out(i, p), sum, 1e-13) << kernels->name;
            }
        };
        expect(kernels->tiles.add_products, [](double a, double b) { return a * b; });
        expect(kernels->tiles.add_squared_differences, [](double a, double b) { return (a - b) * (a - b); });
        expect(kernels->tiles.add_differences, [](double a, double b) { return std::abs(a - b); });
      }
}

}  // namespace
}  // namespace unroll
