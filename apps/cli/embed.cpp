#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "coloring.h"
#include "ground_truth.h"
#include "layout_flags.h"
#include "map_output.h"
#include "method_command.h"
#include "model_columns.h"
#include "picture.h"
#include "quality_report.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "unroll/methods/pca.h"
#include "writable.h"

namespace unroll::cli {
namespace {

struct EmbedOptions {
  std::string method = {};
  std::string output = {};
  std::string save = {};
  std::string axes = {};
  std::string color_by = {};
  std::string plot = {};
  std::string resume = {};
  std::string frames = {};
  std::string target = {};
  std::string pair_weights = {};
  bool quality = false;

  static OptionFields fields() {
    return {
        field<&EmbedOptions::method>("method", any_value(), "How to embed; 'unroll methods' lists them."),
        field<&EmbedOptions::output>("output", any_value(), "Coordinates: .npy, .csv, .tsv or .txt[.gz]. [default=-]"),
        field<&EmbedOptions::save>("save", any_value(), "The fitted model, for 'unroll transform'."),
        field<&EmbedOptions::axes>("axes", any_value(), "Of pca: a row per axis, a column per feature."),
        field<&EmbedOptions::color_by>("color_by", any_value(), "Colors of the picture, also of that on a terminal."),
        field<&EmbedOptions::plot>("plot", any_value(), "A picture of the map: .png or .svg; or a page: .html."),
        field<&EmbedOptions::resume>("resume", any_value(), "Go on from this model, of an optimised map."),
        field<&EmbedOptions::frames>("frames", any_value(), "A folder for maps on the way, of an optimised map."),
        field<&EmbedOptions::target>("target", any_value(), "Of umap: a class or a number per point."),
        field<&EmbedOptions::pair_weights>("pair_weights", any_value(),
                                           "Of metric_mds, sammon: a weight per distance."),
        field<&EmbedOptions::quality>("quality", any_value(), "Tell how good the map is; --json has all measures."),
    };
  }
};

void warn_no_quality(Job& job, std::string why) { job.warn({{"no-quality", std::move(why), ""}}); }

/// sqrt(k(x,x) - 2 k(x,y) + k(y,y)): the distances in the feature space of a kernel.
Array2<double> kernel_distances(PointsView kernel) {
  Array2<double> distances = Array2<double>::uninitialized(kernel.rows(), kernel.cols());
  kernel.visit([&](auto k) {
    const auto at = [&](Index i, Index j) { return static_cast<double>(k(i, j)); };
    for (Index i = 0; i < k.rows; ++i)
      for (Index j = 0; j < k.cols; ++j)
        distances(i, j) = std::sqrt(std::max(0.0, at(i, i) - (at(i, j) + at(j, i)) + at(j, j)));
  });
  return distances;
}

/// Measures the quality with the method's own metric, if it has one. The number of neighbours is the same for all
/// methods and their options, so that figures can be compared.
void measure(Job& job, const MethodInput& input, const Model& model) {
  const auto* table = std::get_if<Table>(&input);
  if (table == nullptr)
    return warn_no_quality(job, is_precomputed(model.options())
                                    ? "a sparse matrix does not tell who is near whom among all points"
                                    : "distances between all sparse rows are not compared");
  PointsView points = table->view();
  auto options = quality_options_of(model, points.rows());
  if (!options)
    return warn_no_quality(job, fmt::format("{} points are too few to compare neighborhoods", points.rows()));
  Array2<double> distances;
  if (is_precomputed(model.options()) && options->metric != Metric::Precomputed) {  // a kernel
    distances = kernel_distances(points);
    points = distances;
    options->metric = Metric::Precomputed;
  }
  const auto quality = unroll::quality(points, model.coordinates(), {}, *options, job.run());  // not a part of the fit
  job.warn(quality.warnings);
  OptionValues values = quality_values(quality);
  values.push_back({"n_neighbors", options->n_neighbors});
  job.report().results.emplace_back("metrics", std::move(values));
  job.report().notes.push_back(
      fmt::format("trustworthiness {:.4f}, continuity {:.4f}, neighbor preservation {:.4f} (k={}), R_NX area {:.4f}",
                  quality.trustworthiness.value, quality.continuity.value, quality.neighbor_preservation.value,
                  options->n_neighbors, quality.co_ranking.area.value));
}

/// Only a linear map has axes in the space of the features.
void check_axes(const std::string& path, const Method& method) {
  if (path.empty()) return;
  if (method.name != PcaOptions::method_name)
    throw Error(ErrorKind::Unsupported, {.who = method.name,
                                         .problem = "--axes writes axes among the features, which only pca has",
                                         .advice = "leave it out, or use -m pca",
                                         .option = "axes"});
  table_format(path);
  check_writable(path);
}

/// Rows are axes; scaled features have axes in their scaled space.
void write_axes(Job& job, const std::string& path, const Model& model) {
  const auto& axes = *model.attribute<std::shared_ptr<const Array2<double>>>("components");
  job.write_beside("axes", path, axes,
                   {.columns = names_of_features(model), .rows = numbered(model.method(), axes.rows())});
}

/// The picture of the new map. `path` is that of the input.
void draw(Job& job, const EmbedOptions& options, const std::string& path, const Model& model,
          const MethodInput& input) {
  const Table& table = names_of(input);
  PlotSubject subject{.map = model.coordinates(),
                      .axis_names = numbered(model.method(), model.n_components()),
                      .point_names = table.row_names};
  if (std::holds_alternative<Table>(input)) {
    set_colors(subject, read_coloring(job, options.color_by, path, table));
  } else if (!options.color_by.empty()) {  // a file, since a sparse matrix has no other columns
    const std::vector<std::string> words = job.read_words(options.color_by, subject.map.rows());
    check_same_rows("embed", path, subject.map.rows(), options.color_by, std::ssize(words));
    set_colors(subject, coloring_of(name_of_content(options.color_by), words));
  }
  write_picture(job, options.plot, subject, {.title = title_of_map(model.method(), path)});
}

constexpr const char* kEmbedNotes =
    "Tables are .npy, .npz, .mtx (MatrixMarket), .csv, .tsv, .txt or idx (MNIST), each also .gz; the content decides. "
    "- is standard input or, for csv, standard output.\n"
    "Without -o a terminal shows a picture of the map; a pipe or a file gets the csv. --color-by names a column, or a "
    "file with a number or a word per row; by default labels color it. --plot draws the same picture into a file; "
    "'unroll plot' draws any map, with more choices.\n"
    "The csv has a header: pca0, pca1, ...; in front of them the row names, if the input has some; behind them the "
    "labels, with --label-column.\n"
    "Of methods that optimise a map (tsne), the first Ctrl-C ends the work with the map so far, and a second one stops "
    "the command. --init also takes a table with the coordinates to start from; --resume goes on from a model with "
    "more "
    "iterations (--n-iter), with the options of the model; --frames DIR has DIR/frame-000.csv, frame-001.csv, ...\n"
    "--target FILE has a word or a number per row; words, and whole numbers of up to 20 values, are classes, of which "
    "an empty word and -1 are unknown.\n"
    "--axes has a row per axis (pca0, pca1, ...) and the columns of the table, of images as many as pixels: "
    "eigenfaces.\n"
    "UNROLL_THREADS sets the default of --threads; NO_COLOR and TERM=dumb turn colors off.\n"
    "Exit codes: 0 done, 1 files and the like, 2 wrong usage, 3 unusable data, 4 no convergence, 5 too little memory, "
    "130 interrupted. A reader that closes its pipe ends the command quietly.\n"
    "With --metric precomputed the table is the matrix of distances. A sparse one, such as 'unroll neighbors -o g.npz' "
    "writes, is a graph for the methods that take it ('unroll methods NAME' tells); lle, mlle, hlle and ltsa also need "
    "the "
    "distances among the neighbors of a point.";

}  // namespace

Command describe_embed(const Arguments& seen) {
  Command command{
      .name = "embed",
      .summary = "fit a method to a table and write its coordinates",
      .usage = " INPUT -m METHOD [options]",
      .examples = {{"unroll embed roll.npy -m isomap -k 12 -o flat.csv --plot flat.png"},
                   {"unroll embed iris.csv -m pca --label-column species --scale standardize"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."}},
      .notes = kEmbedNotes,
      .outputs = {"output", "save", "axes", "plot"},
  };
  add_method_flags(command, make_flags<EmbedOptions>(), seen);
  if (!seen.has("method")) return command;
  const std::string name = find_method(seen.text("method")).name;
  command.examples = {{fmt::format("unroll embed data.csv -m {} -o map.csv", name)},
                      {fmt::format("unroll embed data.csv -m {} -d 3 --save map.unroll", name)}};
  return command;
}

void run_embed(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<EmbedOptions>("embed");
  const Method& method = chosen_method(options.method);
  OptionValues values = layout_values(arguments, method);

  Job job("embed", arguments, console, options.output);
  check_save(options.save);
  check_axes(options.axes, method);
  check_picture(options.plot, "plot");

  Beginning beginning = read_beginning(job, arguments, method, options.resume, values);
  if (!options.pair_weights.empty()) beginning.pair_weights = job.read_beside(options.pair_weights);
  write_frames(job, options.frames, method);
  if (is_layout(method)) job.let_layouts_finish();

  const std::string path = arguments.positional(0);
  const bool is_column = !options.color_by.empty() && !is_color_file(options.color_by);
  const MethodInput input = read_input(job, path, method, values, is_column ? options.color_by : "");
  read_target(job, options.target, method, path, rows_of(input).rows(), beginning);
  // A mistake in that file is told before the fit.
  if (is_color_file(options.color_by) && std::holds_alternative<Table>(input))
    static_cast<void>(read_coloring(job, options.color_by, path, names_of(input)));
  const Model model =
      job.compute([&] { return with_columns(fit(method, input, values, job.run(), beginning), input); });
  job.report().model = model;
  job.warn(model.embedding().warnings);
  if (options.quality) measure(job, input, model);
  if (!options.save.empty()) job.save(options.save, model);
  if (!options.axes.empty()) write_axes(job, options.axes, model);
  write_map(job, path, model.coordinates(), model, names_of(input),
            {.output = options.output, .color_by = options.color_by, .is_plotted = !options.plot.empty()});
  if (!options.plot.empty()) draw(job, options, path, model, input);  // last: its errors lose no map
  job.finish();
}

}  // namespace unroll::cli
