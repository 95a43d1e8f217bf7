#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/plot_range.h"
#include "report/scene.h"
#include "unroll/report/plot.h"

/// The colors of the points of a picture, and what they mean.
namespace unroll {

inline constexpr std::uint16_t kUnknownColor = 0;  ///< of points of which nothing is known
inline constexpr std::uint16_t kOtherColor = 1;    ///< of classes that the legend does not name
inline constexpr std::uint16_t kFirstColor = 2;

struct KeyEntry {
  std::string words = {};
  std::uint16_t color = 0;
};

struct PointColors {
  std::vector<Color> palette = {};
  std::vector<std::uint16_t> of_points = {};
  std::vector<KeyEntry> key = {};       ///< the entries of the legend
  std::optional<PlotRange> scale = {};  ///< of numbers, from kFirstColor to the end of the palette
  std::vector<std::string> notes = {};  ///< what the colors do not tell
};

/// Classes in natural order, the most frequent ones if there are more than `most_entries`; numbers on a scale from dark
/// blue to yellow.
PointColors point_colors(const PlotSubject& subject, const PlotOptions& options, std::size_t most_entries);

/// A color between two.
Color mixed(Color a, Color b, double share);

}  // namespace unroll
