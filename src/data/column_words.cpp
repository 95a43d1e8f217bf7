#include "data/column_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "core/text.h"
#include "data/csv_text.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// A whole number at the front of the text, which it takes off.
std::optional<std::int32_t> leading_number(std::string_view& text) {
  std::int32_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  return number;
}

}  // namespace

std::optional<ColumnWords::Range> ColumnWords::range_of(std::string_view word) {
  const auto first = leading_number(word);
  if (!first) return std::nullopt;
  if (word.empty()) return Range{Index{*first} - 1, Index{*first} - 1};
  if (word.front() != '-') return std::nullopt;
  word.remove_prefix(1);
  if (word.empty()) return Range{Index{*first} - 1, std::nullopt};
  const auto last = leading_number(word);
  if (!last || !word.empty() || *last < *first) return std::nullopt;
  return Range{Index{*first} - 1, Index{*last} - 1};
}

ColumnWords::ColumnWords(std::string_view option, std::string_view text) : option_(option), text_(text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view word = text.substr(0, end);
    if (!word.empty()) words_.push_back({std::string(word), range_of(word)});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (words_.empty() && !text_.empty())
    throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("{}='{}' names no column", option_, text_),
                                           .advice = "give a name, a number from 1 or a range such as 2-5",
                                           .option = option_});
}

bool ColumnWords::need_names() const {
  return std::any_of(words_.begin(), words_.end(), [](const Word& word) { return !word.range; });
}

bool ColumnWords::have_number(Index column) const {
  return std::any_of(words_.begin(), words_.end(), [&](const Word& word) {
    return word.range && column >= word.range->first && (!word.range->last || column <= *word.range->last);
  });
}

std::vector<Index> ColumnWords::columns(const std::vector<std::string>& header, Index count,
                                        const std::string& file) const {
  const auto place_of = [&](const std::string& name) -> std::optional<Index> {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end()) return std::nullopt;
    return found - header.begin();
  };
  if (empty()) return {};
  if (const auto whole = place_of(text_)) return {*whole};
  std::vector<Index> chosen;
  const auto choose = [&](Index column) {
    if (std::find(chosen.begin(), chosen.end(), column) == chosen.end()) chosen.push_back(column);
  };
  for (const Word& word : words_) {
    if (const auto place = place_of(word.text)) {
      choose(*place);
    } else if (word.range && word.range->first >= 0 && word.range->last.value_or(word.range->first) < count &&
               word.range->first < count) {
      for (Index column = word.range->first; column <= word.range->last.value_or(count - 1); ++column) choose(column);
    } else {
      fail(word, header, count, file);
    }
  }
  return chosen;
}

void ColumnWords::fail(const Word& word, const std::vector<std::string>& header, Index count,
                       const std::string& file) const {
  constexpr std::size_t kShown = 20;
  std::string problem, advice;
  if (word.range) {
    problem = fmt::format("there are {} columns, counted from 1", count);
  } else if (header.empty()) {
    problem = "the columns have no names";
    advice = "give the number of the column, from 1";
  } else {
    const std::vector<std::string> shown(header.begin(),
                                         header.begin() + static_cast<Index>(std::min(kShown, header.size())));
    problem = fmt::format("there is no such column{}", did_you_mean(word.text, header));
    advice = fmt::format("there are: {}{}", joined(shown), header.size() > kShown ? ", ..." : "");
  }
  throw Error(ErrorKind::InvalidOption,
              {.who = file,
               .problem = fmt::format("{}={}: {}", option_, quoted_for_message(word.text), problem),
               .advice = std::move(advice),
               .option = option_});
}

}  // namespace unroll
