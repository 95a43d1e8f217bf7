#include "eigen/block_krylov.h"

#include <fmt/format.h>

#include <algorithm>

#include "eigen/block_lanczos.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

void transpose(const Array2<double>& from, Array2<double>& to) {
  for (Index i = 0; i < from.rows(); ++i)
    for (Index j = 0; j < from.cols(); ++j) to(j, i) = from(i, j);
}

}  // namespace

EigenPairs leading_by_block_krylov(Index size, Index count, const Apply& apply, const Random& random,
                                   Index max_products, const Run& run) {
  if (count == 0) return {.vectors = Array2<double>(0, size)};
  constexpr Index kOversampling = 10, kBlocksKept = 8;
  const Index width = std::min(size, count + kOversampling);
  const LanczosSettings settings{.count = count,
                                 .block = width,
                                 .basis = kBlocksKept * width,
                                 .max_products = max_products,
                                 .tolerance = 1e-8,
                                 .relative_to_value = true,
                                 .eager = true,
                                 .search_missed = false};
  const BlockProduct product = [&](const Array2<double>& x, Array2<double>& y) {
    Array2<double> q = Array2<double>::uninitialized(x.cols(), x.rows());
    transpose(x, q);
    transpose(apply(q), y);
  };
  try {
    return leading_by_lanczos(size, product, {}, settings, random, run).pairs;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::NotConverged) throw;
    throw error.with_advice("use solver=covariance or solver=gram");
  }
}

}  // namespace unroll
