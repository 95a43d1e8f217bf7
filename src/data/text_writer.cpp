#include "data/text_writer.h"

#include <algorithm>
#include <charconv>

namespace unroll {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 16U;
constexpr std::size_t kLongestNumber = 32;  // -2.2250738585072014e-308 has 24 characters

/// Many readers drop blanks at the ends, and empty lines.
bool needs_quotes(std::string_view text, char delimiter) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return true;
  return std::any_of(text.begin(), text.end(),
                     [&](char c) { return c == delimiter || c == '"' || c == '\n' || c == '\r' || c == '\t'; });
}

}  // namespace

TextWriter::TextWriter(FileWriter& file, char delimiter) : file_(file), delimiter_(delimiter), buffer_(kBufferSize) {}

void TextWriter::add(std::string_view text) {
  if (!line_begins_) append({&delimiter_, 1});
  line_begins_ = false;
  if (needs_quotes(text, delimiter_)) {
    append_quoted(text);
  } else {
    append(text);
  }
}

void TextWriter::add(double number) { add_number(number); }
void TextWriter::add(float number) { add_number(number); }

template <class T>
void TextWriter::add_number(T number) {
  char* at = reserve(1 + kLongestNumber);
  if (!line_begins_) *at++ = delimiter_;
  line_begins_ = false;
  used_ = static_cast<std::size_t>(std::to_chars(at, at + kLongestNumber, number).ptr - buffer_.data());
}

void TextWriter::end_line() {
  *reserve(1) = '\n';
  ++used_;
  line_begins_ = true;
}

void TextWriter::flush() {
  file_.write(buffer_.data(), used_);
  used_ = 0;
}

void TextWriter::append(std::string_view text) {
  while (!text.empty()) {
    const std::size_t piece = std::min(text.size(), kBufferSize);
    text.copy(reserve(piece), piece);
    used_ += piece;
    text.remove_prefix(piece);
  }
}

void TextWriter::append_quoted(std::string_view text) {
  append("\"");
  for (std::size_t quote; (quote = text.find('"')) != std::string_view::npos; text.remove_prefix(quote + 1)) {
    append(text.substr(0, quote));
    append("\"\"");
  }
  append(text);
  append("\"");
}

char* TextWriter::reserve(std::size_t size) {
  if (used_ + size > kBufferSize) flush();
  return buffer_.data() + used_;
}

}  // namespace unroll
