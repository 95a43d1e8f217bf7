#include "map_output.h"

#include "coloring.h"
#include "scatter.h"

namespace unroll::cli {

void write_map(Job& job, const std::string& path, PointsView coordinates, const Model& model, const Table& table,
               const MapOutput& how) {
  const bool is_drawn = how.output.empty() && !job.writes_json() && is_read_by_people();
  if (!is_drawn) {
    if (!how.color_by.empty())
      job.note("color_by is for the map on a terminal, which is drawn without -o; 'unroll compare' draws pages");
    return job.write("coordinates", coordinates, model.method(), table);
  }
  const Coloring coloring = read_coloring(job, how.color_by, path, table);
  const Canvas canvas = Canvas::of_terminal(job.console().out().is_colored());
  job.print_summary(scatter_text(coordinates, model.method(), coloring, canvas));
  job.report().notes.emplace_back(how.can_save
                                      ? "nothing is saved: add -o map.csv for the coordinates, --save map.unroll "
                                        "for the model"
                                      : "nothing is saved: add -o map.csv for the coordinates");
}

}  // namespace unroll::cli
