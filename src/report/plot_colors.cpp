#include "report/plot_colors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "core/at.h"
#include "core/text.h"

namespace unroll {
namespace {

// Ten colors that color-blind readers tell apart (M. Petroff, "Accessible color sequences for data visualization",
// 2021), as on the page of 'unroll compare'. After them the same ones darker, or lighter on a dark ground.
constexpr std::array<Color, 10> kClassColors{{{0x3f, 0x90, 0xda},
                                              {0xff, 0xa9, 0x0e},
                                              {0xbd, 0x1f, 0x01},
                                              {0x94, 0xa4, 0xa2},
                                              {0x83, 0x2d, 0xb6},
                                              {0xa9, 0x6b, 0x59},
                                              {0xe7, 0x63, 0x00},
                                              {0xb9, 0xac, 0x70},
                                              {0x71, 0x75, 0x81},
                                              {0x92, 0xda, 0xdd}}};
constexpr std::size_t kMostColors = 2 * kClassColors.size();

// Viridis (Smith and van der Walt).
constexpr std::array<Color, 9> kScaleColors{{{0x44, 0x01, 0x54},
                                             {0x47, 0x2d, 0x7b},
                                             {0x3b, 0x52, 0x8b},
                                             {0x2c, 0x72, 0x8e},
                                             {0x21, 0x91, 0x8c},
                                             {0x28, 0xae, 0x80},
                                             {0x5e, 0xc9, 0x62},
                                             {0xad, 0xdc, 0x30},
                                             {0xfd, 0xe7, 0x25}}};
constexpr int kLevels = 64;

constexpr Color kWhite{255, 255, 255}, kBlack{0, 0, 0};

Color class_color(std::size_t number, bool dark) {
  const Color color = kClassColors[number % kClassColors.size()];
  const bool is_second = number >= kClassColors.size();
  if (dark) return mixed(color, kWhite, is_second ? 0.6 : 0.22);
  return is_second ? mixed(color, kBlack, 0.45) : color;
}

/// Without the end that the ground swallows.
Color scale_color(double share, bool dark) {
  const double place = (dark ? 0.14 + 0.86 * share : 0.93 * share) * (kScaleColors.size() - 1);
  const std::size_t low = std::min(static_cast<std::size_t>(place), kScaleColors.size() - 2);
  return mixed(kScaleColors[low], kScaleColors[low + 1], place - static_cast<double>(low));
}

struct CountedClass {
  std::string_view name;
  Index count = 0;
};

/// All classes; the first `most` of them are the most frequent ones, in natural order.
std::vector<CountedClass> counted_classes(const std::vector<std::string>& labels, std::size_t most) {
  std::unordered_map<std::string_view, Index> counts;
  for (const std::string& label : labels)
    if (!label.empty()) ++counts[label];
  std::vector<CountedClass> classes;
  classes.reserve(counts.size());
  for (const auto& [name, count] : counts) classes.push_back({name, count});
  const auto shown = classes.begin() + std::ssize(classes) - std::max<Index>(0, std::ssize(classes) - Index(most));
  std::partial_sort(classes.begin(), shown, classes.end(), [](const CountedClass& a, const CountedClass& b) {
    return a.count != b.count ? a.count > b.count : NaturalOrder()(a.name, b.name);
  });
  std::sort(classes.begin(), shown,
            [](const CountedClass& a, const CountedClass& b) { return NaturalOrder()(a.name, b.name); });
  return classes;
}

void color_classes(const std::vector<std::string>& labels, std::size_t most, bool dark, PointColors& colors) {
  most = std::min(most, kMostColors);
  std::vector<CountedClass> classes = counted_classes(labels, most);
  const std::size_t others = classes.size() > most ? classes.size() - most + 1 : 0;  // one line for all of them
  if (others > 0) classes = counted_classes(labels, most - 1);
  std::unordered_map<std::string_view, std::uint16_t> color_of;
  for (std::size_t i = 0; i < classes.size() - others; ++i) {
    const auto color = static_cast<std::uint16_t>(colors.palette.size());
    colors.palette.push_back(class_color(i, dark));
    color_of[classes[i].name] = color;
    colors.key.push_back({std::string(classes[i].name), color});
  }
  for (const std::string& label : labels) {
    const auto found = color_of.find(label);
    colors.of_points.push_back(found != color_of.end() ? found->second : label.empty() ? kUnknownColor : kOtherColor);
  }
  if (others > 0) colors.key.push_back({fmt::format("and {} more", others), kOtherColor});
}

void color_numbers(const std::vector<double>& numbers, const PlotOptions& options, PointColors& colors) {
  for (int level = 0; level < kLevels; ++level)
    colors.palette.push_back(scale_color(static_cast<double>(level) / (kLevels - 1), options.dark));
  const PlotRange range = range_of(numbers, options.all);
  Index beyond = 0;
  for (const double number : numbers) {
    const double level = std::clamp(range.share(number) * kLevels, 0.0, kLevels - 1.0);
    colors.of_points.push_back(std::isnan(number) ? kUnknownColor
                                                  : static_cast<std::uint16_t>(kFirstColor + static_cast<int>(level)));
    if (!std::isnan(number) && !range.contains(number)) ++beyond;
  }
  if (colors.of_points.empty() || std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); }))
    return;
  colors.scale = range;
  if (beyond > 0) colors.notes.push_back(fmt::format("{} beyond the ends of the scale", counted(beyond, "number")));
}

}  // namespace

Color mixed(Color a, Color b, double share) {
  const auto channel = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround(x + (y - x) * share));
  };
  return {channel(a.red, b.red), channel(a.green, b.green), channel(a.blue, b.blue)};
}

PointColors point_colors(const PlotSubject& subject, const PlotOptions& options, std::size_t most_entries) {
  PointColors colors;
  colors.palette = options.dark ? std::vector<Color>{{0x50, 0x54, 0x5c}, {0x78, 0x7c, 0x84}}
                                : std::vector<Color>{{0xd2, 0xd4, 0xd8}, {0xb0, 0xb2, 0xb8}};
  if (!subject.labels.empty()) {
    color_classes(subject.labels, std::max<std::size_t>(most_entries, 2), options.dark, colors);
  } else if (!subject.numbers.empty()) {
    color_numbers(subject.numbers, options, colors);
  } else {
    colors.palette.push_back(class_color(0, options.dark));
    colors.of_points.assign(at(subject.map.rows()), kFirstColor);
  }
  if (std::find(colors.of_points.begin(), colors.of_points.end(), kUnknownColor) != colors.of_points.end())
    colors.key.push_back({"unknown", kUnknownColor});
  return colors;
}

}  // namespace unroll
