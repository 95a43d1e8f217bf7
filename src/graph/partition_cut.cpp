#include "graph/partition_cut.h"

#include <algorithm>

#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
Cut with_quotients(Cut cut) {
  const double least = std::min(cut.volume, cut.other_volume);
  if (least > 0 && cut.cut > 0) {
    cut.conductance = std::min(1.0, cut.cut / least);  // rounding
    cut.normalized_cut = cut.cut / cut.volume + cut.cut / cut.other_volume;
  }
  return cut;
}

std::vector<Cut> partition_cuts(const Affinity& affinity, const std::vector<Index>& labels, Index clusters,
                                const Run& run) {
  constexpr Index kRows = 256;
  const Index n = affinity.size();
  // Sums per row first, so that the order of summation does not depend on the threads.
  std::vector<double> leaving(at(n)), degree(at(n));
  parallel_for(run, n, kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for_each_weight(affinity, i, [&](Index j, double weight) {
        degree[at(i)] += weight;
        if (labels[at(j)] != labels[at(i)]) leaving[at(i)] += weight;
      });
  });
  std::vector<Cut> cuts(at(clusters));
  for (Index i = 0; i < n; ++i) {
    cuts[at(labels[at(i)])].cut += leaving[at(i)];
    cuts[at(labels[at(i)])].volume += degree[at(i)];
  }
  // The other volume is the sum before plus the sum after, not the total minus this one: a small difference would be
  // only rounding.
  double before = 0, after = 0;
  for (Cut& cut : cuts) {
    cut.other_volume = before;
    before += cut.volume;
  }
  for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
    cut->other_volume += after;
    after += cut->volume;
    *cut = with_quotients(*cut);
  }
  return cuts;
}

}  // namespace unroll
