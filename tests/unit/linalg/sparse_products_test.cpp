#include "linalg/sparse_products.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/self_products.h"
#include "support/matrices.h"
#include "support/sparse_rows.h"

namespace unroll {
namespace {

Array2<double> vectors(Index count, Index size) {
  const Random random(5, "vectors");
  Array2<double> q(count, size);
  for (Index i = 0; i < q.size(); ++i) q.data()[i] = random.normal(static_cast<std::uint64_t>(i), 0);
  return q;
}

TEST(SparseProducts, AreThoseOfTheDenseRows) {
  // More rows than a chunk, and more columns than a panel.
  for (const auto& [rows, cols, count] : {std::tuple<Index, Index, Index>{4500, 30, 3}, {300, 1500, 61}, {7, 5, 17}}) {
    const Array2<double> x = sparse_counts(rows, cols, 0.1);
    const SparseMatrix entries = entries_of(x);
    const CenteredPoints dense = centered(x, {}), sparse = centered(SparseRows(entries), {});
    EXPECT_EQ(sparse.scale, dense.scale);
    for (std::size_t j = 0; j < dense.center.size(); ++j) EXPECT_NEAR(sparse.center[j], dense.center[j], 1e-14);
    EXPECT_NEAR(squared_norm(sparse, {}), squared_norm(dense, {}), 1e-11 * squared_norm(dense, {}));
    const Array2<double> q = vectors(count, cols);
    EXPECT_LT(relative_difference(scatter_product(sparse, q, {}), scatter_product(dense, q, {})), 1e-12);
    const Array2<double> y = project(x, dense.scale, dense.center, q, {});
    EXPECT_LT(relative_difference(project(SparseRows(entries), dense.scale, dense.center, q, {}), y), 1e-12);
    const NarrowRows narrow(entries);
    EXPECT_EQ(project(narrow.view(), dense.scale, dense.center, q, {}),
              project(SparseRows(entries), dense.scale, dense.center, q, {}));
  }
}

TEST(SparseProducts, HaveTheSameBitsAtAnyNumberOfThreads) {
  const SparseMatrix entries = entries_of(sparse_counts(4500, 900, 0.02));
  const Array2<double> q = vectors(12, 900);
  const CenteredPoints one = centered(SparseRows(entries), {.threads = 1});
  const Array2<double> expected = scatter_product(one, q, {.threads = 1});
  for (const int threads : {2, 3, 8}) {
    const CenteredPoints several = centered(SparseRows(entries), {.threads = threads});
    EXPECT_EQ(several.center, one.center);
    EXPECT_EQ(squared_norm(several, {.threads = threads}), squared_norm(one, {.threads = 1}));
    EXPECT_EQ(scatter_product(several, q, {.threads = threads}), expected);
  }
}

TEST(SparseProducts, RowsArePackedWithoutTheirMean) {
  const Array2<double> x = sparse_counts(40, 20, 0.3);
  const SparseMatrix entries = entries_of(x);
  const CenteredPoints dense = centered(x, {}), sparse = centered(SparseRows(entries), {});
  Array2<double> expected(6, 9), packed(6, 9);
  dense.pack(11, 6, 4, 9, expected.data());
  sparse.pack(11, 6, 4, 9, packed.data());
  EXPECT_LT(relative_difference(packed, expected), 1e-14);
}

TEST(SparseProducts, EqualRowsHaveNoVariance) {
  Array2<double> x(3, 4);
  for (Index i = 0; i < 3; ++i) x(i, 1) = 0.1, x(i, 3) = 0.7;
  const SparseMatrix entries = entries_of(x);
  EXPECT_EQ(squared_norm(centered(SparseRows(entries), {}), {}), 0);
}

TEST(SparseProducts, NoUnitIsTooLargeOrTooSmall) {
  const Array2<double> x = sparse_counts(50, 20, 0.3);
  for (const double unit : {0x1p900, 0x1p-900}) {
    Array2<double> scaled = x;
    for (Index i = 0; i < scaled.size(); ++i) scaled.data()[i] *= unit;
    const SparseMatrix entries = entries_of(x), other = entries_of(scaled);
    const CenteredPoints z = centered(SparseRows(entries), {}), w = centered(SparseRows(other), {});
    const Array2<double> q = vectors(3, 20);
    EXPECT_EQ(scatter_product(w, q, {}), scatter_product(z, q, {}));
  }
}

}  // namespace
}  // namespace unroll
