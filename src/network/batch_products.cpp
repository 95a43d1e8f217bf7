#include "network/batch_products.h"

#include <algorithm>

#include "core/parallel.h"
#include "linalg/blas.h"

namespace unroll {
namespace {

/// Columns of a block. Every block packs the batch anew, so that narrow ones waste time; a few are enough for the
/// threads, and a look at the cancel comes after each.
Index columns_per_block(Index columns, double operations_per_column) {
  constexpr double kOperations = 6e6;
  constexpr Index kLanes = 16;
  const double blocks = std::clamp(static_cast<double>(columns) * operations_per_column / kOperations, 1.0,
                                   std::max(1.0, static_cast<double>(columns) / kLanes));
  const auto width = static_cast<Index>(static_cast<double>(columns) / static_cast<double>(static_cast<Index>(blocks)));
  return std::max<Index>(kLanes, (width + kLanes - 1) / kLanes * kLanes);
}

double operations(Index a, Index b) { return static_cast<double>(a) * static_cast<double>(b); }

}  // namespace

// BLAS is column-major: what is a row here is a column there.

void forward_product(Index rows, LayerSize size, const float* x, const float* weights, float* y,
                     const FinishColumns& finish, const Run& run) {
  parallel_for(run, size.out, columns_per_block(size.out, operations(rows, size.in)), [&](Index begin, Index end) {
    gemm(false, false, end - begin, rows, size.in, 1.0F, weights + begin, size.out, x, size.in, 0.0F, y + begin,
         size.out);
    finish(begin, end - begin);
  });
}

void backward_product(Index rows, LayerSize size, const float* y, const float* weights, float* x,
                      const FinishColumns& finish, const Run& run) {
  parallel_for(run, size.in, columns_per_block(size.in, operations(rows, size.out)), [&](Index begin, Index end) {
    gemm(true, false, end - begin, rows, size.out, 1.0F, weights + begin * size.out, size.out, y, size.out, 0.0F,
         x + begin, size.in);
    finish(begin, end - begin);
  });
}

void weight_product(Index rows, LayerSize size, float alpha, const float* x, const float* y, float beta, float* result,
                    const Run& run) {
  parallel_for(run, size.in, columns_per_block(size.in, operations(rows, size.out)), [&](Index begin, Index end) {
    gemm(false, true, size.out, end - begin, rows, alpha, y, size.out, x + begin, size.in, beta,
         result + begin * size.out, size.out);
  });
}

void column_sums(Index rows, Index cols, float alpha, const float* x, float beta, float* result) {
  for (Index j = 0; j < cols; ++j) result[j] = beta == 0 ? 0 : beta * result[j];
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) result[j] += alpha * x[i * cols + j];
}

}  // namespace unroll
