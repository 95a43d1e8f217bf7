#include "report/plot_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/at.h"
#include "core/text.h"
#include "report/plot_axes.h"
#include "report/plot_colors.h"
#include "unroll/core/error.h"
#include "unroll/report/page.h"

namespace unroll {
namespace {

/// Panning stays smooth with so many.
constexpr std::int64_t kMostDrawn = 100'000;
/// Classes with a strip of their own in a map of one coordinate.
constexpr std::size_t kMostStrips = 20;

/// On a page these are for its reader to choose.
void check_options(const PlotOptions& options) {
  constexpr std::array<std::string_view, 3> kOfPages{"title", "axes", "max_drawn"};
  const OptionValues given = option_values(options), usual = option_values(PlotOptions());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto& [name, value] = given[i];
    if (value == usual[i].value || std::find(kOfPages.begin(), kOfPages.end(), name) != kOfPages.end()) continue;
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("{}={} is for pictures; a page leaves it to its reader", name, to_text(value)),
                 .advice = "leave it out, or write a .png or .svg",
                 .option = name});
  }
}

/// A page has one scale for both axes. What is no coordinate of the map, of a map of one, becomes half as high as it is
/// wide.
void fit_height(PlotAxes& axes) {
  if (axes.are_of_map || axes.up.values.empty()) return;
  const auto extent = [](const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *high / 2 - *low / 2;  // of half, which does not overflow
  };
  const double width = extent(axes.across.values), height = extent(axes.up.values);
  if (!(width > 0) || !(height > 0)) return;
  for (double& value : axes.up.values) value = value / height * (width / 2);
}

}  // namespace

Plot plot_page(const PlotSubject& subject, const PlotOptions& options) {
  check_options(options);
  PlotAxes axes = plot_axes(subject, options, point_colors(subject, options, kMostStrips));
  fit_height(axes);
  Array2<double> map(subject.map.rows(), 2);
  for (Index i = 0; i < map.rows(); ++i) map(i, 0) = axes.across.values[at(i)], map(i, 1) = axes.up.values[at(i)];
  PageSection section{.title = options.title.empty() ? "map" : options.title,
                      .labels = subject.labels,
                      .numbers = subject.numbers,
                      .row_names = subject.point_names,
                      .max_drawn = options.max_drawn.value_or(kMostDrawn)};
  if (!subject.label_name.empty()) section.label_name = subject.label_name;
  Plot page{map_page(map, section), std::move(axes.notes)};
  if (section.max_drawn < map.rows()) page.notes.push_back(fmt::format("{} of them drawn", section.max_drawn));
  return page;
}

}  // namespace unroll
