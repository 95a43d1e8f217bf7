#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/reported_as.h"
#include "data/validate.h"
#include "landmark_fit.h"
#include "method_command.h"
#include "mpi_verb.h"
#include "neighbors/landmarks.h"
#include "placing_rows.h"
#include "sources/landmark_embedding.h"
#include "unroll/core/option_field.h"

namespace unroll::cluster {
namespace {

struct EmbedOptions {
  std::string method = {};
  std::string output = {};
  std::string save = {};
  std::optional<std::int64_t> n_landmarks = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;

  static OptionFields fields() {
    return {
        field<&EmbedOptions::method>("method", any_value(), "How to embed; 'unroll methods' lists them."),
        field<&EmbedOptions::output>("output", any_value(), "Coordinates: one .npy, which all ranks write."),
        field<&EmbedOptions::save>("save", any_value(), "The fitted model, for 'unroll-mpi transform'."),
        field<&EmbedOptions::n_landmarks>("n_landmarks", at_least(2),
                                          "Fit the map of so many points and place all others in it. Required."),
        field<&EmbedOptions::landmarks>("landmarks", any_value(), "How landmarks are chosen."),
    };
  }
};

/// The verb's own flags take the place of the method's, and a map of some points starts nowhere else.
std::vector<OptionInfo> options_of(const Method& method) {
  std::vector<OptionInfo> infos = method.options;
  std::erase_if(infos, [](const OptionInfo& info) {
    constexpr std::array<std::string_view, 3> kNot{"n_landmarks", "landmarks", "init"};
    return std::find(kNot.begin(), kNot.end(), info.name) != kNot.end();
  });
  return infos;
}

/// What the flags ask for.
struct Request {
  EmbedOptions own = {};
  const Method* method = nullptr;
  OptionValues options = {};
  LandmarkRule rule = {};
};

template <class Options>
Options subset(const OptionValues& values, const Method& method) {
  OptionValues own;
  for (const OptionInfo& info : describe_options<Options>())
    for (const NamedValue& value : values)
      if (value.name == info.name) own.push_back(value);
  return make_options<Options>(own, method.name);
}

/// What every rule for landmarks looks at, by the names that all methods give it.
struct DistanceOptions {
  Metric metric = Metric::Euclidean;
  double p = 2;
  std::int64_t random_state = 0;
  std::int64_t n_components = 2;

