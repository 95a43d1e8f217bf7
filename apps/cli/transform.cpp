#include "method_command.h"
#include "unroll/core/option_field.h"

namespace unroll::cli {
namespace {

struct TransformOptions {
  std::string output = {};
  bool inverse = false;

  static OptionFields fields() {
    return {
        field<&TransformOptions::output>("output", any_value(),
                                         "Coordinates: .npy, .csv, .tsv or .txt[.gz]. [default=-]"),
        field<&TransformOptions::inverse>("inverse", any_value(), "From coordinates back to points."),
    };
  }
};

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
          "table, or x0, x1, ...",
  };
  command.groups.push_back({"Options", make_flags<TransformOptions>()});
  add_job_flags(command);
  return command;
}

void run_transform(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<TransformOptions>("transform");
  Job job("transform", arguments, console, options.output);

  const Model model = job.load(arguments.positional(0));
  const std::string path = arguments.positional(1);
  const Table table = options.inverse ? job.read(path) : read_rows(job, path, model);
  const auto result = job.compute([&] {
    return options.inverse ? model.inverse_transform(table.view(), job.run())
                           : model.transform(table.view(), job.run());
  });
  const std::vector<std::string>& names = model.features().names;
  if (options.inverse && !names.empty()) {
    job.write("points", result, TableNames{.columns = names, .rows = table.row_names, .labels = table.labels});
  } else {
    job.write(options.inverse ? "points" : "coordinates", result, options.inverse ? "x" : model.method(), table);
  }
  job.finish();
}

}  // namespace unroll::cli
