#include "unroll/quality/agreement.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The number of pairs of points that lie in the same part.
template <class Key>
double pairs_within(const std::map<Key, double>& sizes) {
  double pairs = 0;
  for (const auto& [part, size] : sizes) pairs += size * (size - 1) / 2;
  return pairs;
}

}  // namespace

double adjusted_rand_index(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  if (a.size() != b.size())
    throw Error(ErrorKind::InvalidData, {.who = "adjusted_rand_index",
                                         .problem = fmt::format("{} labels and {}", a.size(), b.size()),
                                         .advice = "give two of every point"});
  std::map<std::int64_t, double> in_a, in_b;
  std::map<std::pair<std::int64_t, std::int64_t>, double> in_both;
  std::int64_t known = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == kNoLabel || b[i] == kNoLabel) continue;
    ++known;
    ++in_a[a[i]];
    ++in_b[b[i]];
    ++in_both[{a[i], b[i]}];
  }
  // (pairs that agree - pairs expected by chance) / (most pairs that can agree - pairs expected)
  const auto n = static_cast<double>(known);
  const double pairs = n * (n - 1) / 2, of_a = pairs_within(in_a), of_b = pairs_within(in_b);
  const double expected = pairs > 0 ? of_a * of_b / pairs : 0;
  const double most = (of_a + of_b) / 2;
  return most == expected ? 1 : (pairs_within(in_both) - expected) / (most - expected);
}

}  // namespace unroll
