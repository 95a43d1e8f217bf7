#include "report/page_colorings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "core/text.h"
#include "report/interval.h"
#include "report/page_points.h"
#include "report/page_text.h"

namespace unroll {
namespace {

constexpr std::size_t kMostLabels = 40;  // ten colors times four shapes
constexpr Index kMostTruths = 8;         // true coordinates to choose from
constexpr Index kMostFeatures = 64;      // features to choose from
constexpr Index kMostPixels = 8'000'000;
constexpr double kTop = 254;  // the code of the greatest value
constexpr std::uint8_t kUnknown = 255;

template <class Value>
Json number_coloring(const std::string& name, const std::vector<Index>& rows, Value&& value) {
  std::vector<Index> known;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(known), [&](Index i) { return !std::isnan(value(i)); });
  const Interval range = interval_of(known, value);
  std::vector<float> numbers;
  numbers.reserve(rows.size());
  for (const Index i : rows) numbers.push_back(static_cast<float>(std::clamp<double>(value(i), -3e38, 3e38)));
  return JsonObject{{"name", name}, {"low", range.low}, {"high", range.high}, {"at", base64(numbers)}};
}

/// The labels with their own symbol, in the order of the legend: the most frequent ones if there are too many.
std::vector<std::string> shown_labels(const std::vector<std::string>& labels) {
  std::map<std::string, Index> counts;
  for (const std::string& label : labels)
    if (!label.empty()) ++counts[label];
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

/// A share of a range, from 0 to 1; halves, since the difference of two large numbers may be infinite.
double share_within(const Interval& range, double value) {
  return range.half() > 0 ? std::clamp((value / 2 - range.low / 2) / range.half(), 0.0, 1.0) : 0;
}

/// A byte per row, between the ends of a range.
template <class Value>
std::string codes_of(const std::vector<Index>& rows, const Interval& range, Value&& value) {
  std::vector<std::uint8_t> codes;
  codes.reserve(rows.size());
  for (const Index i : rows)
    codes.push_back(static_cast<std::uint8_t>(std::lround(kTop * share_within(range, value(i)))));
  return base64(codes);
}

/// A measure of every point, map by map; null where not all points were measured. `each(i)` are the values of map i.
template <class Each>
Json quality_coloring(const std::string& name, std::size_t maps, const std::vector<Index>& rows, Each&& each) {
  constexpr double kLeftOut = 0.02;  // the scale does not reach to the few worst points
  std::vector<double> all;
  for (std::size_t i = 0; i < maps; ++i) all.insert(all.end(), each(i).begin(), each(i).end());
  if (all.empty()) return nullptr;
  const Interval range{window_of(all, kLeftOut).low, *std::max_element(all.begin(), all.end())};
  std::vector<Json> codes;
  for (std::size_t i = 0; i < maps; ++i) {
    const std::vector<double>& values = each(i);
    codes.push_back(values.empty() ? Json(nullptr) : Json(codes_of(rows, range, [&](Index row) {
      return values[static_cast<std::size_t>(row)];
    })));
  }
  return JsonObject{{"name", name}, {"low", range.low}, {"high", range.high}, {"at", codes}};
}

}  // namespace

Json label_coloring(const std::string& name, const std::vector<std::string>& labels, const std::vector<Index>& rows) {
  std::vector<std::string> shown = shown_labels(labels);
  std::map<std::string, std::uint8_t> code;
  for (std::size_t i = 0; i < shown.size(); ++i) code[shown[i]] = static_cast<std::uint8_t>(i);
  const auto other = static_cast<std::uint8_t>(shown.size());
  std::vector<std::uint8_t> codes;
  bool others = false;
  for (const Index i : rows) {
    const std::string& label = labels[static_cast<std::size_t>(i)];
    const auto found = code.find(label);
    codes.push_back(label.empty() ? kUnknown : found != code.end() ? found->second : other);
    others = others || codes.back() == other;
  }
  if (others) shown.push_back(name_of_rest(shown));
  return JsonObject{{"name", name}, {"labels", shown}, {"at", base64(codes)}};
}

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
  if (!section.numbers.empty())
    all.push_back(number_coloring(section.label_name, rows,
                                  [&](Index i) { return section.numbers[static_cast<std::size_t>(i)]; }));
  for (const ComparedMethod& method : comparison.methods)
    if (all.empty() && method.coordinates.rows() > 0)
      all.push_back(number_coloring(method.label + " 0", rows, [&](Index i) { return method.coordinates(i, 0); }));
  if (all.empty() && can_be_seen(section.points))
    section.points.visit([&](auto points) {
      all.push_back(number_coloring("feature 1", rows, [&](Index i) { return static_cast<double>(points(i, 0)); }));
    });
  return all;
}

std::vector<Json> quality_colorings(const Comparison& comparison, const std::vector<Index>& rows) {
  static const std::vector<double> no_values;
  std::vector<Json> all;
  const auto add = [&](const std::string& name, const auto& measure) {
    Json coloring = quality_coloring(
        name, comparison.methods.size(), rows, [&](std::size_t i) -> const auto& {
          const NeighborhoodMeasure* found = measure(i);
          return found != nullptr ? found->per_point : no_values;
        });
    if (coloring.text() != "null") all.push_back(std::move(coloring));
  };
  const auto quality = [&](std::size_t i) -> const Quality* {
    const auto& measured = comparison.methods[i].quality;
    return measured ? &*measured : nullptr;
  };
  add("trustworthiness of each point",
      [&](std::size_t i) { return quality(i) ? &quality(i)->trustworthiness : nullptr; });
  add("continuity of each point", [&](std::size_t i) { return quality(i) ? &quality(i)->continuity : nullptr; });
  if (comparison.curves)
    add("R_NX area of each point", [&](std::size_t i) {
      const auto& area = comparison.curves->area[i];
      return area ? &*area : nullptr;
    });
  return all;
}

Json features_json(const PageSection& section, const std::vector<Index>& rows) {
  const PointsView points = section.points;
  const Index cols = points.cols();
  const bool are_images = section.image_rows > 0 && std::ssize(rows) * cols <= kMostPixels;
  if (points.rows() == 0 || points.is_sparse() || (cols > kMostFeatures && !are_images)) return nullptr;
  std::vector<double> low, high;
  std::vector<std::uint8_t> codes(rows.size() * static_cast<std::size_t>(cols));
  points.visit([&](auto x) {
    for (Index j = 0; j < cols; ++j) {
      const Interval range = interval_of(rows, [&](Index i) { return static_cast<double>(x(i, j)); });
      low.push_back(range.low);
      high.push_back(range.high);
      for (std::size_t i = 0; i < rows.size(); ++i)
        codes[i * static_cast<std::size_t>(cols) + static_cast<std::size_t>(j)] =
            static_cast<std::uint8_t>(std::lround(255 * share_within(range, static_cast<double>(x(rows[i], j)))));
    }
  });
  return JsonObject{
      {"columns", cols},
      {"names", section.feature_names.empty() ? Json(nullptr) : Json(section.feature_names)},
      {"low", low},
      {"high", high},
      {"at", base64(codes)},
      {"image",
       are_images ? Json(std::vector<std::int64_t>{section.image_rows, cols / section.image_rows}) : Json(nullptr)}};
}

}  // namespace unroll
