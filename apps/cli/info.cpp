#include <fmt/format.h>

#include <filesystem>

#include "core/text.h"
#include "help.h"
#include "json_text.h"
#include "label_output.h"
#include "unroll/core/option_field.h"
#include "unroll/registry.h"
#include "verb.h"

namespace unroll::cli {
namespace {

struct InfoOptions {
  bool json = false;

  static OptionFields fields() {
    return {field<&InfoOptions::json>("json", any_value(), "One JSON object, with all that the model reports.")};
  }
};

/// "a, b, c, ... (12)"
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 8;
  if (names.size() <= kShown) return joined(names);
  const std::vector<std::string> first(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(kShown));
  return fmt::format("{}, ... ({})", joined(first), names.size());
}

/// A number or a word as it is; of what is longer, its size.
struct Short {
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{:.6g}", value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<double>& values) const {
    std::vector<std::string> words;
    words.reserve(values.size());
    for (const double value : values) words.push_back(fmt::format("{:.4g}", value));
    return some_of(words);
  }
  std::string operator()(const std::vector<std::int64_t>& values) const {
    std::vector<std::string> words;
    words.reserve(values.size());
    for (const std::int64_t value : values) words.push_back(fmt::format("{}", value));
    return some_of(words);
  }
  std::string operator()(const std::shared_ptr<const Array2<double>>& matrix) const {
    return fmt::format("{} x {} numbers", matrix->rows(), matrix->cols());
  }
};

std::string card(const Model& model, const std::string& path, const Style& style, std::size_t width) {
  const Method& method = find_method(model.method());
  std::error_code ignored;
  const Embedding& embedding = model.embedding();
  std::vector<Definition> facts{
      {"file",
       fmt::format("{}, {}", path, human_bytes(static_cast<double>(std::filesystem::file_size(path, ignored))))},
      {"fitted on", fmt::format("{} rows of {} numbers", model.coordinates().rows(), model.n_features())},
      method.kind == MethodKind::Labels ? Definition{"classes", some_of(class_words(model))}
                                        : Definition{"map", fmt::format("{} coordinates", model.n_components())},
      {"new rows", fmt::format("unroll transform {} NEW ({}){}", path, name_of(model.transform_kind()),
                               method.has_inverse ? "; --inverse leads back" : "")}};
  if (!model.features().names.empty()) facts.emplace_back("columns", some_of(model.features().names));
  if (!embedding.spectrum.values.empty()) facts.emplace_back("eigenvalues", Short()(embedding.spectrum.values));
  std::vector<Definition> options, found;
  for (const auto& [name, value] : model.options())
    if (!std::holds_alternative<std::monostate>(value))
      options.emplace_back(make_flag({.name = name}).name(), to_text(value));
  for (const auto& [name, value] : embedding.attributes) found.emplace_back(name, std::visit(Short(), value));
  std::string text =
      fmt::format("{}: {}\n\n{}\n{}\n{}", style.bold(method.name), method.title, definition_list(facts, width),
                  style.bold("Options:"), definition_list(options, width));
  if (!found.empty()) text += fmt::format("\n{}\n{}", style.bold("Found:"), definition_list(found, width));
  return text;
}

}  // namespace

Command describe_info(const Arguments&) {
  Command command{
      .name = "info",
      .summary = "show what a saved model is",
      .usage = " MODEL [--json]",
      .examples = {{"unroll info map.unroll"}, {"unroll info map.unroll --json | jq .params"}},
      .arguments = {{"MODEL", "Model file, made by 'unroll embed --save'."}},
  };
  command.groups.push_back({"Options", make_flags<InfoOptions>()});
  return command;
}

void run_info(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<InfoOptions>("info");
  const std::string path = arguments.positional(0);
  const Model model = load_model(path);
  if (options.json) {
    print(model_json(model, path) + "\n");
    return;
  }
  print(card(model, path, console.out(), text_width()));
  for (const Warning& warning : model.embedding().warnings) console.warn(warning);
}

}  // namespace unroll::cli
