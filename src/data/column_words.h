#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// Words that choose columns of a file, separated by commas: a name, a number from 1, or a range of numbers, "2-5" or
/// "7-". A name wins over a number. A text that is a name as a whole, commas included, is that name.
class ColumnWords {
 public:
  /// `option` is named in messages.
  ColumnWords(std::string_view option, std::string_view text);

  bool empty() const { return words_.empty(); }
  /// Whether a word is not a number, so that it must be a name.
  bool need_names() const;
  /// Whether the numbers among the words contain this column, counted from 0: known before any name is.
  bool have_number(Index column) const;
  /// The columns from 0, each once, in the order of the words. `header` has a name per column, or is empty. Throws
  /// InvalidOption in the name of `file` for a column that is not there.
  std::vector<Index> columns(const std::vector<std::string>& header, Index count, const std::string& file) const;

 private:
  /// Columns from 0; the last is none where the range is open.
  struct Range {
    Index first = 0;
    std::optional<Index> last = {};
  };
  struct Word {
    std::string text;
    std::optional<Range> range;  ///< none: a name
  };
  static std::optional<Range> range_of(std::string_view word);
  [[noreturn]] void fail(const Word& word, const std::vector<std::string>& header, Index count,
                         const std::string& file) const;

  std::string option_;
  std::string text_;
  std::vector<Word> words_;
};

}  // namespace unroll
