#include "picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include "ground_truth.h"
#include "unroll/core/error.h"
#include "writable.h"

namespace unroll::cli {
namespace {

bool is_missing(const std::string& word) {
  constexpr std::array<std::string_view, 4> kMissing{"", "NA", "nan", "NaN"};
  return std::find(kMissing.begin(), kMissing.end(), word) != kMissing.end();
}

/// Numbers with NaN for what is missing; nothing if the other words are classes.
std::optional<std::vector<double>> numbers_with_gaps(const std::vector<std::string>& words) {
  std::vector<std::string> known;
  std::remove_copy_if(words.begin(), words.end(), std::back_inserter(known), is_missing);
  const auto measured = measured_labels(known);
  if (!measured) return std::nullopt;
  std::vector<double> numbers(words.size(), std::numeric_limits<double>::quiet_NaN());
  auto next = measured->begin();
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!is_missing(words[i])) numbers[i] = *next++;
  return numbers;
}

}  // namespace

void check_picture(const std::string& path, const std::string& option) {
  if (path.empty()) return;
  try {
    plot_format(path);
  } catch (const Error& error) {
    throw error.with_option(option);
  }
  check_writable(path);
}

void set_colors(PlotSubject& subject, Coloring coloring) {
  subject.label_name = std::move(coloring.name);
  subject.numbers = std::move(coloring.numbers);
  if (coloring.classes.empty()) return;
  if (auto numbers = numbers_with_gaps(coloring.classes)) {
    subject.numbers = std::move(*numbers);
    return;
  }
  std::replace_if(coloring.classes.begin(), coloring.classes.end(), is_missing, "");
  subject.labels = std::move(coloring.classes);
}

void write_picture(Job& job, const std::string& path, const PlotSubject& subject, const PlotOptions& options) {
  std::vector<std::string> notes;
  job.write_beside_with("picture", path, [&] { notes = write_plot(path, subject, options); });
  for (const std::string& note : notes) job.note(fmt::format("{}: {}", path, note));
}

std::string name_of_content(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

std::string title_of_map(const std::string& method, const std::string& path) {
  return path == "-" ? method : fmt::format("{} of {}", method, name_of_content(path));
}

}  // namespace unroll::cli
