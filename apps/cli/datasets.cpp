#include <fmt/core.h>

#include <algorithm>

#include "core/text.h"
#include "help.h"
#include "json_text.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "unroll/data/generators.h"
#include "unroll/data/table.h"
#include "verb.h"
#include "writable.h"

namespace unroll::cli {
namespace {

struct ListOptions {
  bool json = false;

  static OptionFields fields() {
    return {field<&ListOptions::json>("json", any_value(), "One JSON object, with all options.")};
  }
};

struct MakeOptions {
  std::int64_t n_samples = 1000;
  std::int64_t random_state = 0;
  std::string output = {};
  std::string truth = {};
  std::string labels = {};

  static OptionFields fields() {
    return {
        field<&MakeOptions::n_samples>("n_samples", at_least(1), "Points to make."),
        field<&MakeOptions::random_state>("random_state", at_least(0), "Random seed."),
        field<&MakeOptions::output>("output", any_value(), "Points: .npy, .csv, .tsv or .txt[.gz]. [default=-]"),
        field<&MakeOptions::truth>("truth", any_value(), "The coordinates that the points were made from."),
        field<&MakeOptions::labels>("labels", any_value(), "The points' labels, as numbers."),
    };
  }
};

const Generator* generator_named(std::string_view name) {
  const auto& all = generators();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Generator& entry) { return entry.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// The generator among the words after `make`. All words are tried: a first look may take the value of a flag for an
/// argument.
const Generator* seen_generator(const Arguments& seen) {
  if (seen.positional(0) != "make") return nullptr;
  for (const auto& word : seen.positional())
    if (const Generator* generator = generator_named(to_snake(word))) return generator;
  return nullptr;
}

void list(bool json) {
  if (json) {
    print(generators_json(generators()) + "\n");
    return;
  }
  std::vector<Definition> entries;
  for (const auto& generator : generators()) entries.emplace_back(to_kebab(generator.name), generator.title);
  print(definition_list(entries, text_width()) + "\n'unroll datasets make NAME --help' shows a data set's options.\n");
}

void write_labels(const std::string& path, const std::vector<std::int64_t>& labels) {
  Array2<double> column(static_cast<Index>(labels.size()), 1);
  std::copy(labels.begin(), labels.end(), column.data());
  write_table(path, column, {.columns = {"label"}});
}

[[noreturn]] void refuse(std::string_view name, std::string_view what, std::string_view option) {
  throw Error(ErrorKind::Unsupported,
              {.problem = fmt::format("{} has no {}", to_kebab(name), what), .option = std::string(option)});
}

void make(const Arguments& arguments) {
  const auto options = arguments.get<MakeOptions>("datasets");
  const std::string name = to_snake(arguments.positional(1));
  const Generator* generator = generator_named(name);
  const OptionValues values = generator ? arguments.values(generator->options, name) : OptionValues{};
  for (const auto* path : {&options.output, &options.truth, &options.labels}) {
    if (path->empty()) continue;
    table_format(*path);
    check_writable(*path);
  }

  const Dataset data = make_dataset(name, options.n_samples, static_cast<std::uint64_t>(options.random_state), values);
  if (!options.truth.empty()) {
    if (data.truth.cols() == 0) refuse(name, "true coordinates", "truth");
    write_table(options.truth, data.truth, {.columns = data.truth_names});
  }
  if (!options.labels.empty()) {
    if (data.labels.empty()) refuse(name, "labels", "labels");
    write_labels(options.labels, data.labels);
  }
  TableNames names;
  for (Index j = 0; j < data.points.cols(); ++j) names.columns.push_back(fmt::format("x{}", j));
  write_table(options.output.empty() ? "-" : options.output, data.points, names);
}

}  // namespace

Command describe_datasets(const Arguments& seen) {
  Command command{
      .name = "datasets",
      .summary = "list or make data whose true shape is known",
      .usage = " [list] [--json] | make NAME [options]",
      .examples = {{"unroll datasets"},
                   {"unroll datasets make swiss-roll -n 500 --seed 1 -o roll.npy --truth flat.npy"},
                   {"unroll datasets make swiss-roll | unroll embed - -m pca"}},
      .arguments =
          {{.name = "ACTION", .help = "", .required = false, .choices = {"list", "make"}},
           {.name = "NAME", .help = "", .required = seen.positional(0) == "make", .choices = generator_names()}},
      .outputs = {"output", "truth", "labels"},
  };
  if (seen.positional(0) != "make") command.groups.push_back({"Options of list", make_flags<ListOptions>()});
  if (seen.positional(0) != "list") command.groups.push_back({"Options of make", make_flags<MakeOptions>()});
  if (const Generator* generator = seen_generator(seen)) {
    command.groups.push_back({fmt::format("Options of {} ({})", to_kebab(generator->name), generator->title),
                              make_algorithm_flags(generator->options)});
    command.topic = fmt::format("datasets make {}", to_kebab(generator->name));
  }
  return command;
}

void run_datasets(const Arguments& arguments, const Console&) {
  const std::string action = arguments.positional(0);
  if (action == "make") {
    make(arguments);
  } else if (action.empty() || action == "list") {
    list(arguments.get<ListOptions>("datasets").json);
  } else {
    throw Error(ErrorKind::InvalidOption,
                fmt::format("there is no action '{}'{}", action, did_you_mean(action, {"list", "make"})),
                "the actions are: list, make");
  }
}

}  // namespace unroll::cli
