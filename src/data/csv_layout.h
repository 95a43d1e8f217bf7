#pragma once
#include <string>
#include <vector>

#include "data/csv_text.h"
#include "unroll/data/table.h"

namespace unroll {

/// Which lines and columns of a text hold what.
struct CsvLayout {
  static constexpr Index kNone = -1;

  const char* first_row = nullptr;       ///< the first line of data
  Index fields = 0;                      ///< of every line of data
  bool trailing_delimiter = false;       ///< lines of data may end with one more delimiter
  std::vector<std::string> header = {};  ///< a name per field; empty when the text has none
  Index label_column = kNone;
  Index name_column = kNone;    ///< row names
  bool names_are_text = false;  ///< they count as names only because they are text: every row must agree

  bool is_text(Index column) const { return column == label_column || column == name_column; }
  Index features() const { return fields - (label_column != kNone ? 1 : 0) - (name_column != kNone ? 1 : 0); }
  /// For messages: "column 'age' (3)"; columns are counted from 1 in the order of the file.
  std::string describe(Index column) const;
};

/// Header. The first line is names when `options` say so, when they ask for labels by name, or when one of its fields
/// (not counting the labels) is neither a number nor a word for a missing value; also when it has one field less than
/// the second line and that starts with text or quotes, as R writes row names; and when it counts the columns from 0 or
/// 1 behind an empty corner, as pandas does. Numbers in such a line are a warning.
///
/// Row names. The first column is names of rows when the header has no name for it (R, pandas), when it is named "id"
/// as write_table does, or when it is text in every row.
///
/// Trailing delimiter. When lines of data end with a delimiter and the header has no name for what would follow (or
/// there is no header and the first two lines agree), nothing follows; else it is a missing value.
CsvLayout find_csv_layout(const CsvText& text, const ReadOptions& options, std::vector<Warning>& warnings);

}  // namespace unroll
