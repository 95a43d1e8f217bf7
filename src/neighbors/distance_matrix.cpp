#include "neighbors/distance_matrix.h"

#include <algorithm>

#include "core/memory.h"
#include "core/parallel.h"

namespace unroll {
namespace {

// A tile's rows of points stay in cache.
constexpr Index kMatrixTile = 64;

}  // namespace

Array2<double> distance_matrix(const MetricRows& from, const MetricRows& to, const NeighborOptions& options,
                               const Run& run) {
  Array2<double> result = Array2<double>::uninitialized(from.rows(), to.rows());
  const RowDistance distance(from, to, options.metric, options.p);
  parallel_for(
      run, to.rows(), kMatrixTile,
      [&](Index begin, Index end) {
        for (Index i = 0; i < from.rows(); ++i) {
          if (i % kMatrixTile == 0) run.check_cancelled();
          for (Index j = begin; j < end; ++j) result(i, j) = distance(i, j);
        }
      },
      "distances");
  return result;
}

Array2<double> distance_matrix(const MetricRows& rows, const NeighborOptions& options, const Run& run) {
  const Index n = rows.rows();
  Array2<double> result = Array2<double>::uninitialized(n, n);
  const RowDistance distance(rows, rows, options.metric, options.p);
  parallel_for(
      run, n, kMatrixTile,
      [&](Index begin, Index end) {
        for (Index first = begin; first < n; first += kMatrixTile) {
          run.check_cancelled();  // the first block may touch every page of the result
          for (Index i = begin; i < end; ++i)
            for (Index j = std::max(first, i); j < std::min(first + kMatrixTile, n); ++j)
              result(i, j) = result(j, i) = i == j ? 0 : distance(i, j);
        }
      },
      "distances");
  return result;
}

}  // namespace unroll
