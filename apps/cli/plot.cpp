#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "core/text.h"
#include "ground_truth.h"
#include "picture.h"
#include "scatter.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "verb.h"

namespace unroll::cli {
namespace {

struct PlotFiles {
  std::string output = {};
  std::string labels = {};
  std::string size = "960x720";

  static OptionFields fields() {
    return {
        field<&PlotFiles::output>("output", any_value(), "The picture: .png or .svg; or a page: .html."),
        field<&PlotFiles::labels>("labels", any_value(), "Colors: a word or a number per row; or --label-column."),
        field<&PlotFiles::size>("size", any_value(), "Width and height in pixels."),
    };
  }
};

/// The options of the picture that are flags as they are; the size has a flag of its own.
std::vector<OptionInfo> picture_options() {
  std::vector<OptionInfo> options = describe_options<PlotOptions>();
  std::erase_if(options, [](const OptionInfo& info) { return info.name == "width" || info.name == "height"; });
  return options;
}

/// "960x720"
OptionValues size_values(const std::string& size) {
  std::int64_t width = 0, height = 0;
  const char* const end = size.data() + size.size();
  const auto first = std::from_chars(size.data(), end, width);
  if (first.ec == std::errc() && first.ptr != end && (*first.ptr == 'x' || *first.ptr == ','))
    if (const auto second = std::from_chars(first.ptr + 1, end, height); second.ec == std::errc() && second.ptr == end)
      return {{"width", width}, {"height", height}};
  throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("--size {} must be width and height in pixels", size),
                                         .advice = "write it as 960x720",
                                         .option = "size"});
}

PlotOptions read_options(const Arguments& arguments, const std::string& size) {
  OptionValues values = arguments.values(picture_options(), PlotOptions::method_name);
  for (NamedValue& value : size_values(size)) values.push_back(std::move(value));
  return make_options<PlotOptions>(values, PlotOptions::method_name);
}

/// The columns of a file with a header that 'unroll embed' wrote: coordinates, and the first column behind them.
struct MapColumns {
  std::vector<std::string> coordinates = {};  ///< empty: it is another file
  std::string label = {};                     ///< empty: there is none
};

/// The cells of a line of csv; a quote within quotes is doubled.
std::vector<std::string> quoted_cells(const std::string& line, char delimiter) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (line[i] == '"') {
      is_quoted = !is_quoted;
    } else if (line[i] == delimiter && !is_quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  return cells;
}

MapColumns columns_of_map(const std::string& path) {
  std::error_code ignored;  // what is read from a pipe here would be missing later
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  const char delimiter = line.find('\t') != std::string::npos ? '\t' : ',';
  MapColumns columns;
  for (std::string& name : quoted_cells(line, delimiter)) {
    if (!method_of_coordinate(name).empty()) {
      columns.coordinates.push_back(std::move(name));
    } else if (!columns.coordinates.empty() && columns.label.empty()) {
      columns.label = std::move(name);
    }
  }
  return columns;
}

/// Reads the coordinates. Of a file that 'unroll embed' wrote, the column behind them is no coordinate but the label.
Table read_map(Job& job, const Arguments& arguments, const std::string& path, bool has_labels) {
  const bool is_chosen = arguments.has("columns") || arguments.has("drop") || arguments.has("transpose");
  const MapColumns columns = path == "-" || is_chosen ? MapColumns() : columns_of_map(path);
  const bool takes_label = !has_labels && !arguments.has("label_column");
  return job.read(path, {.trained = {.names = columns.coordinates}, .annotation = takes_label ? columns.label : ""});
}

/// Colors by --labels, --label-column, or the column behind the coordinates.
Coloring coloring_of_map(Job& job, const std::string& labels, const std::string& path, const Table& table) {
  if (labels.empty() && table.labels.empty() && !table.annotation.values.empty())
    return coloring_of(table.annotation.name, table.annotation.values);
  if (labels.empty()) return read_coloring(job, "", path, table);
  const std::vector<std::string> words = job.read_words(labels, table.view().rows());
  check_same_rows("plot", path, table.view().rows(), labels, std::ssize(words));
  const FileColumn from(labels);
  return coloring_of(from.column.empty() ? name_of_content(labels) : from.column, words);
}

