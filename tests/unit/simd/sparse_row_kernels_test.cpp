#include "simd/sparse_row_kernels.h"

#include <gtest/gtest.h>

#include "support/matrices.h"
#include "support/runnable_kernels.h"
#include "support/sparse_rows.h"

namespace unroll {
namespace {

/// Whole numbers: every sum is exact, in whatever order.
TEST(SparseRowKernels, GatherAndScatterOnEveryInstructionSet) {
  constexpr Index kWidth = simd::kTableColumns;
  const Array2<double> x = sparse_counts(13, 21, 0.3), table = sparse_counts(21, kWidth, 0.8, 1),
                       scores = sparse_counts(13, kWidth, 0.8, 2);
  const SparseMatrix entries = entries_of(x);
  const NarrowRows narrow(entries);
  Array2<double> gathered(13, kWidth), scattered(21, kWidth);
  for (Index i = 0; i < 13; ++i)
    for (Index j = 0; j < 21; ++j)
      for (Index k = 0; k < kWidth; ++k) {
        gathered(i, k) += 2 * x(i, j) * table(j, k);
        scattered(j, k) += 2 * x(i, j) * scores(i, k);
      }
  for (const simd::Kernels* kernels : runnable_kernels()) {
    const auto run = [&]<class V, class P>(const CsrView<V, P>& rows) {
      const std::vector<Index> bounds(rows.offsets, rows.offsets + 14);
      const simd::SparseBlock<V, P> block{rows.values, rows.columns, bounds.data(), bounds.data() + 1, 13, 2.0};
      Array2<double> out(13, kWidth), sums(21, kWidth);
      kernels->sparse.of<V, P>().gather(block, table.data(), out.data());
      kernels->sparse.of<V, P>().scatter(block, scores.data(), sums.data());
      EXPECT_EQ(out, gathered) << kernels->name;
      EXPECT_EQ(sums, scattered) << kernels->name;
    };
    SparseRows(entries).visit(run);
    narrow.view().visit(run);
  }
}

}  // namespace
}  // namespace unroll
