#include <fmt/format.h>

#include <algorithm>

#include "data/byte_source.h"
#include "unroll/core/error.h"
#include "unroll/data/table.h"

namespace unroll {
namespace {

/// One line without blanks around it and without quotes.
std::string word_of(std::string_view line, const std::string& name, Index number) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  line = line.substr(first, line.find_last_not_of(kBlanks) + 1 - first);
  if (line.size() > 1 && line.front() == '"' && line.back() == '"') return std::string(line.substr(1, line.size() - 2));
  if (line.find_first_of(",;\t") != std::string_view::npos)
    throw Error(ErrorKind::InvalidData, fmt::format("{}, line {}: several fields", name, number),
                "give one label per line, or quote it");
  return std::string(line);
}

/// An empty word is a row of which nothing is known. Of one line too many the last is blank for nothing, and the first
/// is no name, if all others have a word or if the first word occurs again.
bool ends_with_blank_line(const std::vector<std::string>& words) {
  if (!words.back().empty()) return false;
  const auto second = words.begin() + 1, last = words.end() - 1;
  return std::find(second, last, "") == last || std::find(second, last, words.front()) != last;
}

}  // namespace

std::vector<std::string> read_words(const std::string& path, Index rows, const Run& run) {
  ByteSource source(path, run);
  const Bytes bytes = source.read_all(1);
  const std::string_view text(bytes.data.get(), bytes.size);
  std::vector<std::string> words;
  Index number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    words.push_back(word_of(text.substr(begin, end - begin), source.name(), ++number));
    begin = end + 1;
  }
  const Index most = rows + 1;  // with a name above them
  while (std::ssize(words) > most && words.back().empty()) words.pop_back();
  if (std::ssize(words) == most && ends_with_blank_line(words)) words.pop_back();
  if (std::ssize(words) == most) words.erase(words.begin());
  return words;
}

}  // namespace unroll
