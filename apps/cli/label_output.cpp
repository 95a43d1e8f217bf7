#include "label_output.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace unroll::cli {
namespace {

const std::vector<std::int64_t>& classes_of(const Model& model) {
  return model.attribute<std::vector<std::int64_t>>("classes");
}

Index place_of(Index label, const Model& model) {
  const auto& classes = classes_of(model);
  return std::lower_bound(classes.begin(), classes.end(), label) - classes.begin();
}

std::optional<double> whole_number(const std::string& word) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return static_cast<double>(value);
}

/// What stands for every class in a file of numbers.
std::vector<double> class_numbers(const std::vector<std::string>& words) {
  std::vector<double> numbers, places;
  for (const std::string& word : words) {
    places.push_back(static_cast<double>(places.size()));
    if (const auto number = whole_number(word)) numbers.push_back(*number);
  }
  return numbers.size() == words.size() ? numbers : places;
}

}  // namespace

std::vector<std::string> class_words(const Model& model) {
  if (!model.features().classes.empty()) return model.features().classes;
  std::vector<std::string> words;
  for (const std::int64_t value : classes_of(model)) words.push_back(fmt::format("{}", value));
  return words;
}

std::vector<std::string> words_of(const std::vector<Index>& labels, const Model& model) {
  const std::vector<std::string> classes = class_words(model);
  std::vector<std::string> words;
  words.reserve(labels.size());
  for (const Index label : labels)
    words.push_back(label == -1 ? "" : classes[static_cast<std::size_t>(place_of(label, model))]);
  return words;
}

FoundLabels find_labels(Job& job, const Model& model, PointsView rows) {
  return job.compute([&] { return FoundLabels{model.predict(rows, job.run()), model.transform(rows, job.run())}; });
}

void write_labels(Job& job, const FoundLabels& found, const Model& model, const Table& table,
                  const std::string& output) {
  const bool is_text = output.empty() || output == "-" || table_format(output) == TableFormat::Text;
  TableNames names = names_beside(table);
  Array2<double> values(std::ssize(found.labels), is_text ? 1 : 2);
  const std::vector<double> numbers = class_numbers(class_words(model));
  for (Index i = 0; i < values.rows(); ++i) {
    const Index label = found.labels[static_cast<std::size_t>(i)];
    const double* row = found.probabilities.row(i);
    values(i, values.cols() - 1) = *std::max_element(row, row + found.probabilities.cols());
    if (!is_text) values(i, 0) = label == -1 ? -1 : numbers[static_cast<std::size_t>(place_of(label, model))];
  }
  names.columns = {"probability"};
  if (!is_text) names.columns = {"label", "probability"};
  if (is_text) {
    if (!names.labels.empty()) names.more_labels.insert(names.more_labels.begin(), {names.label_header, names.labels});
    names.labels = words_of(found.labels, model);
    names.label_header = "label";
  }
  job.write("labels", values, names);
}

}  // namespace unroll::cli
