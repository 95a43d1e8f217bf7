#include "affinity/closed_groups.h"

#include <algorithm>
#include <vector>

#include "core/at.h"
#include "core/parallel.h"
#include "neighbors/concurrent_sets.h"

namespace unroll {
namespace {

/// Joins pairs of points that are members of each other's patches, so that all points of a part lead to each other.
/// Returns for each point the lowest point of its part.
std::vector<Index> two_way_parts(const Patches& patches, const Run& run) {
  constexpr Index kPoints = 4096;  // at a time
  ConcurrentSets sets(patches.points);
  parallel_for(run, patches.points, kPoints, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (const Index j : patches.members_of(i)) {
        const auto back = patches.members_of(j);
        if (i < j && std::find(back.begin(), back.end(), i) != back.end()) sets.join(i, j);
      }
  });
  std::vector<Index> parts(at(patches.points));
  parallel_for(run, patches.points, kPoints, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) parts[at(i)] = sets.find(i);
  });
  return parts;
}

/// Returns whether all points lead to the largest part: then every closed group contains it. Among neighbours in a
/// space few points are outside of it, and these reach it in a step or two.
bool lead_to_one_part(const Patches& patches, const Run& run) {
  constexpr int kSteps = 8;
  const std::vector<Index> parts = two_way_parts(patches, run);
  std::vector<Index> sizes(parts.size());
  for (const Index part : parts) ++sizes[at(part)];
  const Index largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  std::vector<char> leads(parts.size());
  std::vector<Index> others;
  for (Index i = 0; i < patches.points; ++i) {
    leads[at(i)] = parts[at(i)] == largest ? 1 : 0;
    if (leads[at(i)] == 0) others.push_back(i);
  }
  for (int step = 0; step < kSteps && !others.empty(); ++step)
    std::erase_if(others, [&](Index i) {
      const auto members = patches.members_of(i);
      if (std::any_of(members.begin(), members.end(), [&](Index j) { return leads[at(j)] != 0; })) leads[at(i)] = 1;
      return leads[at(i)] != 0;
    });
  return others.empty();
}

Index counted_groups(const Patches& patches) {
  const Index n = patches.points;
  // Strongly connected components (Tarjan 1972). A component ends after all that it leads to, so it is closed unless it
  // leads to one that has ended before.
  constexpr Index kUnseen = -1;
  struct Visit {
    Index point;
    std::size_t next;
    bool leaves;
  };
  std::vector<Index> number(at(n), kUnseen), low(at(n)), path;
  std::vector<char> ended(at(n));
  std::vector<Visit> visits;
  Index seen = 0, closed = 0;
  const auto enter = [&](Index point) {
    number[at(point)] = low[at(point)] = seen++;
    path.push_back(point);
    visits.push_back({point, 0, false});
  };
  for (Index start = 0; start < n; ++start) {
    if (number[at(start)] != kUnseen) continue;
    enter(start);
    while (!visits.empty()) {
      const Index point = visits.back().point;
      const auto members = patches.members_of(point);
      if (visits.back().next < members.size()) {
        const Index member = members[visits.back().next++];
        if (number[at(member)] == kUnseen) {
          enter(member);
        } else if (ended[at(member)] != 0) {
          visits.back().leaves = true;
        } else {
          low[at(point)] = std::min(low[at(point)], number[at(member)]);
        }
        continue;
      }
      const bool is_root = low[at(point)] == number[at(point)], leaves = visits.back().leaves;
      visits.pop_back();
      if (is_root) {
        if (!leaves) ++closed;
        while (ended[at(point)] == 0) {
          ended[at(path.back())] = 1;
          path.pop_back();
        }
      }
      if (visits.empty()) continue;
      Visit& before = visits.back();
      before.leaves = before.leaves || is_root || leaves;
      if (!is_root) low[at(before.point)] = std::min(low[at(before.point)], low[at(point)]);
    }
  }
  return closed;
}

}  // namespace

Index closed_groups(const Patches& patches, const Run& run) {
  if (patches.count() != patches.points) return 0;
  for (Index i = 0; i < patches.count(); ++i)
    if (patches.members_of(i).empty() || patches.members_of(i).front() != i) return 0;
  return patches.points > 0 && lead_to_one_part(patches, run) ? 1 : counted_groups(patches);
}

}  // namespace unroll
