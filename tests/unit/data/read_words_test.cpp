#include <gtest/gtest.h>

#include <fstream>

#include "support/scratch_folder.h"
#include "unroll/data/table.h"

namespace unroll {
namespace {

using Lines = std::vector<std::string>;

Lines words_of_text(const std::string& text, Index rows) {
  const ScratchFolder folder;
  std::ofstream(folder / "labels.txt") << text;
  return read_words(folder / "labels.txt", rows);
}

TEST(ReadWords, EmptyLinesAreRows) {
  EXPECT_EQ(words_of_text("a\n\nb\n\n\n", 5), (Lines{"a", "", "b", "", ""}));
  EXPECT_EQ(words_of_text("\n\nb\n", 3), (Lines{"", "", "b"}));
}

TEST(ReadWords, ANameAboveThemIsLeftOut) {
  EXPECT_EQ(words_of_text("kind\na\nb\n", 2), (Lines{"a", "b"}));
  EXPECT_EQ(words_of_text("kind\na\n\nb\n\n", 4), (Lines{"a", "", "b", ""}));
}

TEST(ReadWords, BlankLinesAtTheEndAreNone) {
  EXPECT_EQ(words_of_text("a\nb\n\n", 2), (Lines{"a", "b"}));
  EXPECT_EQ(words_of_text("a\nb\n\n\n\n", 2), (Lines{"a", "b"}));
  EXPECT_EQ(words_of_text("a\n\na\n\n", 3), (Lines{"a", "", "a"})) << "a word that occurs again is no name";
}

}  // namespace
}  // namespace unroll
