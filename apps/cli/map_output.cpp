#include "map_output.h"

#include <fmt/core.h>

#include "coloring.h"
#include "scatter.h"

namespace unroll::cli {

void write_map(Job& job, const std::string& path, PointsView coordinates, const Model& model, const Table& table,
               const MapOutput& how) {
  const bool is_drawn = how.output.empty() && !job.writes_json() && is_read_by_people();
  if (!is_drawn) {
    if (!how.color_by.empty() && !how.is_plotted)
      job.note("color_by is for the picture that --plot FILE draws, and for the map on a terminal, without -o");
    return job.write("coordinates", coordinates, model.method(), table);
  }
  const Coloring coloring = read_coloring(job, how.color_by, path, table);
  const Canvas canvas = Canvas::of_terminal(job.console().out().is_colored());
  job.print_summary(scatter_text(coordinates, model.method(), coloring, canvas));
  job.report().notes.push_back(fmt::format("{}: add -o map.csv for the coordinates{}",
                                           how.is_plotted ? "only the picture is saved" : "nothing is saved",
                                           how.can_save ? ", --save map.unroll for the model" : ""));
}

}  // namespace unroll::cli