/// On a terminal a map without a file is drawn with characters, as by 'unroll embed'.
void draw_on_terminal(Job& job, const Table& table, const Coloring& coloring) {
  const std::string method = table.column_names.empty() ? "" : method_of_coordinate(table.column_names.front());
  const Canvas canvas = Canvas::of_terminal(job.console().out().is_colored());
  job.print_summary(scatter_text(table.view(), method.empty() ? "x" : method, coloring, canvas));
  job.report().notes.emplace_back("nothing is saved: add -o map.png");
}

}  // namespace

Command describe_plot(const Arguments&) {
  Command command{
      .name = "plot",
      .summary = "draw one map as a picture",
      .usage = " MAP -o FILE [options]",
      .examples = {{"unroll plot map.csv -o map.png", "labels in map.csv are its colors"},
                   {"unroll plot map.npy --labels kinds.txt -o map.svg"},
                   {"unroll plot map.csv -o map.html", "a page: pointing names points, the wheel zooms"},
                   {"unroll plot map.csv --label-column age --axes 0,2 --size 1600x1200 -o map.png"},
                   {"unroll embed data.csv -m tsne --plot map.png -o map.csv", "embed draws, too"}},
      .arguments = {{"MAP", "Coordinates, points in rows, as 'unroll embed' writes them; - is standard input."}},
      .notes =
          "Words and whole numbers of up to 20 values are classes, with a color each and a legend; other numbers have "
          "a scale of colors. Points without a label are grey. Classes beyond those of the legend share one grey.\n"
          "Of a csv that 'unroll embed' wrote, the column behind the coordinates gives the colors.\n"
          "Of up to 60 rows with names the names are written beside the points.\n"
          "A map of one coordinate is drawn against its numbers, or as a strip, of classes as a strip per class.\n"
          "Letters beyond ASCII are boxes in a .png; an .svg has them. A page has --title, --axes and --max-drawn "
          "alone.\n"
          "Without -o a terminal shows a picture made of characters.",
      .outputs = {"output"},
  };
  FlagGroup usual{"Options", make_flags<PlotFiles>()}, others{"More of the picture", {}, false};
  for (std::vector<Flag> flags = make_algorithm_flags(picture_options()); Flag & flag : flags) {
    if (flag.info.name == "axes") flag.placeholder = "I,J";  // embed has a flag of that name for a file
    constexpr std::array<std::string_view, 4> kUsual{"title", "axes", "all", "dark"};
    const bool is_usual = std::find(kUsual.begin(), kUsual.end(), flag.info.name) != kUsual.end();
    (is_usual ? usual : others).flags.push_back(std::move(flag));
  }
  command.groups = {std::move(usual), std::move(others)};
  add_job_flags(command);
  return command;
}

void run_plot(const Arguments& arguments, const Console& console) {
  const auto files = arguments.get<PlotFiles>("plot");
  PlotOptions options = read_options(arguments, files.size);
  check_picture(files.output, "output");
  if (arguments.has("size") && files.output.ends_with(".html"))
    throw Error(ErrorKind::InvalidOption, {.problem = "--size is for pictures; a page fits its window",
                                           .advice = "leave it out, or write a .png or .svg",
                                           .option = "size"});
  if (files.output.empty() && (arguments.has("json") || !is_read_by_people()))
    throw Error(ErrorKind::InvalidOption,
                {.problem = "-o FILE is missing", .advice = "use -o map.png or -o map.svg", .option = "output"});
  Job job("plot", arguments, console, "");
  job.report().params = option_values(options);

  const std::string path = arguments.positional(0);
  const Table table = read_map(job, arguments, path, !files.labels.empty());
  Coloring coloring = coloring_of_map(job, files.labels, path, table);
  if (files.output.empty()) {
    draw_on_terminal(job, table, coloring);
    return job.finish();
  }
  if (options.title.empty() && path != "-") options.title = name_of_content(path);
  PlotSubject subject{.map = table.view(), .axis_names = table.column_names, .point_names = table.row_names};
  set_colors(subject, std::move(coloring));
  write_picture(job, files.output, subject, options);
  job.finish();
}

}  // namespace unroll::cli
