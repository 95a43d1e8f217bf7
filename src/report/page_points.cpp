#include "report/page_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "core/json.h"
#include "core/random.h"
#include "core/text.h"
#include "report/page_text.h"

namespace unroll {
namespace {

constexpr std::size_t kMostLabels = 40;  // ten colors times four shapes
constexpr Index kMostTruths = 8;         // true coordinates to choose from

std::vector<Index> drawn_rows(Index n, Index most) {
  if (n > most) return Random(0, "page.rows").sample(n, most);
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

struct Interval {
  double low = 0;
  double high = 0;

  // Halves, since the difference of two large numbers may be infinite.
  double middle() const { return low / 2 + high / 2; }
  double half() const { return high / 2 - low / 2; }
};

template <class Value>
Interval interval_of(const std::vector<Index>& rows, Value&& value) {
  Interval found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double x = value(rows[i]);
    found = {i == 0 ? x : std::min(found.low, x), i == 0 ? x : std::max(found.high, x)};
  }
  return found;
}

/// 0 at middle - half, 65535 at middle + half.
std::uint16_t quantized(double value, double middle, double half) {
  const double share = half > 0 ? (value - middle) / half : 0;
  return static_cast<std::uint16_t>(std::lround(32767.5 * (1 + std::clamp(share, -1.0, 1.0))));
}

/// A coordinate of a map; 0 for the second axis of a one-dimensional map.
double coordinate(const Array2<double>& map, Index i, Index axis) { return axis < map.cols() ? map(i, axis) : 0; }

/// The coordinates that orient the axes of maps: columns of the truth, or of the first map. The direction of an axis
/// has no meaning, and maps are easier to compare if their axes have the same direction.
struct Reference {
  PointsView truth = {};
  const Array2<double>* map = nullptr;

