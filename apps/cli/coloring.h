#pragma once
#include <string>
#include <vector>

#include "job.h"
#include "unroll/data/table.h"

namespace unroll::cli {

/// What the points of a picture are colored by: classes, or numbers on a scale. Without both all look alike.
struct Coloring {
  std::string name = {};
  std::vector<std::string> classes = {};
  std::vector<double> numbers = {};

  bool empty() const { return classes.empty() && numbers.empty(); }
};

/// Words or numbers as people mean them: words and a few whole numbers are classes, other numbers are a scale.
Coloring coloring_of(std::string name, const std::vector<std::string>& words);

/// Whether --color-by names a file, not a column of the input.
bool is_color_file(const std::string& color_by);

/// Colors by --color-by: a file with a number or a word per row, or a column of the table, which must have been read
/// with it as annotation. Without --color-by, by the labels of the table.
Coloring read_coloring(Job& job, const std::string& color_by, const std::string& path, const Table& table);

}  // namespace unroll::cli
