#include "report/plot_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/random.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

void check_axes(const std::vector<std::int64_t>& axes, Index cols) {
  const auto refuse = [](std::string problem, std::string advice) {
    throw Error(ErrorKind::InvalidOption,
                {.problem = std::move(problem), .advice = std::move(advice), .option = "axes"});
  };
  if (axes.size() > 2)
    refuse(fmt::format("axes={} are {}, but a picture has two", fmt::join(axes, ","), axes.size()), "name one or two");
  if (axes.size() == 2 && axes[0] == axes[1])
    refuse(fmt::format("axes={0},{0} are the same coordinate", axes[0]), "name one, or two different ones");
  for (const std::int64_t axis : axes)
    if (axis >= cols)
      refuse(fmt::format("axes={}: the map has no coordinate {}", fmt::join(axes, ","), axis),
             fmt::format("it has {}, counted from 0", cols == 1 ? "1" : fmt::format("0 to {}", cols - 1)));
}

PlotAxis coordinate_axis(const PlotSubject& subject, Index axis) {
  PlotAxis result;
  result.name = subject.axis_names.empty() ? fmt::format("coordinate {}", axis) : subject.axis_names[at(axis)];
  result.values.reserve(at(subject.map.rows()));
  subject.map.visit([&](auto map) {
    for (Index i = 0; i < map.rows; ++i) result.values.push_back(static_cast<double>(map(i, axis)));
  });
  return result;
}

/// A strip per color of the classes, from the top; points are scattered over its width, so that they can be told apart.
PlotAxis strip_axis(const PlotSubject& subject, const PointColors& colors) {
  constexpr double kWidth = 0.7;
  const Random random(0, "plot.strip");
  PlotAxis result{.has_numbers = false};
  for (Index i = 0; i < subject.map.rows(); ++i) {
    const std::uint16_t color = colors.of_points[at(i)];
    const double strip = subject.labels.empty() ? 0
                         : color < kFirstColor  ? static_cast<double>(colors.palette.size()) - color
                                                : color;
    result.values.push_back(kWidth * (random.uniform(static_cast<std::uint64_t>(i)) - 0.5) - strip);
  }
  return result;
}

}  // namespace

PlotAxes plot_axes(const PlotSubject& subject, const PlotOptions& options, const PointColors& colors) {
  const Index cols = subject.map.cols();
  check_axes(options.axes, cols);
  std::vector<std::int64_t> axes = options.axes;
  if (axes.empty()) axes = cols > 1 ? std::vector<std::int64_t>{0, 1} : std::vector<std::int64_t>{0};
  PlotAxes result{.across = coordinate_axis(subject, axes[0])};
  if (axes.size() == 2) {
    result.up = coordinate_axis(subject, axes[1]);
    result.are_of_map = true;
  } else if (!subject.numbers.empty() && std::none_of(subject.numbers.begin(), subject.numbers.end(),
                                                      [](double number) { return std::isnan(number); })) {
    result.up = {.values = subject.numbers, .name = subject.label_name};
  } else {
    result.up = strip_axis(subject, colors);
  }
  if (options.axes.empty() && cols > 2) result.notes.push_back(fmt::format("the first 2 of {} coordinates", cols));
  return result;
}

}  // namespace unroll
