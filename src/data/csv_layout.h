#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/csv_text.h"
#include "unroll/data/table.h"

namespace unroll {

/// What a column of a text is read as.
enum class ColumnRole : std::uint8_t { Feature, RowName, Label, LeftOut };

/// Which lines and columns of a text hold what.
struct CsvLayout {
  const char* first_row = nullptr;       ///< the first line of data
  Index fields = 0;                      ///< of every line of data
  bool trailing_delimiter = false;       ///< lines of data may end with one more delimiter
  std::vector<std::string> header = {};  ///< a name per field; empty when the text has none
  std::string title = {};                ///< a line of words above the table; empty when it has none
  std::vector<ColumnRole> roles = {};    ///< per field
  std::vector<Index> labels = {};        ///< the columns read as labels; those asked for come first, in that order
  Index asked_labels = 0;                ///< a further one is the annotation alone
  std::optional<Index> annotation = {};  ///< its column, whatever its role
  bool names_are_text = false;  ///< the row names count as such only because they are text: every row must agree
  std::vector<std::string> unknown = {};  ///< columns left out because a model does not know them

  bool has(ColumnRole role) const;
  Index features() const;
  /// The name of a column; empty when the text has none.
  std::string name(Index column) const;
  /// By which options speak of it: its name in quotes, or its number from 1.
  std::string word(Index column) const;
  /// For messages: "column 'age' (3)"; columns are counted from 1 in the order of the file.
  std::string describe(Index column) const;
};

/// Header. The first line is names when `options` say so, when they speak of columns by name, or when one of its fields
/// (not counting those set apart by number) is neither a number nor a word for a missing value; also when it has one
/// field less than the second line and that starts with text or quotes, as R writes row names; and when it counts the
/// columns from 0 or 1 behind an empty corner, as pandas does, or has a scale there, such as wavelengths. Numbers in
/// such a line are a warning; so is a line of numbers that may be names, such as years.
///
/// Title. A first line of one field is one if two lines of more fields follow, which are as many in both.
///
/// Row names. Unless a column is named for them, the first column is names of rows when the header has no name for it
/// (R, pandas), when it is named "id" as write_table does, or when it is text in every row.
///
/// Trailing delimiter. When lines of data end with a delimiter and the header has no name for what would follow (or
/// there is no header and the first two lines agree), nothing follows; else it is a missing value.
CsvLayout find_csv_layout(const CsvText& text, const ReadOptions& options, std::vector<Warning>& warnings);

}  // namespace unroll
