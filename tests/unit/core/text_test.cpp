#include "core/text.h"

#include <gtest/gtest.h>

namespace unroll {
namespace {

TEST(NaturalOrder, IsThatOfPeople) {
  const std::vector<std::string> ordered{"-3", "2", "10", "1e3", "2C", "4C", "16C", "a", "a2", "a02b", "a10", "b1"};
  std::vector<std::string> shuffled(ordered.rbegin(), ordered.rend());
  std::sort(shuffled.begin(), shuffled.end(), NaturalOrder());
  EXPECT_EQ(shuffled, ordered);
  for (const std::string& word : ordered) EXPECT_FALSE(NaturalOrder()(word, word));
}

TEST(NearestWord, ForgivesSlipsOfTheFingerOnly) {
  const std::vector<std::string> words{"isomap", "pca", "kernel_pca", "lle"};
  EXPECT_EQ(nearest_word("isomp", words), "isomap");
  EXPECT_EQ(nearest_word("ISOMAP", words), "isomap");
  EXPECT_EQ(nearest_word("iosmap", words), "isomap");  // two neighbors swapped are one slip
  EXPECT_EQ(nearest_word("kernel_pac", words), "kernel_pca");
  EXPECT_EQ(nearest_word("pcaa", words), "pca");
  EXPECT_EQ(nearest_word("umap", words), "");
  EXPECT_EQ(nearest_word("x", {}), "");
  EXPECT_EQ(did_you_mean("isomp", words), "; did you mean 'isomap'?");
  EXPECT_EQ(did_you_mean("zzzzzz", words), "");
}

TEST(HumanBytes, UsesTheUnitThatFits) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_bytes(36.5 * 1024 * 1024 * 1024), "36.5 GiB");
}

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(0, "edge"), "0 edges");
  EXPECT_EQ(counted(1, "edge"), "1 edge");
  EXPECT_EQ(counted(12, "edge"), "12 edges");
}

TEST(ToText, ShortestDigitsThatReadBack) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1e300), "1e+300");
  EXPECT_EQ(to_text(1.0 / 3), "0.3333333333333333");
}

TEST(ValidUtf8, ReplacesBytesThatAreNot) {
  const std::string good = "\x7f \xC3\xA4 \xE2\x82\xAC \xED\x9F\xBF \xEF\xBF\xBD \xF0\x9F\x98\x80 \xF4\x8F\xBF\xBF";
  EXPECT_EQ(valid_utf8(good), good);
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(valid_utf8("a\xFFz"), "a" + mark + "z");
  EXPECT_EQ(valid_utf8("\xC0\xAF"), mark + mark) << "overlong";
  EXPECT_EQ(valid_utf8("\xE0\x80\xAF"), mark + mark + mark) << "overlong";
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), mark + mark + mark) << "a surrogate";
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), mark + mark + mark + mark) << "beyond Unicode";
  EXPECT_EQ(valid_utf8("\xE2\x82"), mark + mark) << "cut off";
  EXPECT_EQ(valid_utf8("\xC3"), mark) << "cut off";
}

}  // namespace
}  // namespace unroll
