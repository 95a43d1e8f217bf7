#pragma once
#include "report/plot_colors.h"
#include "report/plot_style.h"

/// The legend to the right of a picture: what its colors mean.
namespace unroll {

/// How many lines of classes fit into that height, with a title above them and one more line for what is not known.
std::size_t key_lines(double height, const PlotStyle& style);

/// Its width; 0: there is nothing to explain.
double key_width(const PointColors& colors, const std::string& title, const PlotStyle& style);

/// Adds it to the picture, with its left upper corner there.
void add_key(const PointColors& colors, const std::string& title, const Rectangle& place, const PlotStyle& style,
             Scene& scene);

}  // namespace unroll
