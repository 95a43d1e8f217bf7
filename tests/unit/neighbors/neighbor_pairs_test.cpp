#include "neighbors/neighbor_pairs.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/matrices.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

TEST(NeighborPairs, ThePlanCountsEveryPairOnce) {
  constexpr Index kPoints = 120;
  constexpr std::uint64_t kPairs = kPoints * (kPoints - 1) / 2, kBytes = std::uint64_t{2} * 24;
  const Neighbors all = neighbors(normal_matrix(kPoints, 3, 0), {.n_neighbors = kPoints - 1});
  const PairLength length = [](Index, Index) { return 1.0; };
  EXPECT_EQ(neighbor_pairs(all.graph, {}, length, {.memory_budget = kPairs * kBytes}).size(), kPairs);
  expect_error(ErrorKind::OutOfMemory, "the pairs of neighbors",
               [&] { neighbor_pairs(all.graph, {}, length, {.memory_budget = kPairs * kBytes - 1}); });
}

}  // namespace
}  // namespace unroll
