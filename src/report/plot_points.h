#pragma once
#include "report/plot_axes.h"
#include "report/plot_range.h"

namespace unroll {

/// Where the values of two axes are in a picture.
struct PlotFrame {
  Rectangle panel = {};
  PlotRange across = {};
  PlotRange up = {};

  double x(double value) const { return panel.left + panel.width * across.share(value); }
  double y(double value) const { return panel.bottom() - panel.height * up.share(value); }
  bool contains(double a, double b) const { return across.contains(a) && up.contains(b); }
};

/// The points to draw: those that lie in the frame, in an order that mixes them, with a size and an opacity that show
/// how many lie where. `unit` is the style's.
SceneDots plot_points(const PlotAxes& axes, const PointColors& colors, const PlotFrame& frame, double unit,
                      const PlotOptions& options);

}  // namespace unroll
