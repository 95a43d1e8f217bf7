#include <algorithm>
#include <cmath>
#include <limits>

#include "core/memory.h"
#include "core/parallel.h"
#include "neighbors/geodesics.h"
#include "neighbors/path_search.h"

namespace unroll {
namespace {

constexpr Index kPathBlock = 64;  // three blocks of doubles stay in the second-level cache

Array2<double> edge_lengths(const NeighborGraph& graph) {
  const Index n = graph.size();
  Array2<double> lengths = Array2<double>::uninitialized(n, n);
  std::fill_n(lengths.data(), lengths.size(), std::numeric_limits<double>::infinity());
  for (Index i = 0; i < n; ++i) {
    lengths(i, i) = 0;
    const auto neighbors = graph.neighbors_of(i);
    const auto distances = graph.distances_of(i);
    for (std::size_t e = 0; e < neighbors.size(); ++e) {
      double& length = lengths(i, neighbors[e]);
      length = std::min(length, std::abs(distances[e]));  // turns -0 into 0
    }
  }
  return lengths;
}

/// Paths over the points of block k, for the pairs of two blocks.
class Relaxation {
 public:
  Relaxation(Array2<double>& lengths, Index k) : lengths_(lengths), k_begin_(k * kPathBlock), k_end_(end_of(k)) {}

  void operator()(Index row_block, Index column_block) const {
    const Index begin = column_block * kPathBlock, count = end_of(column_block) - begin;
    for (Index k = k_begin_; k < k_end_; ++k) {
      const double* to = lengths_.row(k) + begin;
      for (Index i = row_block * kPathBlock; i < end_of(row_block); ++i) {
        const double from = lengths_(i, k);
        double* row = lengths_.row(i) + begin;
        for (Index j = 0; j < count; ++j) row[j] = from + to[j] < row[j] ? from + to[j] : row[j];
      }
    }
  }

 private:
  Index end_of(Index block) const { return std::min(lengths_.rows(), (block + 1) * kPathBlock); }

  Array2<double>& lengths_;
  Index k_begin_;
  Index k_end_;
};

}  // namespace

Array2<double> floyd_warshall(const NeighborGraph& graph, const Run& run) {
  const auto n = static_cast<double>(graph.size());
  MemoryPlan()
      .add("the distances", n, n, sizeof(double))
      .require(run, "use fewer points or paths from some of them only");
  check_edges<double>(graph);
  Array2<double> lengths = edge_lengths(graph);
  const Index blocks = block_count(graph.size(), kPathBlock);
  for (Index k = 0; k < blocks; ++k) {
    run.report({.stage = "geodesics", .fraction = static_cast<double>(k) / static_cast<double>(blocks)});
    // First among the block's own points, then between them and all others, then all others.
    const Relaxation relax(lengths, k);
    relax(k, k);
    parallel_for(run, blocks, 1, [&](Index i, Index) {
      if (i == k) return;
      relax(i, k);
      relax(k, i);
    });
    parallel_for(run, blocks, 1, [&](Index i, Index) {
      for (Index j = 0; j < blocks && i != k; ++j)
        if (j != k) relax(i, j);
    });
  }
  return lengths;
}

}  // namespace unroll
