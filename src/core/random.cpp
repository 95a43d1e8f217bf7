#include "core/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <unordered_set>

#include "unroll/core/error.h"

namespace unroll {
namespace {

std::uint64_t joined_words(std::uint32_t high, std::uint32_t low) { return (std::uint64_t{high} << 32U) | low; }

/// 53 of the 64 bits, so that every value is exact in a double.
double to_unit(std::uint64_t bits) { return static_cast<double>(bits >> 11U) * 0x1p-53; }

/// SplitMix64's finaliser (Steele, Lea, Flood 2014): every input bit reaches every output bit.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

/// FNV-1a.
std::uint64_t hashed(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

Random::Random(std::uint64_t seed, std::string_view purpose) : key_{} {
  const std::uint64_t key = mixed(mixed(seed) ^ hashed(purpose));
  key_ = {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32U)};
}

std::array<std::uint32_t, 4> Random::block(std::uint64_t index, std::uint64_t sub) const {
  return philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32U),
                 static_cast<std::uint32_t>(sub), static_cast<std::uint32_t>(sub >> 32U)},
                key_);
}

std::uint64_t Random::bits(std::uint64_t index, std::uint64_t sub) const {
  const auto words = block(index, sub);
  return joined_words(words[0], words[1]);
}

double Random::uniform(std::uint64_t index, std::uint64_t sub) const { return to_unit(bits(index, sub)); }

double Random::normal(std::uint64_t index, std::uint64_t sub) const {
  const auto words = block(index, sub);
  const double radius = std::sqrt(-2 * std::log1p(-to_unit(joined_words(words[0], words[1]))));
  return radius * std::cos(2 * std::numbers::pi * to_unit(joined_words(words[2], words[3])));
}

std::uint64_t Random::below(std::uint64_t bound, std::uint64_t index, std::uint64_t sub) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{bits(index, sub)} * bound) >> 64U);
}

std::vector<Index> Random::permutation(Index n) const {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::uint64_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i, i)]);  // Fisher and Yates
  return order;
}

std::vector<Index> Random::sample(Index n, Index count) const {
  if (count < 0 || count > n) throw Error(ErrorKind::Internal, "sample: count must be between 0 and n");
  // Floyd's method (Bentley, Communications of the ACM 30, 1987): O(count) memory for any n.
  std::unordered_set<Index> chosen;
  for (Index j = n - count; j < n; ++j) {
    const auto t = static_cast<Index>(below(static_cast<std::uint64_t>(j) + 1, static_cast<std::uint64_t>(j)));
    if (!chosen.insert(t).second) chosen.insert(j);
  }
  std::vector<Index> sorted(chosen.begin(), chosen.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace unroll
