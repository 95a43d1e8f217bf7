#include "data/csv_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/text.h"
#include "data/csv_number.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// A summary of one line.
struct LineShape {
  Index fields = 0;
  Index texts = 0;  ///< neither numbers nor missing; without the labels
  Index numbers = 0;
  bool first_is_text = false;
  bool first_is_quoted = false;
  bool first_has_decimal_comma = false;
  bool first_is_empty = false;
  bool others_count = true;  ///< the fields behind the first are 0, 1, 2, ... or 1, 2, 3, ...
  bool last_is_empty = false;
};

/// "3" is the third column: 2. Nothing if the word is not a number; a number may be out of range.
std::optional<Index> column_by_number(std::string_view word) {
  std::int32_t number = 0;
  const char* const end = word.data() + word.size();
  const auto parsed = std::from_chars(word.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return Index{number} - 1;
}

class LayoutFinder {
 public:
  LayoutFinder(const CsvText& text, const ReadOptions& options, std::vector<Warning>& warnings)
      : text_(text), options_(options), warnings_(warnings), label_number_(column_by_number(options.label_column)) {}

  CsvLayout find() {
    const char* const first = text_.skip_ignored(text_.begin());
    if (first == text_.end()) fail("nothing but blank lines and comments");
    const char* const second = text_.skip_ignored(text_.next_line(first));
    const LineShape first_shape = shape_of(first);
    const LineShape second_shape = second == text_.end() ? LineShape{} : shape_of(second);
    const bool header = has_header(first_shape, second_shape);
    if (header) {
      if (second == text_.end()) fail("a header and no rows");
      layout_.first_row = second;
      place_header(first, second_shape);
    } else {
      layout_.first_row = first;
      layout_.fields = first_shape.fields;
      layout_.trailing_delimiter = may_trail(first_shape) && (second == text_.end() || second_shape.last_is_empty);
      if (layout_.trailing_delimiter) --layout_.fields;
    }
    find_labels();
    find_row_names(header ? second_shape : first_shape);
    if (layout_.features() == 0) fail("no column of numbers");
    return std::move(layout_);
  }

 private:
  LineShape shape_of(const char* line) const {
    LineShape shape;
    std::string scratch;
    double start = -1;  // of what may count the columns
    CsvField field{.next = line};
    for (; !field.last; ++shape.fields) {
      field = text_.field_at(field.next, scratch);
      shape.last_is_empty = field.text.empty() && !field.quoted;
      if (shape.fields == label_number_) continue;
      const auto kind = parse_csv_number(field.text).kind;
      const bool is_text = kind == CsvNumber::Kind::Text;
      shape.texts += is_text ? 1 : 0;
      shape.numbers += is_text || kind == CsvNumber::Kind::Missing ? 0 : 1;
      if (shape.fields > 0) {
        const auto place = static_cast<double>(shape.fields);
        if (shape.fields == 1) start = parse_csv_number(field.text).value;
        const bool counts = (start == 0 || start == 1) && kind == CsvNumber::Kind::Finite;
        shape.others_count = shape.others_count && counts && parse_csv_number(field.text).value == start + place - 1;
        continue;
      }
      shape.first_is_empty = field.text.empty() && !field.quoted;
      shape.first_is_text = is_text;
      shape.first_has_decimal_comma = is_text && has_decimal_comma(field.text);
      shape.first_is_quoted = field.quoted;
    }
    return shape;
  }

  /// Whether the line may end with an extra delimiter; an empty last label is a missing label instead.
  bool may_trail(const LineShape& row) const {
    return row.last_is_empty && row.fields > 1 && label_number_ != row.fields - 1;
  }

  bool has_header(const LineShape& first, const LineShape& second) {
    if (options_.header != Header::Auto) return options_.header == Header::Yes;
    if (!options_.label_column.empty() && !label_number_) return true;
    // An empty corner before numbers of columns, as pandas writes a table without names.
    const bool has_corner = first.first_is_empty && first.others_count && first.fields > 2 &&
                            first.fields == second.fields && !second.first_is_empty;
    if (has_corner) return true;
    const bool as_r_writes = first.fields + 1 == second.fields && (second.first_is_text || second.first_is_quoted);
    if (first.texts == 0 && !as_r_writes) return false;
    if (first.numbers > 0)
      warnings_.push_back(
          {"header-guessed",
           fmt::format("{}: the first line is taken for names, though it has numbers too", text_.name()),
           "say --header yes or --header no"});
    return true;
  }

  void place_header(const char* line, const LineShape& row) {
    std::string scratch;
    CsvField field{.next = line};
    while (!field.last) {
      field = text_.field_at(field.next, scratch);
      layout_.header.emplace_back(field.text);
    }
    auto names = static_cast<Index>(layout_.header.size());
    layout_.fields = row.fields;
    if (may_trail(row) && names == row.fields && layout_.header.back().empty()) {
      layout_.trailing_delimiter = true;
      layout_.header.pop_back();
      --names;
    } else if (may_trail(row) && names + 1 == row.fields && !row.first_is_text) {
      layout_.trailing_delimiter = true;
    }
    if (layout_.trailing_delimiter) --layout_.fields;
    if (names + 1 == layout_.fields && (row.first_is_text || row.first_is_quoted)) {  // R writes row names this way
      layout_.header.emplace(layout_.header.begin());
    } else if (names != layout_.fields) {
      text_.fail(layout_.first_row, fmt::format("{} field{}, expected {}, as many as the header has names",
                                                layout_.fields, layout_.fields == 1 ? "" : "s", names));
    }
  }

  void find_labels() {
    const std::string& wanted = options_.label_column;
    if (wanted.empty()) return;
    const auto& header = layout_.header;
    const auto named = std::find(header.begin(), header.end(), wanted);
    if (named != header.end()) {
      layout_.label_column = named - header.begin();
    } else if (label_number_ && *label_number_ >= 0 && *label_number_ < layout_.fields) {
      layout_.label_column = *label_number_;
    } else if (label_number_) {
      fail_option(fmt::format("there are {} columns, counted from 1", layout_.fields));
    } else if (header.empty()) {
      fail_option("the columns have no names; give the number of the column, from 1");
    } else {
      constexpr std::size_t kShown = 20;
      const std::vector<std::string> shown(header.begin(),
                                           header.begin() + static_cast<Index>(std::min(kShown, header.size())));
      fail_option(fmt::format("there is no such column{}; there are: {}{}", did_you_mean(wanted, header), joined(shown),
                              header.size() > kShown ? ", ..." : ""));
    }
  }

  void find_row_names(const LineShape& row) {
    if (layout_.label_column == 0 || layout_.features() < 2) return;
    const bool named_as_such = !layout_.header.empty() && (layout_.header[0].empty() || layout_.header[0] == "id");
    if (!named_as_such && (!row.first_is_text || row.first_has_decimal_comma)) return;
    layout_.name_column = 0;
    layout_.names_are_text = !named_as_such;
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: {}; a table has a row of numbers per sample", text_.name(), what));
  }
  [[noreturn]] void fail_option(const std::string& what) const {
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: label_column={}: {}", text_.name(), quoted_for_message(options_.label_column), what));
  }

  const CsvText& text_;
  const ReadOptions& options_;
  std::vector<Warning>& warnings_;
  std::optional<Index> label_number_;
  CsvLayout layout_;
};

}  // namespace

std::string CsvLayout::describe(Index column) const {
  if (header.empty()) return fmt::format("column {}", column + 1);
  return fmt::format("column {} ({})", quoted_for_message(header[static_cast<std::size_t>(column)]), column + 1);
}

CsvLayout find_csv_layout(const CsvText& text, const ReadOptions& options, std::vector<Warning>& warnings) {
  return LayoutFinder(text, options, warnings).find();
}

}  // namespace unroll