  double operator()(Index i, Index axis) const {
    if (truth.rows() == 0) return coordinate(*map, i, axis);
    return truth.visit([&](auto view) { return static_cast<double>(view(i, std::min(axis, view.cols - 1))); });
  }
};

/// -1 if the axis runs against the reference, else 1.
double direction(const Array2<double>& map, Index axis, const Reference& reference, const std::vector<Index>& rows) {
  const Interval ours = interval_of(rows, [&](Index i) { return coordinate(map, i, axis); });
  const Interval theirs = interval_of(rows, [&](Index i) { return reference(i, axis); });
  const auto centered = [&](const Interval& range, double x) {
    return range.half() > 0 ? (x - range.middle()) / range.half() : 0;
  };
  double sum_x = 0, sum_y = 0, product = 0;
  for (const Index i : rows) {
    const double x = centered(ours, coordinate(map, i, axis)), y = centered(theirs, reference(i, axis));
    sum_x += x;
    sum_y += y;
    product += x * y;
  }
  return product - sum_x * sum_y / static_cast<double>(rows.size()) < 0 ? -1 : 1;
}

/// x and y of one point after the other, on axes of one scale.
Json map_json(const Array2<double>& map, const Reference& reference, const std::vector<Index>& rows) {
  std::array<Interval, 2> range;
  std::array<double, 2> sign{};
  for (const Index axis : {0, 1}) {
    const auto at = static_cast<std::size_t>(axis);
    range[at] = interval_of(rows, [&](Index i) { return coordinate(map, i, axis); });
    sign[at] = direction(map, axis, reference, rows);
  }
  const double half = std::max(range[0].half(), range[1].half());
  std::vector<std::uint16_t> numbers;
  numbers.reserve(2 * rows.size());
  for (const Index i : rows)
    for (const std::size_t axis : {0U, 1U})
      numbers.push_back(quantized(sign[axis] * coordinate(map, i, static_cast<Index>(axis)),
                                  sign[axis] * range[axis].middle(), half));
  return base64(numbers);
}

/// The points as they are, one after the other, on axes of one scale.
Json original_json(PointsView points, const std::vector<Index>& rows) {
  if (!can_be_seen(points)) return nullptr;
  std::vector<std::uint16_t> numbers;
  numbers.reserve(rows.size() * static_cast<std::size_t>(points.cols()));
  points.visit([&](auto x) {
    std::vector<Interval> range;
    double half = 0;
    for (Index j = 0; j < x.cols; ++j) {
      range.push_back(interval_of(rows, [&](Index i) { return static_cast<double>(x(i, j)); }));
      half = std::max(half, range.back().half());
    }
    for (const Index i : rows)
      for (Index j = 0; j < x.cols; ++j)
        numbers.push_back(quantized(static_cast<double>(x(i, j)), range[static_cast<std::size_t>(j)].middle(), half));
  });
  return JsonObject{{"columns", points.cols()}, {"at", base64(numbers)}};
}

template <class Value>
Json number_coloring(const std::string& name, const std::vector<Index>& rows, Value&& value) {
  const Interval range = interval_of(rows, value);
  std::vector<std::uint16_t> numbers;
  numbers.reserve(rows.size());
  for (const Index i : rows) numbers.push_back(quantized(value(i), range.middle(), range.half()));
  return JsonObject{{"name", name}, {"low", range.low}, {"high", range.high}, {"at", base64(numbers)}};
}

/// The labels with their own symbol, in the order of the legend: the most frequent ones if there are too many.
std::vector<std::string> shown_labels(const std::vector<std::string>& labels) {
  std::map<std::string, Index> counts;
  for (const std::string& label : labels) ++counts[label];
  std::vector<std::string> shown;
  shown.reserve(counts.size());
  for (const auto& entry : counts) shown.push_back(entry.first);
  std::sort(shown.begin(), shown.end(), NaturalOrder());
  if (shown.size() > kMostLabels) {
    std::stable_sort(shown.begin(), shown.end(),
                     [&](const std::string& a, const std::string& b) { return counts[a] > counts[b]; });
    shown.resize(kMostLabels - 1);
    std::sort(shown.begin(), shown.end(), NaturalOrder());
  }
  return shown;
}

/// A name for the labels without a symbol, different from all shown labels.
std::string name_of_rest(const std::vector<std::string>& shown) {
  std::string name = "all others";
  do name = fmt::format("({})", name);
  while (std::find(shown.begin(), shown.end(), name) != shown.end());
  return name;
}

Json label_coloring(const std::string& name, const std::vector<std::string>& labels, const std::vector<Index>& rows) {
  std::vector<std::string> shown = shown_labels(labels);
  std::map<std::string, std::uint8_t> code;
  for (std::size_t i = 0; i < shown.size(); ++i) code[shown[i]] = static_cast<std::uint8_t>(i);
  const auto other = static_cast<std::uint8_t>(shown.size());
  std::vector<std::uint8_t> codes;
  bool others = false;
  for (const Index i : rows) {
    const auto found = code.find(labels[static_cast<std::size_t>(i)]);
    codes.push_back(found != code.end() ? found->second : other);
    others = others || found == code.end();
  }
  if (others) shown.push_back(name_of_rest(shown));
  return JsonObject{{"name", name}, {"labels", shown}, {"at", base64(codes)}};
}

std::vector<std::string> as_words(const std::vector<std::int64_t>& numbers) {
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (const std::int64_t number : numbers) words.push_back(fmt::format("{}", number));
  return words;
}

/// The colorings: true coordinates, then labels; if neither is known, the first coordinate of the first map, or of the
/// points where there is no map.
std::vector<Json> known_colorings(const Comparison& comparison, const PageSection& section,
                                  const std::vector<Index>& rows) {
  std::vector<Json> all;
  for (Index j = 0; j < std::min(section.truth.cols(), kMostTruths); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const std::string name = at < section.truth_names.size() ? section.truth_names[at] : fmt::format("truth {}", j + 1);
    section.truth.visit([&](auto truth) {
      all.push_back(number_coloring(name, rows, [&](Index i) { return static_cast<double>(truth(i, j)); }));
    });
  }
  if (!section.labels.empty()) all.push_back(label_coloring(section.label_name, section.labels, rows));
  for (const ComparedMethod& method : comparison.methods)
    if (all.empty() && method.coordinates.rows() > 0)
      all.push_back(number_coloring(method.label + " 0", rows, [&](Index i) { return method.coordinates(i, 0); }));
  if (all.empty() && can_be_seen(section.points))
    section.points.visit([&](auto points) {
      all.push_back(number_coloring("feature 1", rows, [&](Index i) { return static_cast<double>(points(i, 0)); }));
    });
  return all;
}

/// The effective number of grid cells that the points fill: e to the entropy of their shares.
double spread(const Array2<double>& map) {
  constexpr double kCells = 24;
  std::vector<Index> rows(static_cast<std::size_t>(map.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const Interval across = interval_of(rows, [&](Index i) { return coordinate(map, i, 0); });
  const Interval up = interval_of(rows, [&](Index i) { return coordinate(map, i, 1); });
  const double half = std::max(across.half(), up.half());
  const auto cell = [&](double x, double middle) {
    return half > 0 ? static_cast<int>((kCells - 1) / 2 * (1 + (x - middle) / half)) : 0;
  };
  std::map<std::pair<int, int>, double> counts;
  for (const Index i : rows)
    ++counts[{cell(coordinate(map, i, 0), across.middle()), cell(coordinate(map, i, 1), up.middle())}];
  double entropy = 0;
  for (const auto& [place, count] : counts) {
    const double share = count / static_cast<double>(rows.size());
    entropy -= share * std::log(share);
  }
  return std::exp(entropy);
}

/// The map on which clusters are drawn: among the maps that are spread widely enough, the one that keeps neighbourhoods
/// best; without such a map the clusters' own coordinates.
std::size_t stage_for_clusters(const Comparison& comparison, std::size_t own) {
  std::vector<double> spreads;
  for (const ComparedMethod& method : comparison.methods)
    spreads.push_back(method.quality ? spread(method.coordinates) : 0);
  const double widest = *std::max_element(spreads.begin(), spreads.end());
  std::size_t best = own;
  double most = -1;
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    if (spreads[i] == 0 || spreads[i] < widest / 2) continue;
    const Quality& quality = *comparison.methods[i].quality;
    const double kept = quality.trustworthiness.value + quality.continuity.value;
    if (kept > most) {
      best = i;
      most = kept;
    }
  }
  return best;
}

}  // namespace

bool can_be_seen(PointsView points) { return points.rows() > 0 && (points.cols() == 2 || points.cols() == 3); }

PagePoints page_points(const Comparison& comparison, const PageSection& section) {
  PagePoints result{.rows = drawn_rows(comparison.n_points, std::max<Index>(section.max_drawn, 1))};
  std::vector<Json> colorings = known_colorings(comparison, section, result.rows), maps;
  Reference reference{.truth = section.truth};
  for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
    const ComparedMethod& method = comparison.methods[i];
    if (reference.map == nullptr && method.coordinates.rows() > 0) reference.map = &method.coordinates;
    maps.push_back(method.coordinates.rows() > 0 ? map_json(method.coordinates, reference, result.rows) : nullptr);
    if (method.coordinates.rows() == 0) {
      result.panels.emplace_back();
    } else if (method.clusters.empty()) {
      result.panels.emplace_back(Panel{.map = i});
    } else {
      result.panels.emplace_back(Panel{.map = stage_for_clusters(comparison, i), .coloring = colorings.size()});
      colorings.push_back(label_coloring(method.label, as_words(method.clusters), result.rows));
    }
  }
  std::vector<std::string> names;
  if (!section.row_names.empty())
    for (const Index i : result.rows) names.push_back(section.row_names[static_cast<std::size_t>(i)]);
  const bool all = std::ssize(result.rows) == comparison.n_points;
  const JsonObject json{{"count", result.rows.size()},
                        {"rows", all ? Json(nullptr) : Json(result.rows)},
                        {"names", names.empty() ? Json(nullptr) : Json(names)},
                        {"original", original_json(section.points, result.rows)},
                        {"maps", maps},
                        {"colorings", colorings}};
  result.json = json.text();
  return result;
}

}  // namespace unroll
