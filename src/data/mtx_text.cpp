#include "data/mtx_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unroll/core/error.h"

namespace unroll {

MtxText::MtxText(std::string name, std::string_view text) : name_(std::move(name)), rest_(text) {}

bool MtxText::next_raw(Line& line) {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  std::string_view text = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++line_number_;
  line.count = 0;
  constexpr std::string_view kBlanks = " \t\r\v\f";
  for (std::size_t begin = 0; (begin = text.find_first_not_of(kBlanks, begin)) != std::string_view::npos;) {
    const std::size_t stop = std::min(text.find_first_of(kBlanks, begin), text.size());
    if (line.count < kMostFields) line.fields[line.count] = text.substr(begin, stop - begin);
    ++line.count;
    begin = stop;
  }
  return true;
}

bool MtxText::next(Line& line) {
  while (next_raw(line))
    if (line.count > 0 && line[0].front() != '%') return true;
  return false;
}

void MtxText::fail(const std::string& what) const {
  throw Error(ErrorKind::InvalidData, {.who = fmt::format("{}:{}", name_, line_number_), .problem = what});
}

}  // namespace unroll
