#include "spectral/partition_cut.h"

#include <algorithm>

#include "core/parallel.h"

namespace unroll {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

std::vector<double> partition_conductance(const Affinity& affinity, const std::vector<Index>& labels, Index clusters,
                                          const Run& run) {
  constexpr Index kRows = 256;
  const Index n = affinity.size();
  // Row by row first: the bits of a sum are those of its order.
  std::vector<double> leaving(at(n)), degree(at(n));
  parallel_for(run, n, kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for_each_weight(affinity, i, [&](Index j, double weight) {
        degree[at(i)] += weight;
        if (labels[at(j)] != labels[at(i)]) leaving[at(i)] += weight;
      });
  });
  std::vector<double> cut(at(clusters)), volume(at(clusters));
  for (Index i = 0; i < n; ++i) {
    cut[at(labels[at(i)])] += leaving[at(i)];
    volume[at(labels[at(i)])] += degree[at(i)];
  }
  std::vector<double> result(at(clusters));
  for (Index c = 0; c < clusters; ++c) {
    double rest = 0;  // not the total less this: a small rest would be all rounding
    for (Index other = 0; other < clusters; ++other) rest += other == c ? 0 : volume[at(other)];
    const double smaller = std::min(volume[at(c)], rest);
    if (smaller > 0) result[at(c)] = std::min(1.0, cut[at(c)] / smaller);
  }
  return result;
}

}  // namespace unroll
