#include "ground_truth.h"

#include <fmt/core.h>

#include <cmath>
#include <map>

#include "unroll/core/error.h"

namespace unroll::cli {

void check_same_rows(std::string_view verb, const std::string& path, Index rows, const std::string& other_path,
                     Index other_rows) {
  if (rows == other_rows) return;
  throw Error(ErrorKind::InvalidData, fmt::format("{}: '{}' has {} rows but '{}' has {}; row i of both must be "
                                                  "the same point",
                                                  verb, path, rows, other_path, other_rows));
}

std::vector<std::int64_t> read_labels(Job& job, std::string_view verb, const std::string& path,
                                      const std::string& input_path, Index rows) {
  const Table table = job.read_beside(path);
  const PointsView values = table.view();
  check_same_rows(verb, input_path, rows, path, values.rows());
  if (values.cols() != 1)
    throw Error(ErrorKind::InvalidData, fmt::format("{}: labels are one column of whole numbers, '{}' has {} "
                                                    "columns",
                                                    verb, path, values.cols()));
  std::vector<std::int64_t> labels;
  values.visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i) {
      const auto value = static_cast<double>(x(i, 0));
      if (value != std::nearbyint(value) || std::abs(value) > 0x1p53)
        throw Error(ErrorKind::InvalidData, fmt::format("{}: labels are whole numbers, row {} of '{}' is {}", verb,
                                                        i + 1, path, to_text(OptionValue(value))));
      labels.push_back(static_cast<std::int64_t>(value));
    }
  });
  return labels;
}

std::vector<std::int64_t> numbered_words(const std::vector<std::string>& words) {
  std::map<std::string, std::int64_t> number;
  for (const auto& word : words) number.emplace(word, 0);
  std::int64_t next = 0;
  for (auto& entry : number) entry.second = next++;
  std::vector<std::int64_t> labels;
  labels.reserve(words.size());
  for (const auto& word : words) labels.push_back(number[word]);
  return labels;
}

}  // namespace unroll::cli
