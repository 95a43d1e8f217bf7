#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "label_output.h"
#include "map_output.h"
#include "method_command.h"
#include "model_columns.h"
#include "unroll/core/option_field.h"
#include "unroll/registry.h"

namespace unroll::cli {
namespace {

struct TransformOptions {
  std::string output = {};
  bool inverse = false;

  static OptionFields fields() {
    return {
        field<&TransformOptions::output>("output", any_value(),
                                         "Coordinates: .npy, .csv, .tsv or .txt[.gz]. [default=-]"),
        field<&TransformOptions::inverse>("inverse", any_value(),
                                          "From coordinates, all or some of them, back to points."),
    };
  }
};

/// For every column of the table its coordinate of the map: by name (pca0, pca1, ...), or the first ones.
std::vector<Index> coordinates_in(const Table& table, const std::vector<std::string>& names) {
  std::vector<Index> coordinates;
  for (Index j = 0; j < table.view().cols(); ++j) {
    const auto found = table.column_names.empty()
                           ? names.end()
                           : std::find(names.begin(), names.end(), table.column_names[static_cast<std::size_t>(j)]);
    coordinates.push_back(found != names.end() ? found - names.begin() : j);
  }
  return coordinates;
}

/// Coordinates of another method have its name: they are not those of this map.
void check_own_map(const Table& table, const Model& model, const std::string& path) {
  const auto other = std::find_if(table.column_names.begin(), table.column_names.end(), [&](const std::string& name) {
    const std::string method = method_of_coordinate(name);
    return !method.empty() && method != model.method();
  });
  if (other == table.column_names.end()) return;
  throw Error(ErrorKind::InvalidData,
              {.who = model.method(),
               .problem = fmt::format("'{}' has coordinates of {} ('{}'), but the model is one of {}", path,
                                      method_of_coordinate(*other), *other, model.method()),
               .advice = "give coordinates of the model's own map",
               .option = "inverse"});
}

/// Reads coordinates of the map. Those that the file lacks become 0, which is the middle of the map.
Table read_coordinates(Job& job, const std::string& path, const Model& model) {
  const std::vector<std::string> names = numbered(model.method(), model.n_components());
  Table table = job.read(path, {.trained = {.names = names}});
  check_own_map(table, model, path);
  note_unknown(table, path, job);
  const PointsView given = table.view();
  if (given.cols() > model.n_components()) return table;  // the model refuses it
  const std::vector<Index> coordinates = coordinates_in(table, names);
  Array2<double> all(given.rows(), model.n_components());
  given.visit([&](auto values) {
    for (Index i = 0; i < values.rows; ++i)
      for (Index j = 0; j < values.cols; ++j) all(i, coordinates[static_cast<std::size_t>(j)]) = values(i, j);
  });
  if (given.cols() < model.n_components()) {
    std::vector<std::string> used;
    for (const Index coordinate : coordinates) used.push_back(names[static_cast<std::size_t>(coordinate)]);
    job.note(fmt::format("{} has {} of {} coordinates ({}): the others are taken as 0", path, given.cols(),
                         model.n_components(), joined(used)));
  }
  table.values = std::move(all);
  return table;
}

/// Says at once, and before INPUT is read, which methods have an inverse.
void check_inverse(const Method& method) {
  if (method.has_inverse) return;
  std::vector<std::string> others;
  for (const Method& each : methods())
    if (each.has_inverse) others.push_back(each.name);
  throw Error(ErrorKind::Unsupported, {.who = method.name,
                                       .problem = "this method has no inverse transform",
                                       .advice = fmt::format("use one that has: {}", joined(others)),
                                       .option = "inverse"});
}

}  // namespace

Command describe_transform(const Arguments&) {
  Command command{
      .name = "transform",
      .summary = "place new rows with a saved model",
      .usage = " MODEL INPUT [options]",
      .examples = {{"unroll embed old.csv -m pca --save map.unroll -o old2d.csv"},
                   {"unroll transform map.unroll new.csv -o new2d.csv"},
                   {"cat new.csv | unroll transform map.unroll - | head"},
                   {"unroll transform map.unroll new2d.csv --inverse -o approximation.csv"}},
      .arguments = {{"MODEL", "Model file, made by 'unroll embed --save'."},
                    {"INPUT", "Table with the columns that the model was fitted on, or -."}},
      .notes =
          "The csv has a header as that of 'unroll embed': pca0, pca1, ...; with --inverse the columns of the training "
          "table, or x0, x1, ...\n"
          "A model of 'unroll label' gives the columns probability and label.\n"
          "--inverse takes the coordinates by their names (pca0, pca2), or else the first ones; those that INPUT lacks "
          "are 0.\n"
          "Columns that the model was not fitted on are left out.",
  };
  command.groups.push_back({"Options", make_flags<TransformOptions>()});
  add_job_flags(command);
  return command;
}

void run_transform(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<TransformOptions>("transform");
  Job job("transform", arguments, console, options.output);

  const Model model = job.load(arguments.positional(0));
  if (options.inverse) check_inverse(find_method(model.method()));
  const std::string path = arguments.positional(1);
  const MethodInput input =
      options.inverse ? MethodInput(read_coordinates(job, path, model)) : read_rows(job, path, model);
  const Table& table = names_of(input);
  const auto result = job.compute([&] {
    return options.inverse ? model.inverse_transform(rows_of(input), job.run())
                           : model.transform(rows_of(input), job.run());
  });
  if (!options.inverse && find_method(model.method()).kind == MethodKind::Labels) {
    write_labels(job, {model.predict(table.view(), job.run()), result}, model, table, options.output);
  } else if (options.inverse) {
    TableNames names = names_beside(table);
    names.columns = names_of_features(model);
    job.write("points", result, names);
  } else {
    write_map(job, path, result, model, table, {.output = options.output, .can_save = false});
  }
  job.finish();
}

}  // namespace unroll::cli
