#pragma once
#include <string>
#include <vector>

#include "report/plot_points.h"
#include "report/plot_style.h"

namespace unroll {

/// More points than that have no names in a picture.
inline constexpr Index kMostNamed = 60;

/// Writes names beside their points, on that side where they hide least. Of points outside the frame, none.
void add_names(const std::vector<std::string>& names, const PlotAxes& axes, const PlotFrame& frame, double radius,
               const PlotStyle& style, Scene& scene);

}  // namespace unroll
