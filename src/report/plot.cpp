#include "unroll/report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/file.h"
#include "core/reported_as.h"
#include "core/text.h"
#include "data/validate.h"
#include "report/plot_page.h"
#include "report/plot_scene.h"
#include "report/stroke_font.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// Every format of pictures is a writer of scenes.
struct Writer {
  PlotFormat format;
  std::string (*write)(const Scene& scene);
  bool has_all_letters;  ///< else those of stroke_font.h alone
};
constexpr std::array kWriters{Writer{PlotFormat::Png, png_of, false}, Writer{PlotFormat::Svg, svg_of, true}};

const Writer& writer_of(PlotFormat format) {
  return *std::find_if(kWriters.begin(), kWriters.end(), [&](const Writer& writer) { return writer.format == format; });
}

void check_subject(const PlotSubject& subject) {
  check_points(subject.map, 1, {}, "the map");
  const auto check = [&](std::size_t count, Index expected, std::string_view what, std::string_view of) {
    if (count != 0 && static_cast<Index>(count) != expected)
      throw Error(ErrorKind::InvalidData,
                  fmt::format("the map has {}, but there are {} {}", counted(expected, of), count, what),
                  fmt::format("give one per {}", of));
  };
  check(subject.labels.size(), subject.map.rows(), "labels", "row");
  check(subject.numbers.size(), subject.map.rows(), "numbers", "row");
  check(subject.point_names.size(), subject.map.rows(), "names", "row");
  check(subject.axis_names.size(), subject.map.cols(), "names of axes", "column");
  if (!subject.labels.empty() && !subject.numbers.empty())
    throw Error(ErrorKind::InvalidData, "there are labels and numbers, but a point has one color", "give one of them");
  for (std::size_t i = 0; i < subject.numbers.size(); ++i)
    if (std::isinf(subject.numbers[i]))
      throw Error(ErrorKind::InvalidData, {.problem = "a number is infinite",
                                           .advice = "give finite numbers, or NaN for what is not known",
                                           .row = static_cast<Index>(i)});
}

}  // namespace

Plot plot(const PlotSubject& subject, PlotFormat format, const PlotOptions& options) {
  return reported_as(PlotOptions::method_name, [&] {
    validate_options(options, PlotOptions::method_name);
    check_subject(subject);
    if (format == PlotFormat::Html) return plot_page(subject, options);
    PlotScene drawn = plot_scene(subject, options);
    const Writer& writer = writer_of(format);
    const auto& texts = drawn.scene.texts;
    if (!writer.has_all_letters &&
        std::any_of(texts.begin(), texts.end(), [](const SceneText& text) { return !has_all_letters(text.words); }))
      drawn.notes.emplace_back("boxes stand for letters beyond ASCII, which an .svg has");
    return Plot{writer.write(drawn.scene), std::move(drawn.notes)};
  });
}

PlotFormat plot_format(std::string_view path) {
  std::vector<std::string> suffixes;
  for (const auto& [format, name] : enum_names(PlotFormat{})) {
    suffixes.push_back(fmt::format(".{}", name));
    if (path.ends_with(suffixes.back())) return format;
  }
  throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("'{}' does not name a picture", path),
                                         .advice = fmt::format("give it the suffix {}", joined(suffixes, " or "))});
}

std::vector<std::string> write_plot(const std::string& path, const PlotSubject& subject, const PlotOptions& options) {
  Plot picture = plot(subject, plot_format(path), options);
  AtomicFile file(path);
  file.write(picture.content.data(), picture.content.size());
  file.commit();
  return std::move(picture.notes);
}

}  // namespace unroll
