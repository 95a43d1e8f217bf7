#include <fmt/format.h>

#include <algorithm>

#include "help.h"
#include "json_text.h"
#include "unroll/registry.h"
#include "verb.h"

namespace unroll::cli {
namespace {

struct MethodsOptions {
  bool json = false;

  static constexpr auto fields() {
    return std::tuple{
        Field{"json", &MethodsOptions::json, any_value(), "One JSON object, with all options of the methods."},
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

std::string method_card(const Method& method, const Style& style, std::size_t width) {
  const std::string facts = definition_list({{"reference", method.reference},
                                             {"transform", std::string(name_of(method.transform))},
                                             {"inverse", method.has_inverse ? "yes" : "no"},
                                             {"points", fmt::format(">= {}", method.properties.min_points)}},
                                            width);
  return fmt::format("{}: {}\n\n{}\n{}\n{}", style.bold(method.name), method.title, facts, style.bold("Options:"),
                     definition_list(definitions(make_algorithm_flags(method.options)), width));
}

}  // namespace

Command describe_methods(const Arguments&) {
  Command command{
      .name = "methods",
      .summary = "list the methods, or show one with its options",
      .usage = " [NAME] [--json]",
      .examples = {{"unroll methods"}, {"unroll methods pca"}, {"unroll methods --json | jq '.methods[].name'"}},
      .arguments = {{.name = "NAME", .help = "A method.", .required = false, .choices = method_names()}},
  };
  command.groups.push_back({"Options", make_flags<MethodsOptions>()});
  return command;
}

void run_methods(const Arguments& arguments, const Console& console) {
  const std::string name = arguments.positional(0);
  const bool json = arguments.get<MethodsOptions>("methods").json;
  if (name.empty()) {
    print(json ? methods_json(methods()) + "\n" : method_table(console.out()));
  } else {
    const Method& method = find_method(to_snake(name));
    print(json ? methods_json({method}) + "\n" : method_card(method, console.out(), text_width()));
  }
}

}  // namespace unroll::cli
