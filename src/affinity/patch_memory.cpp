#include "affinity/patch_memory.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "affinity/alignment_matrix.h"
#include "core/at.h"
#include "core/memory.h"

namespace unroll {
namespace {

constexpr double kSmall = 1 << 24;  // bytes that are allowed without asking the machine

/// Sizes of what is fitted and assembled at a time.
struct Extent {
  double members = 0;
  double factors = 0;
  double entries = 0;  ///< of M: an upper bound, since patches overlap
};

Extent operator+(const Extent& a, const Extent& b) {
  return {a.members + b.members, a.factors + b.factors, a.entries + b.entries};
}

/// The extent of every component.
std::vector<Extent> extents(const Patches& patches, const Components& components, Index most_columns) {
  std::vector<Extent> result(components.sizes.size());
  for (Index i = 0; i < patches.count(); ++i) {
    const Index members = std::ssize(patches.members_of(i));
    const auto m = static_cast<double>(members), r = static_cast<double>(std::min(most_columns, members + 2));
    Extent& own = result[at(components.labels[at(i)])];
    own = own + Extent{m, m * r, m * m};
  }
  return result;
}

/// Entries of M in the rows of the component that has most.
double most_entries(const Patches& patches, const Components& components, bool separate, const Run& run) {
  const std::vector<Index> rows = row_entries(patches, run);
  if (!separate) return static_cast<double>(std::accumulate(rows.begin(), rows.end(), Index{0}));
  std::vector<Index> sums(components.sizes.size());
  for (std::size_t i = 0; i < rows.size(); ++i) sums[at(components.labels[i])] += rows[i];
  return static_cast<double>(*std::max_element(sums.begin(), sums.end()));
}

MemoryPlan planned(const Extent& all, const Extent& part, const PatchMemory& wanted) {
  // While patches are fitted, the blocks of columns are copied into one array. Later there is also a copy of a
  // component's columns, and a reordered copy from which M is assembled.
  const double copied = wanted.separate ? 1 : 0, ordered = wanted.by_landmarks ? 0 : 1;
  MemoryPlan plan;
  plan.add("the columns of local fits", std::max(2 * all.factors, all.factors + (copied + ordered) * part.factors), 1,
           sizeof(double));
  plan.add("the members of patches", all.members + (copied + 2 * ordered) * part.members, 1, sizeof(Index));
  plan.add("the alignment matrix", ordered * part.entries, 1, sizeof(Index) + sizeof(double));
  return plan;
}

}  // namespace

void plan_fits(const Patches& patches, const Components& components, const PatchMemory& wanted, const Run& run) {
  const std::vector<Extent> parts = extents(patches, components, wanted.columns);
  const Extent all = std::accumulate(parts.begin(), parts.end(), Extent{});
  Extent part = all;
  if (wanted.separate) {
    part = *std::max_element(parts.begin(), parts.end(), [](const Extent& a, const Extent& b) {
      return a.factors + a.entries < b.factors + b.entries;
    });
  }
  const auto n = static_cast<double>(patches.points);
  part.entries = std::min(part.entries, n * n);
  const double bound = planned(all, part, wanted).total();
  const bool is_small = !run.memory_budget && bound <= kSmall;
  if (!wanted.by_landmarks && !is_small && bound > static_cast<double>(memory_budget(run)))
    part.entries = most_entries(patches, components, wanted.separate, run);  // counted only if that may matter
  planned(all, part, wanted)
      .require(run, wanted.can_landmarks && !wanted.by_landmarks ? "use n_landmarks=1000, or a smaller n_neighbors"
                                                                 : "use a smaller n_neighbors");
}

}  // namespace unroll
