#include "ground_truth.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "core/text.h"
#include "unroll/core/error.h"
#include "unroll/quality/agreement.h"

namespace unroll::cli {
namespace {

/// Nothing if a word is not a finite number.
std::optional<std::vector<double>> as_numbers(const std::vector<std::string>& words) {
  std::vector<double> values;
  for (const std::string& word : words) {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
    values.push_back(value);
  }
  return values;
}

/// Whole numbers name classes.
bool is_class(double value) { return value == std::nearbyint(value) && std::abs(value) <= 0x1p53; }

}  // namespace

void check_same_rows(std::string_view verb, const std::string& path, Index rows, const std::string& other_path,
                     Index other_rows) {
  if (rows == other_rows) return;
  throw Error(ErrorKind::InvalidData,
              {.who = std::string(verb),
               .problem = fmt::format("'{}' has {} rows but '{}' has {}", path, rows, other_path, other_rows),
               .advice = "row i of both must be the same point"});
}

std::vector<std::string> read_labels(Job& job, std::string_view verb, const std::string& path,
                                     const std::string& input_path, Index rows) {
  std::vector<std::string> labels = job.read_words(path, rows);
  check_same_rows(verb, input_path, rows, path, std::ssize(labels));
  if (const auto numbers = as_numbers(labels))
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (!is_class((*numbers)[i]))
        throw Error(ErrorKind::InvalidData, {.who = std::string(verb),
                                             .problem = fmt::format("of '{}' is {}", path, labels[i]),
                                             .advice = "labels are whole numbers or words",
                                             .option = "labels",
                                             .row = static_cast<Index>(i)});
  return labels;
}

std::vector<std::int64_t> numbered_words(const std::vector<std::string>& words) {
  std::map<std::string, std::int64_t, NaturalOrder> number;
  for (const auto& word : words)
    if (!word.empty()) number.emplace(word, 0);
  std::int64_t next = 0;
  for (auto& entry : number) entry.second = next++;
  std::vector<std::int64_t> labels;
  labels.reserve(words.size());
  for (const auto& word : words) labels.push_back(word.empty() ? kNoLabel : number[word]);
  return labels;
}

void note_no_labels(Job& job, const std::vector<std::string>& labels) {
  if (const auto count = std::count(labels.begin(), labels.end(), ""); count > 0)
    job.note(fmt::format("{} {} no label: {} not counted in what labels tell", counted(count, "row"),
                         count == 1 ? "has" : "have", count == 1 ? "it is" : "they are"));
}

std::optional<std::vector<double>> measured_labels(const std::vector<std::string>& labels) {
  constexpr std::size_t kMostClasses = 20;
  auto values = as_numbers(labels);
  if (!values || values->empty()) return std::nullopt;
  const std::set<double> different(values->begin(), values->end());
  const bool are_classes = std::all_of(values->begin(), values->end(), is_class) && different.size() <= kMostClasses;
  return are_classes ? std::nullopt : std::move(values);
}

}  // namespace unroll::cli
