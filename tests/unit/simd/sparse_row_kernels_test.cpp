#include "simd/sparse_row_kernels.h"

#include <gtest/gtest.h>

#include "support/matrices.h"
#include "support/runnable_kernels.h"
#include "support/sparse_rows.h"

namespace unroll {
namespace {

/// Whole numbers: every sum is exact, in whatever order.
TEST(SparseRowKernels, GatherAndScatterOnEveryInstructionSet) {
  const Array2<double> x = sparse_counts(13, 21, 0.3);
  const SparseMatrix entries = entries_of(x);
  const NarrowRows narrow(entries);
  for (const Index width : {8, 16, 24, 40, 64, 72}) {
    const Array2<double> table = sparse_counts(21, width, 0.8, 1), scores = sparse_counts(13, width, 0.8, 2);
    Array2<double> gathered(13, width), scattered(21, width);
    for (Index i = 0; i < 13; ++i)
      for (Index j = 0; j < 21; ++j)
        for (Index k = 0; k < width; ++k) {
          gathered(i, k) += 2 * x(i, j) * table(j, k);
          scattered(j, k) += 2 * x(i, j) * scores(i, k);
        }
    for (const simd::Kernels* kernels : runnable_kernels()) {
      const auto try_types = [&](const auto& view) {
        const std::vector<Index> bounds(view.offsets, view.offsets + 14);
        const auto run = [&]<class V, class P>(const CsrView<V, P>& rows) {
          const simd::SparseBlock<V, P> block{rows.values, rows.columns, bounds.data(), bounds.data() + 1, 13, 2.0};
          Array2<double> out(13, width), sums(21, width);
          kernels->sparse.of<V, P>().gather(block, table.data(), width, out.data());
          kernels->sparse.of<V, P>().scatter(block, scores.data(), width, sums.data());
          EXPECT_EQ(out, gathered) << kernels->name << " " << width;
          EXPECT_EQ(sums, scattered) << kernels->name << " " << width;
        };
        run(view);
      };
      SparseRows(entries).visit(try_types);
      narrow.view().visit(try_types);
    }
  }
}

}  // namespace
}  // namespace unroll
