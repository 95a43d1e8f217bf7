#include "data/npy_header.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "unroll/core/error.h"

namespace unroll {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, std::size_t offset)
      : text_(text), file_(file), offset_(offset) {}

  NpyHeader header() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr" && !has_descr) {
        header.descr = descr();
        has_descr = true;
      } else if (key == "fortran_order" && !has_order) {
        header.fortran_order = boolean();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        header.shape = shape();
        has_shape = true;
      } else {
        fail("an unknown or repeated key");
      }
      if (!accept(',') && peek() != '}') fail("',' or '}' expected");
    }
    if (!at_end()) fail("something behind the closing '}'");
    if (!has_descr || !has_order || !has_shape) fail("descr, fortran_order or shape is missing");
    return header;
  }

 private:
  /// The next character that is not blank; NUL at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool at_end() {
    peek();
    return at_ == text_.size();
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}' expected", c));
  }
  bool accept_word(std::string_view word) {
    peek();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("a quoted word expected");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a quote that does not end");
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return content;
  }

  std::string descr() {
    if (peek() == '[')
      throw Error(ErrorKind::InvalidData, {.who = file_,
                                           .problem = "structured arrays are not supported",
                                           .advice = "save one table of plain numbers"});
    return std::string(string());
  }

  bool boolean() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) fail("True or False expected");
    return false;
  }

  std::vector<Index> shape() {
    constexpr std::size_t kMostDimensions = 64;  // NumPy's own limit
    std::vector<Index> shape;
    expect('(');
    while (!accept(')')) {
      if (shape.size() == kMostDimensions) fail("more than 64 dimensions");
      shape.push_back(dimension());
      const bool comma = accept(',');
      if (!comma && (shape.size() == 1 || peek() != ')')) fail("',' expected");
    }
    return shape;
  }

  Index dimension() {
    peek();
    Index value = 0;
    const char* const end = text_.data() + text_.size();
    const auto parsed = std::from_chars(text_.data() + at_, end, value);
    if (parsed.ec == std::errc::result_out_of_range) fail("a dimension beyond 2^63");
    if (parsed.ec != std::errc() || value < 0 || text_[at_] == '-') fail("a dimension, 0 or more, expected");
    at_ = static_cast<std::size_t>(parsed.ptr - text_.data());
    accept_word("L");  // Python 2 wrote long integers this way
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::InvalidData,
                {.who = file_,
                 .problem = fmt::format("bad .npy header at offset {}: {}", offset_ + at_, what),
                 .advice = "the file is damaged"});
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t offset_;
  std::size_t at_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& file, std::size_t offset) {
  return Parser(text, file, offset).header();
}

std::string npy_header(std::string_view descr, const std::vector<Index>& shape) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kPreamble = 10;
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                   fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t unpadded = kPreamble + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  std::string preamble("\x93NUMPY\x01\x00", 8);
  preamble += static_cast<char>(length & 0xFFU);
  preamble += static_cast<char>(length >> 8U);
  return preamble + header;
}

}  // namespace unroll
