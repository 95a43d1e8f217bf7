#include <gtest/gtest.h>

#include "affinity/kernel_source.h"
#include "affinity/mercer_kernel.h"
#include "affinity/pivoted_cholesky.h"
#include "sources/matrix_source.h"
#include "spectral/embedding.h"
#include "support/matrices.h"
#include "unroll/quality/quality.h"

namespace unroll {
namespace {

// The map by half of the pivots is computed from the factor of all of them, without their columns of the kernel.
TEST(FactorSource, PivotsByHalfAreThoseOfTheFactorAtHalf) {
  const Array2<double> x = normal_matrix(300, 3, 1);
  const MercerKernel kernel(x, {.kernel = Kernel::Rbf, .gamma = 0.2}, {});
  const ColumnSource columns = columns_of(kernel, x, {});
  for (const Index count : {20, 21}) {
    std::vector<Index> pivots, half;
    for (Index i = 0; i < count; ++i) pivots.push_back(11 * i + 2);
    for (std::size_t i = 0; i < pivots.size(); i += 2) half.push_back(pivots[i]);
    const PivotedCholesky factor = cholesky_at(columns, pivots, {}), at_half = cholesky_at(columns, half, {});
    ASSERT_EQ(factor.pivots, pivots);
    const SpectralSettings settings{.n_components = 3};
    const Array2<double> found = FactorSource(factor, {}).pivots_by_half(3, settings, {});
    const SpectralFit expected = embed(recipe(SpectralMethod::KernelPca), FactorSource(at_half, {}), settings, {});
    Array2<double> y(count, 3);
    for (Index i = 0; i < count; ++i)
      std::copy_n(expected.coordinates.row(pivots[static_cast<std::size_t>(i)]), 3, y.row(i));
    EXPECT_LT(procrustes(y, found, {}), 1e-14);  // a difference from 1: no smaller than its rounding
  }
}

}  // namespace
}  // namespace unroll
