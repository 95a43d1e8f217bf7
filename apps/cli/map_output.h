#pragma once
#include <string>

#include "job.h"
#include "unroll/core/model.h"

namespace unroll::cli {

struct MapOutput {
  std::string output = {};    ///< the value of -o
  std::string color_by = {};  ///< the value of --color-by
  bool can_save = true;       ///< the verb has --save
  bool is_plotted = false;    ///< a picture of it is written, too
};

/// Writes the coordinates of the rows of `table`, read from `path`. On a terminal, which was not asked for by -o -, it
/// draws them instead and says how to save them.
void write_map(Job& job, const std::string& path, PointsView coordinates, const Model& model, const Table& table,
               const MapOutput& how);

}  // namespace unroll::cli
