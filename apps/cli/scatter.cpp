#include "scatter.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>

#include "core/text.h"

namespace unroll::cli {
namespace {

constexpr Index kDotsAcross = 2, kDotsDown = 4;  // of a Braille character

/// Classes and numbers as shades: a point has one, a cell that of most of its points.
struct Shades {
  std::vector<std::size_t> of_point = {};  ///< empty: all points look alike
  std::vector<std::string> names = {};     ///< of classes; empty for numbers
  std::size_t count = 0;
};

constexpr std::size_t kMostShades = 12;

/// Rare classes share the last shade.
Shades shades_of_classes(const std::vector<std::string>& classes) {
  std::map<std::string, Index, NaturalOrder> counts;
  for (const auto& name : classes) ++counts[name];
  std::vector<std::string> names;
  for (const auto& entry : counts) names.push_back(entry.first);
  if (names.size() > kMostShades) {
    std::stable_sort(names.begin(), names.end(),
                     [&](const std::string& a, const std::string& b) { return counts[a] > counts[b]; });
    names.resize(kMostShades - 1);
    std::sort(names.begin(), names.end(), NaturalOrder());
  }
  Shades shades{.names = names, .count = names.size()};
  for (const auto& name : classes)
    shades.of_point.push_back(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
  if (names.size() < counts.size()) shades.names.emplace_back("all others"), ++shades.count;
  return shades;
}

Shades shades_of_numbers(const std::vector<double>& numbers) {
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  const double range = *high / 2 - *low / 2;  // half of it, which cannot overflow
  Shades shades{.count = kMostShades};
  for (const double number : numbers) {
    const double share = range > 0 ? (number / 2 - *low / 2) / range : 0;
    shades.of_point.push_back(
        std::min(kMostShades - 1, static_cast<std::size_t>(share * static_cast<double>(kMostShades))));
  }
  return shades;
}

Shades shades_of(const Coloring& coloring) {
  if (!coloring.numbers.empty()) return shades_of_numbers(coloring.numbers);
  return coloring.classes.empty() ? Shades() : shades_of_classes(coloring.classes);
}

/// Colors of the 256 that terminals have: for classes far apart, for numbers from dark blue to yellow (viridis).
std::string color_code(std::size_t shade, bool is_class, const Canvas& canvas) {
  constexpr std::array<int, kMostShades> kClasses{33, 208, 34, 196, 135, 130, 213, 245, 142, 44, 220, 25};
  constexpr std::array<int, kMostShades> kScale{54, 55, 61, 60, 31, 30, 36, 35, 71, 113, 149, 226};
  constexpr std::array<int, 6> kFewClasses{34, 31, 32, 35, 33, 36};
  constexpr std::array<int, 6> kFewScale{35, 34, 36, 32, 33, 31};
  if (canvas.has_256_colors) return fmt::format("38;5;{}", (is_class ? kClasses : kScale)[shade]);
  return fmt::format("{}", is_class ? kFewClasses[shade % 6] : kFewScale[shade / 2]);
}

/// The character of a shade where there are no colors: the class itself if all have a single one, as digits do.
char letter(std::size_t shade, const std::vector<std::string>& names) {
  constexpr std::string_view kClasses = "abcdefghijkl", kScale = "0123456789XY";
  if (names.empty()) return kScale[shade];
  const bool are_short = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name.size() == 1 && name.front() > ' ' && name.front() < 0x7f;
  });
  return are_short ? names[shade].front() : kClasses[shade];
}

/// Where dots are: the middle and the unit of one coordinate.
struct Axis {
  double low = 0, high = 0;
  double range() const { return high / 2 - low / 2; }  // half of it
};

Axis axis_of(PointsView map, Index k) {
  return map.visit([&](auto y) {
    Axis axis{static_cast<double>(y(0, k)), static_cast<double>(y(0, k))};
    for (Index i = 1; i < y.rows; ++i) {
      axis.low = std::min(axis.low, static_cast<double>(y(i, k)));
      axis.high = std::max(axis.high, static_cast<double>(y(i, k)));
    }
    return axis;
  });
}

/// A cell of the picture: its dots, and how many points have which shade.
struct Cell {
  unsigned dots = 0;
  std::map<std::size_t, Index> shades = {};

