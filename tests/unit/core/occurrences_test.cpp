#include "core/occurrences.h"

#include <gtest/gtest.h>

#include "core/at.h"
#include "core/random.h"

namespace unroll {
namespace {

std::vector<Index> random_values(Index length, Index count) {
  const Random random(1, "occurrences");
  std::vector<Index> values(at(length));
  for (std::size_t p = 0; p < values.size(); ++p)
    values[p] = std::min(count - 1, static_cast<Index>(random.uniform(p) * static_cast<double>(count)));
  return values;
}

// Lists of one block and of many, of fewer values than a range has and of many ranges, in order and not.
TEST(Occurrences, AreThosePlacesAscending) {
  for (const Index length : {0, 1, 100, 70'000, 300'000})
    for (const Index count : {1, 7, 256, 257, 1000, 200'000}) {
      const std::vector<Index> values = random_values(length, count);
      std::vector<std::vector<Index>> expected(at(count));
      for (std::size_t p = 0; p < values.size(); ++p) expected[at(values[p])].push_back(static_cast<Index>(p));
      const Occurrences found = occurrences(values, count, {.threads = 2});
      ASSERT_EQ(found.places.size(), values.size());
      ASSERT_EQ(std::ssize(found.offsets), count + 1);
      for (Index v = 0; v < count; ++v) {
        const auto places = found.of(v);
        ASSERT_EQ(std::vector<Index>(places.begin(), places.end()), expected[at(v)]) << length << " " << count;
      }
    }
}

TEST(Occurrences, OfNothing) {
  const Occurrences none = occurrences({}, 0, {});
  EXPECT_TRUE(none.places.empty());
  EXPECT_EQ(none.offsets, std::vector<Index>{0});
}

}  // namespace
}  // namespace unroll