  static OptionFields fields() {
    return {field<&DistanceOptions::metric>("metric", any_value(), ""),
            field<&DistanceOptions::p>("p", any_value(), ""),
            field<&DistanceOptions::random_state>("random_state", any_value(), ""),
            field<&DistanceOptions::n_components>("n_components", any_value(), "")};
  }
};

Request read_request(const cli::Arguments& arguments) {
  Request request{.own = arguments.get<EmbedOptions>("embed")};
  request.method = &cli::chosen_method(request.own.method);
  request.options = arguments.values(options_of(*request.method), request.method->name);
  if (cli::is_precomputed(request.options))
    throw Error(ErrorKind::Unsupported, {.who = request.method->name,
                                         .problem = "ranks read points, not a matrix of pairs of points",
                                         .advice = "use 'unroll embed'"});
  if (!request.own.n_landmarks)
    throw Error(ErrorKind::InvalidOption, {.who = request.method->name,
                                           .problem = "unroll-mpi fits a map to some of the points, and --n-landmarks "
                                                      "is missing",
                                           .advice = "give --n-landmarks 1000, or as many as one host can fit",
                                           .option = "n_landmarks"});
  const auto distance = subset<DistanceOptions>(request.options, *request.method);
  request.rule = {.count = *request.own.n_landmarks,
                  .choice = request.own.landmarks,
                  .distance = {.metric = distance.metric, .p = distance.p},
                  .seed = static_cast<std::uint64_t>(distance.random_state)};
  cli::check_save(request.own.save);
  check_npy_output(request.own.output);
  return request;
}

/// What `report_landmarks` of the library says of a map of all points; `embedding` has those of the landmarks.
std::vector<Warning> landmark_warnings(const Landmarks& landmarks, std::optional<double> error, Index n) {
  Embedding all{.coordinates = Array2<double>(std::min(n, std::ssize(landmarks.rows) + 1), 1)};
  report_landmarks(landmarks.rows, error, all);
  return all.warnings;
}

/// The root's model, on all ranks.
Model shared_model(const Ranks& ranks, const std::optional<LandmarkModel>& fitted) {
  std::vector<std::byte> bytes =
      ranks.together([&] { return fitted ? fitted->model.bytes() : std::vector<std::byte>(); });
  ranks.share(bytes);
  return ranks.together([&] { return fitted ? fitted->model : load_model(std::move(bytes), "the model of rank 0"); });
}

Array2<double> placed(const Model& model, const Table& table, const Run& run) {
  if (table.view().rows() == 0) return Array2<double>(0, model.n_components());
  reported_as(model.method(), [&] { check_points(table.view(), 1, run); });
  try {
    return model.transform(table.view(), run);
  } catch (const Error& failed) {
    if (failed.kind() != ErrorKind::InvalidData) throw;
    throw Error(ErrorKind::InvalidData, {.who = model.method(),
                                         .problem = fmt::format("{}cannot be placed by the landmarks: {}",
                                                                failed.row() < 0 ? "a point " : "", failed.problem()),
                                         .advice = "use landmarks=maxmin, or a larger n_landmarks",
                                         .row = failed.row()});
  }
}

/// What the root has found out, for the report and the messages.
void report(cli::Job& job, const Landmarks& landmarks, const LandmarkModel& fitted, Index n) {
  job.report().model = fitted.model;
  OptionValue error;
  if (fitted.error) error = *fitted.error;
  job.report().results.emplace_back(
      "landmarks", OptionValues{{"count", std::int64_t{std::ssize(landmarks.rows)}}, {"error", error}});
  job.report().notes.push_back(fitted.error
                                   ? fmt::format("landmark error {:.2g}, as of the map by half of them", *fitted.error)
                                   : "landmark error not known");
  job.warn(fitted.model.embedding().warnings);
  job.warn(landmark_warnings(landmarks, fitted.error, n));
}

}  // namespace

cli::Command describe_mpi_embed(const cli::Arguments& seen) {
  cli::Command command{
      .name = "embed",
      .summary = "fit a method to some points and place all others in its map, on many machines",
      .usage = " INPUT -m METHOD --n-landmarks N -o FILE.npy [options]",
      .examples = {{"mpirun -n 64 unroll-mpi embed all.npy -m isomap --n-landmarks 5000 -o all2d.npy"},
                   {"mpirun -n 64 unroll-mpi embed all.npy -m laplacian_eigenmaps --n-landmarks 20000 -o all2d.npy "
                    "--save map.unroll"}},
      .arguments = {{"INPUT", "An .npy: samples in rows; all hosts see the file."}},
      .notes =
          "The landmarks are those that one process would choose. Rank 0 fits the method to them, with its options "
          "for scaling; all ranks place their rows as 'unroll transform' does.\n"
          "For laplacian_eigenmaps and diffusion_maps that is what 'unroll embed --n-landmarks' does, and the file "
          "has its bytes. Other methods find neighbors and paths among all points there, and among the landmarks "
          "here.\n"
          "The error is the Procrustes disparity of the map and that by half of the landmarks.",
      .outputs = {"output", "save"},
      .program = "unroll-mpi",
  };
  command.groups.push_back({"Options", cli::make_flags<EmbedOptions>()});
  if (seen.has("method")) {
    const Method& method = cli::chosen_method(seen.text("method"));
    command.groups.push_back(
        {fmt::format("Options of {}", method.name), cli::make_algorithm_flags(options_of(method))});
  }
  cli::add_job_flags(command, "Reading");
  return command;
}

void run_mpi_embed(const Ranks& ranks, const cli::Arguments& arguments, const cli::Console& console) {
  const Request request = ranks.together([&] { return read_request(arguments); });
  const std::string path = arguments.positional(0);
  const auto job = make_job(ranks, "embed", arguments, console, request.own.output);
  const Run run = share_of_host(ranks, *job, arguments);
  const ReadOptions reading = ranks.together([&] { return npy_reading(arguments, path); });
  const SharedNpy input(ranks, path, reading, run);
  const Index n = input.rows();
  ranks.together([&] {
    const auto distance = subset<DistanceOptions>(request.options, *request.method);
    reported_as(request.method->name, [&] { check_landmarks(request.rule.count, distance.n_components, n); });
  });
  const Landmarks landmarks = find_landmarks(ranks, input, request.rule, run);
  const std::optional<LandmarkModel> fitted = ranks.together([&]() -> std::optional<LandmarkModel> {
    if (!ranks.is_root()) return std::nullopt;
    return job->compute([&] { return fit_landmarks(*request.method, landmarks.table, request.options, run); });
  });
  ranks.together([&] {
    if (fitted) report(*job, landmarks, *fitted, n);
  });
  const Model model = shared_model(ranks, fitted);
  Run step = run;
  step.progress = {};  // of the parts of a step
  NpyOutput file(ranks, request.own.output, n, model.n_components());
  place_rows(ranks, input, *job, step, file, [&](const Table& table) { return placed(model, table, step); });
  ranks.together([&] {
    job->run().report({.stage = "writing"});
    if (ranks.is_root() && !request.own.save.empty()) job->save(request.own.save, model);
  });
  file.commit();
  const Table no_rows = input.read(0, 0, run);
  job->report().input = {path, "npy", n, no_rows.view().cols(), no_rows.view().is_float()};
  job->report().outputs.push_back({"coordinates", request.own.output, n, model.n_components()});
  finish(ranks, *job);
}

}  // namespace unroll::cluster