  std::size_t most() const {
    return std::max_element(shades.begin(), shades.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }
};

class Picture {
 public:
  Picture(PointsView map, const Shades& shades, const Canvas& canvas) : shades_(shades), canvas_(canvas) {
    across_ = axis_of(map, 0);
    up_ = map.cols() > 1 ? axis_of(map, 1) : Axis{0, static_cast<double>(map.rows() - 1)};
    choose_size();
    cells_.resize(static_cast<std::size_t>(columns_ * rows_));
    for (Index i = 0; i < map.rows(); ++i)
      map.visit([&](auto y) {
        add(static_cast<double>(y(i, 0)), map.cols() > 1 ? static_cast<double>(y(i, 1)) : static_cast<double>(i), i);
      });
  }

  const Axis& across() const { return across_; }
  const Axis& up() const { return up_; }
  bool is_to_scale() const { return is_to_scale_; }
  Index columns() const { return columns_; }
  Index rows() const { return rows_; }

  std::string row(Index r) const {
    std::string text;
    for (Index c = 0; c < columns_; ++c) text += character(cells_[static_cast<std::size_t>(r * columns_ + c)]);
    return text;
  }

 private:
  /// As wide as the terminal, and as high as equal units on both axes make it; where that is less than a few lines or
  /// more than the screen, the axes get units of their own.
  void choose_size() {
    constexpr Index kMargin = 11, kLines = 8, kFewest = 5;
    columns_ = std::max<Index>(static_cast<Index>(canvas_.columns) - kMargin, 20);
    const Index most = std::clamp<Index>(static_cast<Index>(canvas_.rows) - kLines, kFewest, 60);
    const double ratio = across_.range() > 0 ? up_.range() / across_.range() : 0;
    // A character is about twice as high as wide.
    const double wanted = static_cast<double>(columns_) * ratio / 2;
    rows_ = std::clamp<Index>(static_cast<Index>(std::lround(std::min(wanted, 1e6))), kFewest, most);
    if (wanted > static_cast<double>(most) && ratio < 4) {
      columns_ = std::max<Index>(20, static_cast<Index>(std::lround(2 * static_cast<double>(rows_) / ratio)));
      is_to_scale_ = true;
    } else {
      is_to_scale_ = wanted >= kFewest && wanted <= static_cast<double>(most);
      if (!is_to_scale_) rows_ = most;
    }
  }

