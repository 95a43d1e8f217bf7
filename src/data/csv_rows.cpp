#include "data/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "core/memory.h"
#include "core/parallel.h"
#include "data/csv_number.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// Consecutive lines of data, parsed by one thread.
struct Piece {
  const char* begin;
  Index first_row;
  Index rows;
};

std::vector<Piece> cut(const CsvText& text, const CsvLayout& layout) {
  constexpr std::ptrdiff_t kPieceBytes = 1 << 20;
  std::vector<Piece> pieces;
  Index rows = 0;
  for (const char* line = layout.first_row; line < text.end(); line = text.skip_ignored(text.next_line(line))) {
    if (pieces.empty() || line - pieces.back().begin >= kPieceBytes) pieces.push_back({line, rows, 0});
    ++pieces.back().rows;
    ++rows;
  }
  return pieces;
}

class RowParser {
 public:
  RowParser(const CsvText& text, const CsvLayout& layout, MissingValues missing, CsvRows& rows)
      : text_(text), layout_(layout), missing_(missing), rows_(rows) {}

  void parse(const Piece& piece) {
    const char* line = piece.begin;
    for (Index row = piece.first_row; row < piece.first_row + piece.rows; ++row)
      line = parse_row(text_.skip_ignored(line), row);
  }

  std::vector<IncompleteRow> take_incomplete() { return std::move(incomplete_); }

 private:
  /// Returns the next line.
  const char* parse_row(const char* line, Index row) {
    double* out = rows_.values.row(row);
    const char* at = line;
    bool last = false;
    for (Index column = 0; column < layout_.fields; ++column) {
      if (last) fail_ragged(line);
      if (layout_.roles[static_cast<std::size_t>(column)] != ColumnRole::Feature) {
        at = parse_text(at, row, column, last);
        continue;
      }
      const char* const next = parse_plain_number(at, *out, last);
      at = next != nullptr ? next : parse_other(at, line, row, column, *out, last);
      ++out;
    }
    return last ? at : behind_trailing_delimiter(at, line);
  }

  /// The common case, which reads the field once: a finite number that ends where the field does. Null for anything
  /// else. The text ends with a line end, so that reading stops before its end.
  const char* parse_plain_number(const char* at, double& value, bool& last) const {
    if (!text_.has_decimal_point()) return nullptr;
    at = text_.skip_blanks(at);
    const auto parsed = std::from_chars(at, text_.end(), value);
    if (parsed.ec != std::errc() || !std::isfinite(value)) return nullptr;
    const char* const stop = text_.skip_blanks(parsed.ptr);
    last = text_.ends_line(stop);
    if (last) return text_.behind_line_end(stop);
    if (text_.delimiter() == ' ') return stop > parsed.ptr ? stop : nullptr;
    return *stop == text_.delimiter() ? stop + 1 : nullptr;
  }

  const char* parse_other(const char* at, const char* line, Index row, Index column, double& value, bool& last) {
    const CsvField field = text_.field_at(at, scratch_);
    const CsvNumber number = text_.number(field.text);
    if (number.kind == CsvNumber::Kind::Missing && missing_ != MissingValues::Error) {
      if (incomplete_.empty() || incomplete_.back().row != row) incomplete_.push_back({row, 0, line});
      ++incomplete_.back().missing;
      value = std::numeric_limits<double>::quiet_NaN();
    } else if (number.kind == CsvNumber::Kind::Finite) {
      value = number.value;
    } else {
      fail_number(at, line, column, field.text, number.kind);
    }
    last = field.last;
    return field.next;
  }

  const char* parse_text(const char* at, Index row, Index column, bool& last) {
    const CsvField field = text_.field_at(at, scratch_);
    const ColumnRole role = layout_.roles[static_cast<std::size_t>(column)];
    if (role == ColumnRole::RowName) {
      if (layout_.names_are_text && text_.number(field.text).kind == CsvNumber::Kind::Finite) fail_names(column);
      rows_.names[static_cast<std::size_t>(row)] = field.text;
    } else if (role == ColumnRole::Label) {
      const auto place = std::find(layout_.labels.begin(), layout_.labels.end(), column) - layout_.labels.begin();
      rows_.labels[static_cast<std::size_t>(place)][static_cast<std::size_t>(row)] = field.text;
    }
    last = field.last;
    return field.next;
  }

  const char* behind_trailing_delimiter(const char* at, const char* line) {
    if (!layout_.trailing_delimiter) fail_ragged(line);
    const CsvField field = text_.field_at(at, scratch_);
    if (!field.last || !field.text.empty()) fail_ragged(line);
    return field.next;
  }

  [[noreturn]] void fail_ragged(const char* line) const {
    const Index count = text_.field_count(line);
    text_.fail(line, fmt::format("{} field{}, expected {}", count, count == 1 ? "" : "s", layout_.fields),
               advice_on_fields(count, layout_.fields));
  }

  /// Further fields like a bad one.
  struct Alike {
    Index count = 0;
    Index in_column = 0;
    Index rows = 0;  ///< from the bad one on
    std::vector<Index> lines = {};

