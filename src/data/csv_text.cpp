#include "data/csv_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "unroll/core/error.h"

namespace unroll {
namespace {

const char* find_char(const char* begin, const char* end, char c) {
  return static_cast<const char*>(std::memchr(begin, c, static_cast<std::size_t>(end - begin)));
}

bool starts_with(const Bytes& bytes, std::string_view prefix) {
  return std::string_view(bytes.data.get(), bytes.size).substr(0, prefix.size()) == prefix;
}

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Characters that are digits, signs, points, letters, quotes or line ends cannot separate numbers.
char checked_delimiter(char c) {
  constexpr std::string_view kForbidden("+-.\"'#_\r\n\0", 10);
  const bool letter_or_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (letter_or_digit || kForbidden.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80)
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("delimiter={} cannot separate numbers", quoted_for_message({&c, 1})),
                 .advice = "use a comma, a semicolon, a tab or a blank",
                 .option = "delimiter"});
  return c;
}

/// The length of the UTF-8 character at the front; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool no_character = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return overlong || no_character ? 0 : length;
}

}  // namespace

CsvText::CsvText(std::string name, Bytes bytes, std::optional<char> delimiter, CsvNumberRules rules)
    : name_(std::move(name)),
      bytes_(std::move(bytes)),
      begin_(bytes_.data.get()),
      end_(begin_ + bytes_.size),
      counted_from_(begin_),
      rules_(std::move(rules)) {
  check_encoding();
  if (find_char(begin_, end_, '\n') == nullptr && find_char(begin_, end_, '\r') != nullptr) line_end_ = '\r';
  if (end_[-1] != line_end_) {
    bytes_.data[static_cast<std::size_t>(end_ - bytes_.data.get())] = line_end_;
    ++end_;
  }
  has_quotes_ = find_char(begin_, end_, '"') != nullptr;
  const std::optional<char> told = told_delimiter();
  if (!delimiter) delimiter = told;
  delimiter_ = delimiter ? checked_delimiter(*delimiter) : detected_delimiter();
}

/// Steps over a first line such as "sep=;".
std::optional<char> CsvText::told_delimiter() {
  constexpr std::string_view kSep = "sep=";
  const std::string_view text(begin_, static_cast<std::size_t>(end_ - begin_));
  if (!text.starts_with(kSep) || text.size() < kSep.size() + 2) return std::nullopt;
  const char* const behind = begin_ + kSep.size() + 1;
  if (std::string_view(",;\t| ").find(behind[-1]) == std::string_view::npos) return std::nullopt;
  if (!ends_line(behind) || behind_line_end(behind) == end_) return std::nullopt;
  begin_ = behind_line_end(behind);
  return behind[-1];
}

/// Excel's word for a missing value is no comment.
bool CsvText::is_comment(const char* line) const {
  constexpr std::string_view kNotAvailable = "#N/A";
  if (*line != '#') return false;
  return std::string_view(line, static_cast<std::size_t>(end_ - line)).substr(0, kNotAvailable.size()) != kNotAvailable;
}

void CsvText::check_encoding() {
  if (starts_with(bytes_, "\xff\xfe") || starts_with(bytes_, "\xfe\xff"))
    throw Error(ErrorKind::InvalidData, {.who = name_, .problem = "the text is UTF-16", .advice = "save it as UTF-8"});
  if (starts_with(bytes_, "\xef\xbb\xbf")) begin_ += 3;
  if (begin_ == end_)
    throw Error(ErrorKind::InvalidData, {.who = name_, .problem = "the file is empty", .advice = kTableAdvice});
  if (const char* nul = find_char(begin_, end_, '\0'))
    fail(nul, "a NUL byte", "this is a binary file, or a text to be saved as UTF-8");
}

/// Counts the possible delimiters in one line, outside quotes. A quote opens a field after anything that may be a
/// delimiter. Moves `at` to the next line.
CsvText::DelimiterCounts CsvText::count_delimiters(const char*& at) const {
  DelimiterCounts counts{};
  char before = ' ';
  bool inside_quotes = false;
  for (; at < end_ && (inside_quotes || *at != line_end_); before = *at++) {
    if (*at == '"') inside_quotes = !inside_quotes && std::strchr(" \t;,\"", before) != nullptr;
    if (inside_quotes) continue;
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += *at == kDelimiters[i] ? 1 : 0;
  }
  if (at < end_) ++at;
  return counts;
}

