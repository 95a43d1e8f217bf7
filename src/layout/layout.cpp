#include "layout/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace unroll {
namespace {

/// How often progress is reported: by the number of iterations alone, since a layout may look at no clock.
Index iterations_between_reports(Index iterations) {
  constexpr Index kReports = 200, kLongest = 25;  // a caller who wants to stop does not wait for more
  return std::clamp<Index>(iterations / kReports, 1, kLongest);
}

}  // namespace

std::optional<Warning> run_layout(Layout& layout, Index iterations, std::string_view stage, const Run& run) {
  const Index between = iterations_between_reports(iterations);
  // The answer may also come to a report within a step, which runs to its end.
  bool finishes = false;
  Run watched = run;
  if (run.progress)
    watched.progress = [&](const Progress& progress) {
      const Answer answer = run.progress(progress);
      finishes |= answer == Answer::FinishHere;
      return answer;
    };
  while (layout.iteration() < iterations && !layout.is_converged()) {
    layout.step(std::min(layout.iteration() + between, iterations), watched);
    watched.report({.stage = stage,
                    .fraction = layout.is_converged()
                                    ? 1
                                    : static_cast<double>(layout.iteration()) / static_cast<double>(iterations),
                    .loss = run.progress ? std::optional(layout.loss()) : std::nullopt,  // it may cost an iteration
                    .frame = &layout.coordinates(),
                    .violation = layout.violation()});
    if (!finishes || layout.is_converged() || layout.iteration() == iterations) continue;
    return Warning{"finished-early",
                   fmt::format("stopped on request after {} of {} iterations: the map is not final", layout.iteration(),
                               iterations),
                   "run it to the end, or go on from this map"};
  }
  return std::nullopt;
}

}  // namespace unroll