    /// A column of words is one decision, not many mistakes.
    bool is_whole_column() const { return rows > 2 && 2 * in_column > rows; }
    /// ", and 3 more such fields, in lines 31, 61, 91"
    std::string text() const {
      constexpr std::size_t kShown = 5;
      if (count < 1 || is_whole_column()) return "";
      const std::vector<Index> shown(lines.begin(), lines.begin() + static_cast<Index>(std::min(kShown, lines.size())));
      return fmt::format(", and {} more such field{}, in line{} {}{}", count, count == 1 ? "" : "s",
                         lines.size() == 1 ? "" : "s", fmt::join(shown, ", "), lines.size() > kShown ? ", ..." : "");
    }
  };

  /// What else is to be corrected, from the line of the bad field to the end.
  Alike alike_below(CsvNumber::Kind kind, const char* line, Index bad_column) const {
    constexpr std::size_t kEnough = 6;
    Alike found{.count = -1};  // without the field itself
    std::string scratch;
    try {
      for (const char* at = line; at < text_.end(); at = text_.skip_ignored(at)) {
        const char* const begin = at;
        const Index before = std::max<Index>(found.count, 0);
        CsvField field{.next = at};
        for (Index column = 0; !field.last; ++column) {
          field = text_.field_at(field.next, scratch);
          if (column >= layout_.fields || layout_.roles[static_cast<std::size_t>(column)] != ColumnRole::Feature ||
              text_.number(field.text).kind != kind)
            continue;
          ++found.count;
          found.in_column += column == bad_column ? 1 : 0;
        }
        at = field.next;
        ++found.rows;
        if (found.count > before && found.lines.size() < kEnough) found.lines.push_back(text_.line_number(begin));
      }
    } catch (const Error&) {  // a quote that never closes: the first error is still the first
    }
    return found;
  }

  [[noreturn]] void fail_number(const char* at, const char* line, Index column, std::string_view field,
                                CsvNumber::Kind kind) const {
    using Kind = CsvNumber::Kind;
    const std::string shown = quoted_for_message(field), word = layout_.word(column);
    const Alike others = alike_below(kind, line, column);
    std::string problem = fmt::format("cannot read {} as a number", shown), advice;
    if (kind == Kind::Missing) {
      advice = "leave out rows with missing values or fill them in with --na drop|mean";
    } else if (kind == Kind::Infinite) {
      problem = fmt::format("{} is infinite", shown);
      advice = "values must be finite: correct it or remove the row";
    } else if (kind == Kind::TooLarge) {
      problem = fmt::format("{} is out of range, beyond the largest double, 1.8e308", shown);
      advice = "rescale the column";
    } else if (has_decimal_comma(field)) {
      advice = "decimals are written with a point: 1.5; if all have a comma, use decimal=','";
    } else {
      advice = fmt::format("correct it, or take the column for labels (label_column={}) or leave it out (drop={})",
                           word, word);
      constexpr std::size_t kLongestMark = 10;
      const bool may_be_mark =
          field.size() <= kLongestMark && field.find_first_of("0123456789") == std::string_view::npos;
      if (!others.is_whole_column() && may_be_mark)
        advice += fmt::format("; if it means a missing value, use na_values={}", shown);
    }
    text_.fail(at, fmt::format("{}: {}{}", layout_.describe(column), problem, others.text()), advice);
  }

  /// Some entries of the first column are numbers, so it does not hold row names, and its first entry should be a
  /// number.
  [[noreturn]] void fail_names(Index column) const {
    std::string scratch;
    const CsvField first = text_.field_at(layout_.first_row, scratch);
    text_.fail(layout_.first_row,
               fmt::format("{}: cannot read {} as a number", layout_.describe(column), quoted_for_message(first.text)),
               fmt::format("the column has numbers too, so it is not row names: say id_column={} if it is",
                           layout_.word(column)));
  }

  const CsvText& text_;
  const CsvLayout& layout_;
  MissingValues missing_;
  CsvRows& rows_;
  std::vector<IncompleteRow> incomplete_;
  std::string scratch_;
};

}  // namespace

CsvRows parse_csv_rows(const CsvText& text, const CsvLayout& layout, MissingValues missing, const Run& run) {
  const std::vector<Piece> pieces = cut(text, layout);
  const Index rows = pieces.back().first_row + pieces.back().rows;
  const auto kept = std::count_if(layout.roles.begin(), layout.roles.end(), [](ColumnRole role) {
    return role == ColumnRole::RowName || role == ColumnRole::Label;
  });
  MemoryPlan(text.name())
      .add("the table", static_cast<double>(rows), static_cast<double>(layout.features()), sizeof(double))
      .add("the text", 1, static_cast<double>(text.size()), 1)
      .add("names", static_cast<double>(rows), static_cast<double>(kept), sizeof(std::string))
      .require(run, "give it a larger memory budget, or a table of fewer rows");

  CsvRows result{.values = Array2<double>::uninitialized(rows, layout.features())};
  if (layout.has(ColumnRole::RowName)) result.names.resize(static_cast<std::size_t>(rows));
  result.labels.assign(layout.labels.size(), std::vector<std::string>(static_cast<std::size_t>(rows)));
  const auto count = static_cast<Index>(pieces.size());
  std::vector<std::vector<IncompleteRow>> incomplete(pieces.size());
  parallel_for(
      run, count, 1,
      [&](Index first, Index) {
        const auto i = static_cast<std::size_t>(first);
        RowParser parser(text, layout, missing, result);
        parser.parse(pieces[i]);
        incomplete[i] = parser.take_incomplete();
      },
      "parsing");
  for (const auto& part : incomplete) result.incomplete.insert(result.incomplete.end(), part.begin(), part.end());
  return result;
}

}  // namespace unroll
