#include "ground_truth.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "core/text.h"
#include "unroll/core/error.h"

namespace unroll::cli {

void check_same_rows(std::string_view verb, const std::string& path, Index rows, const std::string& other_path,
                     Index other_rows) {
  if (rows == other_rows) return;
  throw Error(ErrorKind::InvalidData, fmt::format("{}: '{}' has {} rows but '{}' has {}; row i of both must be "
                                                  "the same point",
                                                  verb, path, rows, other_path, other_rows));
}

std::vector<std::string> read_labels(Job& job, std::string_view verb, const std::string& path,
                                     const std::string& input_path, Index rows) {
  std::vector<std::string> labels = job.read_words(path, rows);
  check_same_rows(verb, input_path, rows, path, std::ssize(labels));
  return labels;
}

std::vector<std::int64_t> numbered_words(const std::vector<std::string>& words) {
  std::map<std::string, std::int64_t, NaturalOrder> number;
  for (const auto& word : words) number.emplace(word, 0);
  std::int64_t next = 0;
  for (auto& entry : number) entry.second = next++;
  std::vector<std::int64_t> labels;
  labels.reserve(words.size());
  for (const auto& word : words) labels.push_back(number[word]);
  return labels;
}

std::optional<std::vector<double>> measured_labels(const std::vector<std::string>& labels) {
  constexpr std::size_t kMostClasses = 20;
  std::vector<double> values;
  std::set<double> different;
  bool is_whole = true;
  for (const std::string& label : labels) {
    double value = 0;
    const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), value);
    if (error != std::errc() || end != label.data() + label.size() || !std::isfinite(value)) return std::nullopt;
    is_whole = is_whole && value == std::nearbyint(value);
    different.insert(value);
    values.push_back(value);
  }
  if (values.empty() || (is_whole && different.size() <= kMostClasses)) return std::nullopt;
  return values;
}

}  // namespace unroll::cli
