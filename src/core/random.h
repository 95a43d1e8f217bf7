#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3; SC 2011): a bijection that
/// turns a 128-bit counter into 128 random bits under a 64-bit key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// Random numbers as a function of (seed, purpose, index), not of the order in which they are drawn: any thread may
/// compute any of them and the bits do not change. `purpose` names the use ("pca.sketch"), so that two uses of one seed
/// are independent.
class Random {
 public:
  Random(std::uint64_t seed, std::string_view purpose);

  std::uint64_t bits(std::uint64_t index, std::uint64_t sub = 0) const;
  /// In [0, 1), multiples of 2^-53.
  double uniform(std::uint64_t index, std::uint64_t sub = 0) const;
  /// Standard normal, by Box and Muller.
  double normal(std::uint64_t index, std::uint64_t sub = 0) const;
  /// In [0, bound). The bias of the multiplication is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound, std::uint64_t index, std::uint64_t sub = 0) const;

  /// A random order of 0 .. n-1.
  std::vector<Index> permutation(Index n) const;
  /// `count` different numbers out of 0 .. n-1, ascending, each subset equally likely.
  std::vector<Index> sample(Index n, Index count) const;

 private:
  std::array<std::uint32_t, 4> block(std::uint64_t index, std::uint64_t sub) const;
  std::array<std::uint32_t, 2> key_;
};

}  // namespace unroll
