#include "affinity/closed_groups.h"

#include <gtest/gtest.h>

#include "core/at.h"
#include "core/random.h"

namespace unroll {
namespace {

TEST(ClosedGroups, AreThoseThatLeadNowhereElse) {
  // 0 and 1 have each other; so have 3 and 4; 2 leads to both pairs, 5 to 2.
  const Patches patches{
      .points = 6, .offsets = {0, 2, 4, 7, 9, 11, 13}, .members = {0, 1, 1, 0, 2, 1, 3, 3, 4, 4, 3, 5, 2}};
  EXPECT_EQ(closed_groups(patches, {}), 2);
  EXPECT_EQ(closed_groups({.points = 3, .offsets = {0, 2, 4, 6}, .members = {0, 1, 1, 2, 2, 0}}, {}), 1);
  EXPECT_EQ(closed_groups({.points = 3, .offsets = {0, 1, 2, 3}, .members = {0, 1, 2}}, {}), 3);
  EXPECT_EQ(closed_groups({.points = 2, .offsets = {0, 1, 2}, .members = {1, 0}}, {}), 0);  // not of that kind
}

/// Every point and the points that it leads to.
Patches patches_to(const std::vector<std::vector<Index>>& targets) {
  Patches patches{.points = std::ssize(targets)};
  for (Index i = 0; i < patches.points; ++i) {
    patches.members.push_back(i);
    patches.members.insert(patches.members.end(), targets[at(i)].begin(), targets[at(i)].end());
    patches.offsets.push_back(std::ssize(patches.members));
  }
  return patches;
}

/// By what every point leads to, directly or not: a point is in a closed group if all of these lead back to it.
Index plain_count(const std::vector<std::vector<Index>>& targets) {
  const std::size_t n = targets.size();
  std::vector<std::vector<char>> leads(n, std::vector<char>(n));
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::size_t> path{i};
    leads[i][i] = 1;
    for (std::size_t k = 0; k < path.size(); ++k)
      for (const Index j : targets[path[k]])
        if (leads[i][at(j)] == 0) leads[i][at(j)] = 1, path.push_back(at(j));
  }
  Index count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    bool is_lowest_of_closed = true;
    for (std::size_t j = 0; j < n; ++j)
      if (leads[i][j] != 0 && (leads[j][i] == 0 || j < i)) is_lowest_of_closed = false;
    count += is_lowest_of_closed ? 1 : 0;
  }
  return count;
}

// Random graphs of one to three edges per point, many of them both ways.
TEST(ClosedGroups, AgreeWithTheDefinition) {
  Index several = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Random random(seed, "closed");
    const auto n = static_cast<Index>(2 + seed % 29);
    std::vector<std::vector<Index>> targets(at(n));
    for (Index i = 0; i < n; ++i)
      for (std::uint64_t e = 0; e < 1 + seed % 3; ++e) {
        const auto j = static_cast<Index>(random.uniform(static_cast<std::uint64_t>(i), e) * static_cast<double>(n));
        targets[at(i)].push_back(j);
        if (random.uniform(static_cast<std::uint64_t>(i), 10 + e) < 0.3) targets[at(j)].push_back(i);
      }
    const Index expected = plain_count(targets);
    EXPECT_EQ(closed_groups(patches_to(targets), {.threads = 2}), expected) << seed;
    several += expected > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 50);
}

// A large part whose points lead to each other, and a path of one way that ends in it: its far end is many steps away.
// Where the path leads the other way its last point is the only closed group.
TEST(ClosedGroups, OfPathsThatLeadToOrFromALargePart) {
  constexpr Index kRing = 100, kPath = 40;
  for (const bool into : {true, false}) {
    std::vector<std::vector<Index>> targets(at(kRing + kPath));
    for (Index i = 0; i < kRing; ++i) targets[at(i)] = {(i + 1) % kRing, (i + kRing - 1) % kRing};
    for (Index i = kRing; i < kRing + kPath; ++i) {
      const Index before = i == kRing ? 7 : i - 1;
      if (into) {
        targets[at(i)].push_back(before);
      } else {
        targets[at(before)].push_back(i);
      }
    }
    EXPECT_EQ(closed_groups(patches_to(targets), {}), 1);
    EXPECT_EQ(plain_count(targets), 1);
    targets[3].clear();  // now a closed group of its own, if the others lead to it and not to the end of the path
    EXPECT_EQ(closed_groups(patches_to(targets), {}), plain_count(targets));
  }
}

}  // namespace
}  // namespace unroll