  void add(double x, double y, Index i) {
    const Index dx = dot(x, across_, columns_ * kDotsAcross);
    const Index dy = rows_ * kDotsDown - 1 - dot(y, up_, rows_ * kDotsDown);
    // The bits of U+2800: dots 1-3 and 7 on the left, 4-6 and 8 on the right.
    constexpr std::array<std::array<unsigned, kDotsAcross>, kDotsDown> kBits{
        {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
    Cell& cell = cells_[static_cast<std::size_t>(dy / kDotsDown * columns_ + dx / kDotsAcross)];
    cell.dots |= kBits[static_cast<std::size_t>(dy % kDotsDown)][static_cast<std::size_t>(dx % kDotsAcross)];
    ++cell.shades[shades_.of_point.empty() ? 0 : shades_.of_point[static_cast<std::size_t>(i)]];
  }

  static Index dot(double x, const Axis& axis, Index count) {
    const double share = axis.range() > 0 ? (x / 2 - axis.low / 2) / axis.range() : 0.5;
    return std::clamp<Index>(static_cast<Index>(share * static_cast<double>(count)), 0, count - 1);
  }

  std::string character(const Cell& cell) const {
    if (cell.dots == 0) return " ";
    const bool has_shades = !shades_.of_point.empty();
    const bool is_class = !shades_.names.empty();
    if (has_shades && !canvas_.has_colors) return std::string(1, letter(cell.most(), shades_.names));
    std::string text = ".";
    if (canvas_.has_unicode) {
      text = {'\xE2', static_cast<char>(0xA0 | (cell.dots >> 6U)), static_cast<char>(0x80 | (cell.dots & 0x3FU))};
    } else if (std::popcount(cell.dots) > 2) {
      text = std::popcount(cell.dots) > 5 ? "#" : ":";
    }
    return has_shades ? fmt::format("\x1b[{}m{}\x1b[0m", color_code(cell.most(), is_class, canvas_), text) : text;
  }

  const Shades& shades_;
  const Canvas& canvas_;
  Axis across_, up_;
  Index columns_ = 0, rows_ = 0;
  bool is_to_scale_ = false;
  std::vector<Cell> cells_;
};

/// Nothing of the user's text may steer the terminal.
std::string harmless(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return text;
}

std::string number(double value) { return fmt::format("{:.4g}", value == 0 ? 0.0 : value); }

/// "species: a setosa  b versicolor", or "age: 20 to 79"
std::string legend(const Coloring& coloring, const Shades& shades, const Canvas& canvas) {
  if (coloring.empty()) return "";
  const bool is_class = !shades.names.empty();
  const auto mark = [&](std::size_t shade) {
    if (!canvas.has_colors) return std::string(1, letter(shade, shades.names));
    return fmt::format("\x1b[{}m{}\x1b[0m", color_code(shade, is_class, canvas), canvas.has_unicode ? "■" : "#");
  };
  std::string text = harmless(coloring.name) + ":";
  if (is_class) {
    for (std::size_t i = 0; i < shades.count; ++i) text += fmt::format("  {} {}", mark(i), harmless(shades.names[i]));
  } else {
    const auto [low, high] = std::minmax_element(coloring.numbers.begin(), coloring.numbers.end());
    text += fmt::format(" {} ", number(*low));
    for (std::size_t i = 0; i < shades.count; ++i) text += mark(i);
    text += fmt::format(" {}", number(*high));
  }
  return text + "\n";
}

}  // namespace

Canvas Canvas::of_terminal(bool has_colors) {
  Canvas canvas{.has_colors = has_colors};
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
    canvas.columns = size.ws_col, canvas.rows = size.ws_row;
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  // The first that is set counts, as in setlocale.
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (locale.empty()) locale = variable(name);
  std::transform(locale.begin(), locale.end(), locale.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  canvas.has_unicode = locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  canvas.has_256_colors = variable("TERM").find("256color") != std::string::npos || !variable("COLORTERM").empty();
  return canvas;
}

bool is_read_by_people() { return isatty(STDOUT_FILENO) == 1; }

std::string scatter_text(PointsView map, const std::string& axis_name, const Coloring& coloring, const Canvas& canvas) {
  if (map.rows() == 0 || map.cols() == 0) return "";
  const Shades shades = shades_of(coloring);
  const Picture picture(map, shades, canvas);
  const std::string bar = canvas.has_unicode ? "│" : "|", corner = canvas.has_unicode ? "└" : "+",
                    line = canvas.has_unicode ? "─" : "-";
  std::string text;
  for (Index r = 0; r < picture.rows(); ++r) {
    const std::string mark = r == 0                    ? number(picture.up().high)
                             : r + 1 == picture.rows() ? number(picture.up().low)
                                                       : "";
    const std::string row = picture.row(r);
    text += fmt::format("{:>9}{}{}\n", mark, bar, row.substr(0, row.find_last_not_of(' ') + 1));
  }
  text += fmt::format("{:9}{}", "", corner);
  for (Index c = 0; c < picture.columns(); ++c) text += line;
  const std::string left = number(picture.across().low), right = number(picture.across().high);
  const auto gap = std::max<Index>(1, picture.columns() - std::ssize(left) - std::ssize(right));
  text += fmt::format("\n{:10}{}{:{}}{}\n", "", left, "", gap, right);
  text += fmt::format("{}0 to the right, {} upwards{}; {}{}\n", axis_name,
                      map.cols() > 1 ? axis_name + "1" : "the number of the row",
                      map.cols() > 2 ? fmt::format(" (of {} coordinates)", map.cols()) : "",
                      counted(map.rows(), "point"), picture.is_to_scale() || map.cols() < 2 ? "" : ", not to scale");
  return text + legend(coloring, shades, canvas);
}

}  // namespace unroll::cli
