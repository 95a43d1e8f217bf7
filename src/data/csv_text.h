#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "data/byte_source.h"
#include "data/csv_number.h"
#include "unroll/core/types.h"

namespace unroll {

struct CsvField {
  std::string_view text = {};  ///< without the blanks around it, without its quotes
  bool quoted = false;
  bool last = false;           ///< of its line
  const char* next = nullptr;  ///< start of the next field; after the last field, of the next line
};

/// The text of a table, cut into lines and fields without copying.
///
/// A first line "sep=;", which Excel writes, tells the delimiter and is no line of the table.
///
/// Lines end with LF or CR LF; in a text without any LF they end with CR. A line is ignored when it starts with # (but
/// not with #N/A) or is blank. Fields are separated by the delimiter, or by runs of blanks when the delimiter is ' '.
/// Blanks around a field do not count. A field that starts with a quote ends with a quote: delimiters and line ends in
/// between belong to it, and two quotes mean one. Elsewhere a quote is an ordinary character.
class CsvText {
 public:
  /// Takes the text, which has room for one more byte. Without a delimiter, finds the one of tab, semicolon, comma that
  /// appears equally often in each of the first lines, else takes blanks. Throws InvalidData for a text that is empty,
  /// UTF-16 or has NUL bytes.
  CsvText(std::string name, Bytes bytes, std::optional<char> delimiter, CsvNumberRules rules = {});

  const std::string& name() const { return name_; }
  std::size_t size() const { return bytes_.size; }
  const char* begin() const { return begin_; }
  const char* end() const { return end_; }  ///< the character before it ends a line
  char delimiter() const { return delimiter_; }
  char line_end() const { return line_end_; }
  bool has_decimal_point() const { return rules_.decimal == '.'; }
  CsvNumber number(std::string_view field) const { return parse_csv_number(field, rules_); }

  bool is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }
  const char* skip_blanks(const char* at) const {
    while (is_blank(*at)) ++at;
    return at;
  }
  bool ends_line(const char* at) const { return *at == line_end_ || (*at == '\r' && at[1] == line_end_); }
  /// The line after `at`, which is at a line end.
  const char* behind_line_end(const char* at) const { return at + (*at == line_end_ ? 1 : 2); }

  bool is_ignored(const char* line) const { return is_comment(line) || ends_line(skip_blanks(line)); }
  /// This line or the first one after it that has fields; end() if there is none.
  const char* skip_ignored(const char* line) const;
  const char* next_line(const char* line) const;

  /// The field that starts at `at`. `scratch` holds its text if the file has it in another form.
  CsvField field_at(const char* at, std::string& scratch) const;
  Index field_count(const char* line) const;

  Index line_number(const char* at) const;
  /// Throws InvalidData: "name:line: problem; advice".
  [[noreturn]] void fail(const char* at, std::string problem, std::string advice = {}) const;

 private:
  static constexpr std::array kDelimiters{'\t', ';', ','};
  using DelimiterCounts = std::array<Index, kDelimiters.size()>;

  void check_encoding();
  bool is_comment(const char* line) const;
  std::optional<char> told_delimiter();
  DelimiterCounts count_delimiters(const char*& at) const;
  char detected_delimiter() const;
  bool has_inner_blank(const char* line) const;
  const char* closing_quote(const char* opening, bool& has_pairs) const;

  std::string name_;
  Bytes bytes_;
  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  const char* counted_from_ = nullptr;  // of line numbers
  CsvNumberRules rules_;
  char delimiter_ = ' ';
  char line_end_ = '\n';
  bool has_quotes_ = false;
};

/// What may have made so many fields of what should be fewer; empty: nobody knows.
std::string advice_on_fields(Index count, Index expected);

/// 'text' in a form that a message can show: shortened if long; bytes that are not printable or not UTF-8 as \xNN.
std::string quoted_for_message(std::string_view text);

}  // namespace unroll
