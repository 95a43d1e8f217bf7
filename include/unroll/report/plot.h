#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/export.h"
#include "unroll/core/options.h"
#include "unroll/core/types.h"

/// One map as a picture, PNG or SVG, or as a page to look at it by pointing and zooming. The same map gives the same
/// bytes.
namespace unroll {

/// How long a unit is on the two axes.
enum class Aspect {
  Auto,   ///< equal, unless the map is more than eight times as long as wide
  Equal,  ///< as distances in a map need it
  Free,   ///< each axis fills the picture
};
constexpr auto enum_names(Aspect) {
  return std::array{Named{Aspect::Auto, "auto"}, Named{Aspect::Equal, "equal"}, Named{Aspect::Free, "free"}};
}

/// What is drawn.
struct PlotSubject {
  PointsView map = {};                        ///< a row per point; one column is drawn as a strip
  std::vector<std::string> axis_names = {};   ///< of the columns; empty: they are numbered
  std::vector<std::string> labels = {};       ///< the class of every point; an empty one is not known
  std::vector<double> numbers = {};           ///< or a number for every point; NaN is not known
  std::string label_name = {};                ///< what labels or numbers are, above the legend
  std::vector<std::string> point_names = {};  ///< written beside the points, if these are few
};

struct PlotOptions {
  static constexpr std::string_view method_name = "plot";

  std::string title = {};
  std::vector<std::int64_t> axes = {};
  Aspect aspect = Aspect::Auto;
  bool all = false;
  bool dark = false;
  std::optional<double> point_size = {};
  std::optional<double> opacity = {};
  std::optional<std::int64_t> max_drawn = {};
  bool bare = false;
  std::int64_t width = 960;
  std::int64_t height = 720;

  UNROLL_API static OptionFields fields();
};

enum class PlotFormat { Png, Svg, Html };
constexpr auto enum_names(PlotFormat) {
  return std::array{Named{PlotFormat::Png, "png"}, Named{PlotFormat::Svg, "svg"}, Named{PlotFormat::Html, "html"}};
}

struct Plot {
  std::string content = {};             ///< the bytes of the file
  std::vector<std::string> notes = {};  ///< what the picture leaves out, in sentences
};

/// Draws the map. Points are drawn in an order that mixes them, so that no class hides another; where many lie on one
/// spot they are let through, so that density is seen. Throws InvalidData unless labels, numbers and names are one per
/// point, InvalidOption for an axis that the map lacks. A page (report/page.h) has title, axes and max_drawn of the
/// options; others throw InvalidOption.
UNROLL_API Plot plot(const PlotSubject& subject, PlotFormat format, const PlotOptions& options = {});

/// The format that the suffix of a file's name stands for; throws InvalidOption, naming the suffixes there are.
UNROLL_API PlotFormat plot_format(std::string_view path);

/// Writes the picture, atomically, in the format of the suffix; returns the notes.
UNROLL_API std::vector<std::string> write_plot(const std::string& path, const PlotSubject& subject,
                                               const PlotOptions& options = {});

}  // namespace unroll
