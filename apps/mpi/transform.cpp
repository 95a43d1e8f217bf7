#include <utility>

#include "model_columns.h"
#include "mpi_verb.h"
#include "npy_output.h"
#include "placing_rows.h"
#include "shared_npy.h"
#include "unroll/core/option_field.h"
#include "unroll/registry.h"

namespace unroll::cluster {
namespace {

struct TransformOptions {
  std::string output = {};

  static OptionFields fields() {
    return {field<&TransformOptions::output>("output", any_value(), "Coordinates: one .npy, which all ranks write.")};
  }
};

/// The root reads the model; all others get its bytes.
Model load_everywhere(const Ranks& ranks, cli::Job& job, const std::string& path) {
  std::optional<Model> model;
  std::vector<std::byte> bytes = ranks.together([&]() -> std::vector<std::byte> {
    if (!ranks.is_root()) return {};
    model = job.load(path);
    return model->bytes();
  });
  ranks.share(bytes);
  return ranks.together([&] {
    if (!model) model = load_model(std::move(bytes), path);
    if (find_method(model->method()).kind == MethodKind::Labels)
      throw Error(ErrorKind::Unsupported, {.who = model->method(),
                                           .problem = "unroll-mpi writes coordinates, not labels",
                                           .advice = "use 'unroll transform'"});
    return *model;
  });
}

cli::RowDoubts sum(const Ranks& ranks, const cli::RowDoubts& own) {
  return {ranks.sum(own.rows), ranks.sum(own.filled), ranks.sum(own.far)};
}

}  // namespace

cli::Command describe_mpi_transform(const cli::Arguments&) {
  cli::Command command{
      .name = "transform",
      .summary = "place new rows with a saved model, on many machines",
      .usage = " MODEL INPUT -o FILE.npy [options]",
      .examples = {{"unroll embed sample.npy -m laplacian_eigenmaps --save map.unroll -o sample2d.npy"},
                   {"mpirun -n 64 unroll-mpi transform map.unroll all.npy -o all2d.npy"}},
      .arguments = {{"MODEL", "Model file, made by 'unroll embed --save'."},
                    {"INPUT", "An .npy: rows with the columns that the model was fitted on; all hosts see the file."}},
      .notes =
          "The file has the bytes that 'unroll transform' would write, at any number of ranks.\n"
          "Without --threads the ranks of a host share its cores, and without --memory-budget its memory.",
      .program = "unroll-mpi",
  };
  command.groups.push_back({"Options", cli::make_flags<TransformOptions>()});
  cli::add_job_flags(command, "Reading");
  return command;
}

void run_mpi_transform(const Ranks& ranks, const cli::Arguments& arguments, const cli::Console& console) {
  const std::string output = arguments.text("output"), path = arguments.positional(1);
  ranks.together([&] { check_npy_output(output); });
  const auto job = make_job(ranks, "transform", arguments, console, output);
  Run run = share_of_host(ranks, *job, arguments);
  run.progress = {};  // of the parts of a step

  const Model model = load_everywhere(ranks, *job, arguments.positional(0));
  ReadOptions reading = ranks.together([&] { return npy_reading(arguments, path); });
  reading.trained = cli::choice_of(model);
  const SharedNpy input(ranks, path, reading, run);
  NpyOutput file(ranks, output, input.rows(), model.n_components());
  cli::RowDoubts doubts;
  bool is_first = true;
  place_rows(ranks, input, *job, run, file, [&](Table table) {
    if (std::exchange(is_first, false)) table = cli::arranged(std::move(table), model, path, *job);
    const cli::RowDoubts here = cli::fill_and_count(table, model);
    doubts = {doubts.rows + here.rows, doubts.filled + here.filled, doubts.far + here.far};
    return model.transform(table.view(), run);
  });
  doubts = sum(ranks, doubts);
  ranks.together([&] {
    cli::warn(doubts, path, *job);
    job->run().report({.stage = "writing"});
  });
  file.commit();
  const Table no_rows = input.read(0, 0, run);
  cli::Report& report = job->report();
  report.input = {path, "npy", input.rows(), input.cols(), no_rows.view().is_float()};
  report.outputs.push_back({"coordinates", output, input.rows(), model.n_components()});
  finish(ranks, *job);
}

}  // namespace unroll::cluster