char CsvText::detected_delimiter() const {
  constexpr std::size_t kLines = 10;
  std::vector<DelimiterCounts> lines;
  const char* second = end_;
  for (const char* at = skip_ignored(begin_); at < end_ && lines.size() < kLines; at = skip_ignored(at)) {
    if (lines.size() == 1) second = at;
    lines.push_back(count_delimiters(at));
  }
  if (lines.empty()) return ' ';
  for (std::size_t i = 0; i < kDelimiters.size(); ++i) {
    if (kDelimiters[i] == rules_.decimal) continue;
    const Index count = lines.back()[i];
    const Index first = lines.front()[i];  // a header may lack the name of the row names
    if (count > 0 && (first == count || first == count - 1) &&
        std::all_of(lines.begin() + 1, lines.end(), [&](const DelimiterCounts& line) { return line[i] == count; }))
      return kDelimiters[i];
  }
  // A title above the table has none.
  const char* const first_line = skip_ignored(begin_);
  const bool may_be_title = std::any_of(first_line, find_char(first_line, end_, line_end_), is_ascii_letter);
  for (std::size_t i = 1; i < kDelimiters.size() && may_be_title && lines.size() > 2; ++i)
    if (const Index count = lines.back()[i];
        count > 1 && lines.front()[i] == 0 &&
        std::all_of(lines.begin() + 1, lines.end(), [&](const DelimiterCounts& line) { return line[i] == count; }))
      return kDelimiters[i];
  // Lines that disagree will be an error; it should name the delimiter that they use. A header may be words with commas
  // in them, so it does not decide alone; tabs that the first line lacks are blanks.
  for (std::size_t i = 0; i < kDelimiters.size(); ++i)
    if (lines.front()[i] > 0 &&
        std::any_of(lines.begin() + 1, lines.end(), [&](const DelimiterCounts& line) { return line[i] > 0; }))
      return kDelimiters[i];
  if (second != end_ && has_inner_blank(second)) return ' ';
  for (std::size_t i = 0; i < kDelimiters.size(); ++i)
    if (lines.front()[i] > 0) return kDelimiters[i];
  return ' ';
}

/// Whether blanks separate something in this line.
bool CsvText::has_inner_blank(const char* line) const {
  const char* const first = skip_blanks(line);
  const char* const stop = std::find_if(first, end_, [&](char c) { return is_blank(c) || c == line_end_; });
  return !ends_line(skip_blanks(stop));
}

const char* CsvText::skip_ignored(const char* line) const {
  while (line < end_ && is_ignored(line)) line = find_char(line, end_, line_end_) + 1;
  return line;
}

const char* CsvText::next_line(const char* line) const {
  const char* const stop = find_char(line, end_, line_end_);
  if (!has_quotes_ || find_char(line, stop, '"') == nullptr) return stop + 1;
  std::string scratch;
  CsvField field{.next = line};
  while (!field.last) field = field_at(field.next, scratch);
  return field.next;
}

const char* CsvText::closing_quote(const char* opening, bool& has_pairs) const {
  for (const char* at = opening + 1;; at += 2) {
    at = find_char(at, end_, '"');
    if (at == nullptr) fail(opening, "a quote opens here and never closes", "add the closing quote");
    if (at[1] != '"') return at;
    has_pairs = true;
  }
}

CsvField CsvText::field_at(const char* at, std::string& scratch) const {
  at = skip_blanks(at);
  CsvField field{.quoted = *at == '"'};
  const char* stop = at;
  if (field.quoted) {
    bool has_pairs = false;
    const char* const closing = closing_quote(at, has_pairs);
    field.text = {at + 1, closing};
    if (has_pairs) {
      scratch.clear();
      for (const char* c = at + 1; c < closing; c += *c == '"' ? 2 : 1) scratch += *c;
      field.text = scratch;
    }
    stop = closing + 1;
    if (delimiter_ == ' ' && !is_blank(*stop) && !ends_line(stop)) fail(stop, "text behind a closing quote");
  } else {
    while (*stop != line_end_ && !(delimiter_ == ' ' ? is_blank(*stop) : *stop == delimiter_)) ++stop;
    const char* last = stop;
    if (*stop == line_end_ && last > at && last[-1] == '\r') --last;
    while (last > at && is_blank(last[-1])) --last;
    field.text = {at, last};
  }
  stop = skip_blanks(stop);
  field.last = ends_line(stop);
  if (field.last) {
    field.next = behind_line_end(stop);
  } else if (delimiter_ == ' ') {
    field.next = stop;
  } else if (*stop == delimiter_) {
    field.next = stop + 1;
  } else {
    fail(stop, "text behind a closing quote");
  }
  return field;
}

Index CsvText::field_count(const char* line) const {
  std::string scratch;
  CsvField field{.next = line};
  Index count = 0;
  for (; !field.last; ++count) field = field_at(field.next, scratch);
  return count;
}

Index CsvText::line_number(const char* at) const { return 1 + std::count(counted_from_, at, line_end_); }

void CsvText::fail(const char* at, std::string problem, std::string advice) const {
  throw Error(ErrorKind::InvalidData, {.who = fmt::format("{}:{}", name_, line_number(at)),
                                       .problem = std::move(problem),
                                       .advice = std::move(advice)});
}

std::string advice_on_fields(Index count, Index expected) {
  const bool is_twice = expected > 4 && count >= 2 * expected - 2 && count <= 2 * expected;
  if (is_twice)
    return "about twice as many: if decimals are written with a comma, too, save the table with another character "
           "between "
           "fields";
  return count < expected ? "complete the row, or remove it" : "take out the fields that are too many, or the row";
}

std::string quoted_for_message(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string shown;
  while (!text.empty() && shown.size() < kLongest) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0 || first < 0x20 || first == 0x7f)
      shown += fmt::format("\\x{:02x}", first);
    else
      shown += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return fmt::format("'{}{}'", shown, text.empty() ? "" : "...");
}

}  // namespace unroll
