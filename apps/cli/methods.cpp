#include <fmt/core.h>

#include <algorithm>

#include "help.h"
#include "json_text.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "unroll/registry.h"
#include "unroll/spectral/recipe_table.h"
#include "verb.h"

namespace unroll::cli {
namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

struct MethodsOptions {
  bool table = false;
  bool json = false;

  static OptionFields fields() {
    return {
        field<&MethodsOptions::table>(
            "table", any_value(),
            "The table of which every spectral method is a row: what it makes of the similarities W."),
        field<&MethodsOptions::json>("json", any_value(), "One JSON object, with all options of the methods."),
    };
  }
};

std::string method_table(const Style& style) {
  std::size_t name_width = 4, title_width = 5;
  for (const auto& method : methods()) {
    name_width = std::max(name_width, method.name.size());
    title_width = std::max(title_width, method.title.size());
  }
  const auto line = [&](std::string_view name, std::string_view title, std::string_view kind,
                        std::string_view inverse) {
    return fmt::format("{:{}}  {:{}}  {:9}  {}", name, name_width, title, title_width, kind, inverse);
  };
  std::string text = style.bold(line("NAME", "TITLE", "TRANSFORM", "INVERSE")) + "\n";
  for (const auto& method : methods())
    text += line(method.name, method.title, name_of(method.transform), method.has_inverse ? "yes" : "no") + "\n";
  return text + "\n'unroll methods NAME' shows a method's options.\n";
}

/// The cells of the table with their headings, in its order; the last one names the method if it can be called.
std::vector<Definition> recipe_cells(const RecipeWords& row) {
  return {{"ROW", row.variant.empty() ? row.method : row.method + " " + row.variant},
          {"W", row.similarity},
          {"DENSITY", row.density},
          {"OPERATOR", row.operation},
          {"ORDER", row.order},
          {"SKIP", row.skip},
          {"COORDINATES", row.coordinates},
          {"NEW POINT", row.new_point},
          {"METHOD", is_method(row.method) ? row.method : ""}};
}

constexpr const char* kLegend =
    "W: similarities; q, d, D: row sums; J = I - 11'/n; v, l: eigenvector and eigenvalue; psi: v of D^-1 W;\n"
    "w: similarities of a new point x to the others; y: their coordinates; density: W_ij times (q_i q_j)^-alpha.\n"
    "A row with a METHOD can be called: unroll embed INPUT -m METHOD; spectral_clustering: unroll cluster INPUT.\n"
    "docs/table.md explains the table.\n";

std::string recipe_table_text(const Style& style) {
  std::vector<std::size_t> widths;
  for (const auto& row : recipe_table()) {
    const auto cells = recipe_cells(row);
    widths.resize(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
      widths[i] = std::max({widths[i], cells[i].first.size(), cells[i].second.size()});
  }
  const auto line = [&](const RecipeWords& row, bool heading) {
    std::string text;
    const auto cells = recipe_cells(row);
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += fmt::format("{:{}}  ", heading ? cells[i].first : cells[i].second, widths[i]);
    return text.substr(0, text.find_last_not_of(' ') + 1);
  };
  std::string text = style.bold(line(recipe_table().front(), true)) + "\n";
  for (const auto& row : recipe_table()) text += line(row, false) + "\n";
  return text + "\n" + kLegend;
}

/// The rows of a method, cell by cell.
std::string row_text(const Method& method, const Style& style, std::size_t width) {
  std::string text;
  for (const auto& row : recipe_table()) {
    if (row.method != method.name) continue;
    std::vector<Definition> cells;
    for (auto& [name, value] : recipe_cells(row))
      if (name != "ROW" && name != "METHOD") cells.emplace_back(name == "W" ? name : lower_case(name), value);
    text +=
        fmt::format("{}\n{}\n", style.bold(row.variant.empty() ? "Its row of the table:" : "Row " + row.variant + ":"),
                    definition_list(cells, width));
  }
  return text;
}

std::string method_card(const Method& method, const Style& style, std::size_t width) {
  const std::string facts = definition_list({{"reference", method.reference},
                                             {"transform", std::string(name_of(method.transform))},
                                             {"inverse", method.has_inverse ? "yes" : "no"},
                                             {"sparse input", method.takes_sparse() ? "yes" : "no"},
                                             {"points", fmt::format(">= {}", method.properties.min_points)}},
                                            width);
  return fmt::format("{}: {}\n\n{}\n{}{}\n{}", style.bold(method.name), method.title, facts,
                     row_text(method, style, width), style.bold("Options:"),
                     definition_list(definitions(make_algorithm_flags(method.options)), width));
}

}  // namespace

Command describe_methods(const Arguments&) {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.push_back(method.name);
  Command command{
      .name = "methods",
      .summary = "list the methods, or show one with its options",
      .usage = " [NAME] [--table] [--json]",
      .examples = {{"unroll methods"},
                   {"unroll methods isomap", "its options, and its row of the table"},
                   {"unroll methods --table | less -S", "all spectral methods in one table"},
                   {"unroll methods --json | jq '.methods[].name'"}},
      .arguments = {{.name = "NAME", .help = "A method.", .required = false, .choices = names}},
  };
  command.groups.push_back({"Options", make_flags<MethodsOptions>()});
  return command;
}

void run_methods(const Arguments& arguments, const Console& console) {
  const std::string name = arguments.positional(0);
  const auto options = arguments.get<MethodsOptions>("methods");
  if (options.table && !name.empty())
    throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("--table shows all rows, not that of {}", name),
                                           .advice = fmt::format("'unroll methods {}' shows that", name),
                                           .option = "table"});
  if (options.table) {
    print(options.json ? recipe_table_json(recipe_table()) + "\n" : recipe_table_text(console.out()));
  } else if (name.empty()) {
    print(options.json ? methods_json(methods()) + "\n" : method_table(console.out()));
  } else {
    const Method& method = find_method(name);
    print(options.json ? methods_json({method}) + "\n" : method_card(method, console.out(), text_width()));
  }
}

}  // namespace unroll::cli
