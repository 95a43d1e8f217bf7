#include "comparison_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.h"
#include "help.h"

namespace unroll::cli {
namespace {

constexpr std::string_view kRandomMap = "a random map", kTheData = "the data";

std::size_t width_of(const Figure& figure) { return std::max<std::size_t>(6, figure.heading.size()); }

/// Whether a column can get values, by what is known and what is run.
bool is_expected(std::string_view figure, const Comparer& comparer, const GroundTruth& known) {
  if (figure == "label_accuracy") return !known.labels.empty();
  if (figure == "true_distance_pearson" || figure == "affine_r2") return known.coordinates.rows() > 0;
  if (figure == "conductance") return comparer.has_clusters();
  if (figure == "adjusted_rand_index") return comparer.has_clusters() && !known.labels.empty();
  return true;
}

const Figure& same_figure(const std::vector<Figure>& all, const Figure& column) {
  return *std::find_if(all.begin(), all.end(), [&](const Figure& figure) { return figure.name == column.name; });
}

/// The values of one row for programs.
OptionValues values_of(const std::vector<Figure>& all, const auto& value) {
  OptionValues values;
  for (const Figure& figure : all) {
    const std::optional<double> number = value(figure);
    values.push_back({figure.name, number ? OptionValue(*number) : OptionValue()});
  }
  return values;
}

}  // namespace

ComparisonTable::ComparisonTable(const Comparer& comparer, const GroundTruth& known, const Style& style)
    : style_(style), columns_(figures(comparer.result(), true)), name_width_(kRandomMap.size()) {
  std::erase_if(columns_, [&](const Figure& figure) { return !is_expected(figure.name, comparer, known); });
  for (const std::string& label : comparer.labels()) name_width_ = std::max(name_width_, label.size());
}

void ComparisonTable::drop_empty(const Comparison& comparison) {
  const std::vector<Figure> all = figures(comparison);
  std::erase_if(columns_, [&](const Figure& column) {
    return std::none_of(all.begin(), all.end(), [&](const Figure& figure) { return figure.name == column.name; });
  });
}

std::string ComparisonTable::line(std::string_view name, const std::vector<std::string>& cells) const {
  std::string text = fmt::format("{:{}}", name, name_width_);
  for (std::size_t i = 0; i < cells.size(); ++i) text += fmt::format("  {:>{}}", cells[i], width_of(columns_[i]));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string ComparisonTable::heading() const {
  std::vector<std::string> cells;
  for (const Figure& column : columns_) cells.push_back(column.heading);
  return style_.bold(line("method", cells)) + "\n";
}

std::string ComparisonTable::row(const Comparison& comparison, std::size_t method) const {
  const ComparedMethod& compared = comparison.methods[method];
  if (compared.error) return line(compared.label, {}) + fmt::format("  failed: {}\n", compared.error->what());
  const std::vector<Figure> all = figures(comparison, true);
  std::vector<std::string> cells;
  for (const Figure& column : columns_) {
    const Figure& figure = same_figure(all, column);
    cells.push_back(figure.text(figure.values[method]));
  }
  return line(compared.label, cells) + "\n";
}

std::string ComparisonTable::baselines(const Comparison& comparison) const {
  const std::vector<Figure> all = figures(comparison, true);
  std::string text;
  for (const auto& [name, value] : {std::pair{kRandomMap, &Figure::random}, std::pair{kTheData, &Figure::data}}) {
    std::vector<std::string> cells;
    for (const Figure& column : columns_) cells.push_back(column.text(same_figure(all, column).*value));
    if (std::any_of(cells.begin(), cells.end(), [](const std::string& cell) { return !cell.empty(); }))
      text += style_.dim(line(name, cells)) + "\n";
  }
  return text;
}

std::string ComparisonTable::text(const Comparison& comparison) const {
  std::string text = heading();
  for (std::size_t i = 0; i < comparison.methods.size(); ++i) text += row(comparison, i);
  return text + baselines(comparison);
}

std::string verdict_text(const Comparison& comparison, std::size_t width) {
  std::string text;
  for (const std::string& sentence : verdict(comparison))
    text += fmt::format("\n{}\n", fmt::join(wrap(sentence, width), "\n"));
  return text;
}

std::vector<Warning> warnings_by_method(const Comparison& comparison) {
  std::vector<Warning> all;
  std::vector<std::vector<std::string>> names;
  for (const ComparedMethod& method : comparison.methods) {
    for (const Warning& warning : method.warnings) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const Warning& other) {
        return other.code == warning.code && other.message == warning.message;
      });
      if (same == all.end()) {
        all.push_back(warning);
        names.push_back({method.label});
      } else {
        names[static_cast<std::size_t>(same - all.begin())].push_back(method.label);
      }
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].message = fmt::format("{}: {}", joined(names[i]), all[i].message);
  return all;
}

std::vector<Warning> failures(const Comparison& comparison) {
  std::vector<std::string> failed;
  std::string first;
  bool is_alike = true;
  for (const ComparedMethod& method : comparison.methods) {
    if (!method.error) continue;
    const std::string reason = method.error->with_who("").what();
    if (failed.empty()) first = reason;
    is_alike = is_alike && reason == first;
    failed.push_back(method.label);
  }
  if (failed.empty()) return {};
  const std::string_view others = is_alike ? "" : "; the table has the other reasons";
  return {{"method-failed", fmt::format("{} failed: {}{}", joined(failed), first, others), ""}};
}

void put_in_words(const Console& console, ComparedMethod& method) {
  if (method.error)
    method.error = Error(method.error->kind(), {.who = method.error->who(),
                                                .problem = console.worded(method.error->problem(), method.name),
                                                .advice = console.worded(method.error->advice(), method.name),
                                                .option = method.error->option(),
                                                .row = method.error->row()});
  for (Warning& warning : method.warnings) warning = console.worded(warning, method.name);
}

void fill_report(Report& report, const ComparisonOptions& options, const Comparison& comparison) {
  report.params = option_values(options);
  report.results.emplace_back("neighborhoods",
                              OptionValues{{"n_neighbors", comparison.n_neighbors},
                                           {"measured_points", std::int64_t{comparison.measured_points}}});
  report.results.emplace_back("rows", OptionValues{{"finished", std::int64_t{std::ssize(comparison.methods)}},
                                                   {"planned", std::int64_t{comparison.planned}}});
  report.results.emplace_back("verdict", OptionValues{{"sentences", verdict(comparison)}});
  const std::vector<Figure> all = figures(comparison);
  std::vector<OptionValues> entries;
  for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
    const ComparedMethod& method = comparison.methods[i];
    OptionValues entry{{"name", method.name}, {"label", method.label}, {"title", method.title}};
    for (NamedValue& value : values_of(all, [&](const Figure& figure) { return figure.values[i]; }))
      entry.push_back(std::move(value));
    entry.push_back({"error", method.error ? OptionValue(std::string(method.error->what())) : OptionValue()});
    entries.push_back(std::move(entry));
  }
  report.lists.emplace_back("methods", std::move(entries));
  report.results.emplace_back("random_map", values_of(all, [](const Figure& figure) { return figure.random; }));
  report.results.emplace_back("the_data", values_of(all, [](const Figure& figure) { return figure.data; }));
}

}  // namespace unroll::cli
