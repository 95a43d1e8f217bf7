#pragma once
#include <string>
#include <vector>

#include "report/scene.h"
#include "unroll/report/plot.h"

namespace unroll {

/// A map as shapes, and what they leave out, in words.
struct PlotScene {
  Scene scene = {};
  std::vector<std::string> notes = {};
};

PlotScene plot_scene(const PlotSubject& subject, const PlotOptions& options);

}  // namespace unroll
