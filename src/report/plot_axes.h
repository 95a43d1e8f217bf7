#pragma once
#include <string>
#include <vector>

#include "report/plot_colors.h"
#include "unroll/report/plot.h"

namespace unroll {

/// A coordinate of all points, before it has a place in pixels.
struct PlotAxis {
  std::vector<double> values = {};
  std::string name = {};
  bool has_numbers = true;  ///< else its values mean nothing
};

struct PlotAxes {
  PlotAxis across = {};
  PlotAxis up = {};
  bool are_of_map = false;  ///< both are, so that distances mean something
  std::vector<std::string> notes = {};
};

/// The two coordinates that are drawn. A map of one coordinate is drawn against the numbers of its points, if all are
/// known; else as a strip, or a strip per class, in which places across have no meaning. Throws InvalidOption for axes
/// that the map lacks.
PlotAxes plot_axes(const PlotSubject& subject, const PlotOptions& options, const PointColors& colors);

}  // namespace unroll
