#include "verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.h"
#include "help.h"
#include "shared_options.h"
#include "unroll/core/error.h"
#include "unroll/data/generators.h"
#include "unroll/version.h"

namespace unroll::cli {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all{
      {"embed", describe_embed, run_embed},
      {"transform", describe_transform, run_transform},
      {"plot", describe_plot, run_plot},
      {"compare", describe_compare, run_compare},
      {"advise", describe_advise, run_advise},
      {"cluster", describe_cluster, run_cluster},
      {"label", describe_label, run_label},
      {"spectrum", describe_spectrum, run_spectrum},
      {"quality", describe_quality, run_quality},
      {"neighbors", describe_neighbors, run_neighbors},
      {"dimension", describe_dimension, run_dimension},
      {"graph", describe_graph, run_graph},
      {"info", describe_info, run_info},
      {"methods", describe_methods, run_methods},
      {"datasets", describe_datasets, run_datasets},
      {"completion", describe_completion, run_completion},
      {"version", describe_version, run_version},
      {"help", describe_help, run_help},
  };
  return all;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const auto& verb : verbs()) names.emplace_back(verb.name);
  return names;
}

std::string known_method(std::string_view name) {
  try {
    return find_method(name).name;
  } catch (const Error&) {
    return {};
  }
}

std::string use_of(const std::string& method) {
  const MethodKind kind = find_method(method).kind;
  if (kind == MethodKind::Clusters) return "cluster INPUT";
  if (kind == MethodKind::Labels) return "label INPUT --method " + method.substr(method.find('_') + 1);
  return fmt::format("embed INPUT -m {}", method);
}

const Verb& find_verb(std::string_view name) {
  const auto found = std::find_if(verbs().begin(), verbs().end(), [&](const Verb& verb) { return verb.name == name; });
  if (found != verbs().end()) return *found;
  const std::vector<std::string> names = verb_names();
  if (const std::string method = known_method(name); !method.empty())
    throw Error(ErrorKind::InvalidOption, fmt::format("'{}' is a method, not a verb", name),
                fmt::format("write unroll {}", use_of(method)));
  constexpr std::array<std::string_view, 4> kDrawing{"draw", "show", "scatter", "view"};
  if (std::find(kDrawing.begin(), kDrawing.end(), name) != kDrawing.end())
    throw Error(
        ErrorKind::InvalidOption, fmt::format("there is no verb '{}'", name),
        "for a picture of a map: unroll plot MAP -o map.png; for a page of maps: unroll compare INPUT -m isomap "
        "-o map.html");
  constexpr std::array<std::string_view, 4> kFitting{"fit", "run", "reduce", "map"};
  if (std::find(kFitting.begin(), kFitting.end(), name) != kFitting.end())
    throw Error(ErrorKind::InvalidOption, fmt::format("there is no verb '{}'", name),
                "for a map: unroll embed INPUT -m isomap -o map.csv");
  throw Error(ErrorKind::InvalidOption, fmt::format("there is no verb '{}'{}", name, did_you_mean(name, names)),
              fmt::format("the verbs are: {}", joined(names)));
}

Command describe(const Verb& verb, const Arguments& seen) {
  Command command = verb.describe(seen);
  command.groups.push_back({"General", make_flags<CommonOptions>(), false});
  return command;
}

std::string overview(const Style& style, std::size_t width) {
  const std::vector<Example> examples{
      {"unroll datasets make swiss-roll -n 2000 -o roll.npy", "make points"},
      {"unroll embed roll.npy -m isomap -o flat.csv --save m.unroll", "embed them"},
      {"unroll compare roll.npy -o maps.html", "try all"},
  };
  // Named without a summary, so that the overview fits a screen of 24 lines.
  constexpr std::array<std::string_view, 3> kAlso{"completion", "version", "help"};
  std::vector<Definition> entries;
  for (const auto& verb : verbs())
    if (std::find(kAlso.begin(), kAlso.end(), verb.name) == kAlso.end())
      entries.emplace_back(verb.name, verb.describe({}).summary);
  return fmt::format(
      "{} {}: finds the low-dimensional shape of high-dimensional data\n"
      "{}\n{}{} unroll VERB [arguments]\n{}Also {}.\n"
      "Rows are samples. Files are .npy, .npz, .mtx, .csv, .tsv, .txt or idx, each\n"
      "also .gz; - is standard input or output. 'unroll VERB --help' tells more.\n",
      style.bold("unroll"), version(), style.bold("Examples:"), example_lines(examples, style), style.bold("Usage:"),
      definition_list(entries, width), fmt::join(kAlso, ", "));
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method* method : methods_of(MethodKind::Map)) names.push_back(method->name);
  return names;
}

bool is_method(std::string_view name) {
  return std::any_of(methods().begin(), methods().end(), [&](const Method& method) { return method.name == name; });
}

std::string method_of_coordinate(std::string_view column) {
  const std::size_t digits = column.find_last_not_of("0123456789") + 1;
  if (digits == column.size() || !is_method(column.substr(0, digits))) return {};
  return std::string(column.substr(0, digits));
}

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const auto& generator : generators()) names.emplace_back(generator.name);
  return names;
}

}  // namespace unroll::cli
