#include "report/page_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/json.h"
#include "core/option_json.h"
#include "core/random.h"
#include "report/interval.h"
#include "report/page_colorings.h"
#include "report/page_maps.h"
#include "report/page_text.h"

namespace unroll {
namespace {

std::vector<Index> drawn_rows(Index n, Index most) {
  if (n > most) return Random(0, "page.rows").sample(n, most);
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

double coordinate(const Array2<double>& map, Index i, Index axis) { return axis < map.cols() ? map(i, axis) : 0; }

/// What maps are turned to: the truth, or the first map.
MapReference reference_of(const Comparison& comparison, const PageSection& section, const std::vector<Index>& rows,
                          bool turned) {
  if (turned && section.truth.rows() > 0) return map_reference(section.truth, rows);
  for (const ComparedMethod& method : comparison.methods)
    if (method.coordinates.rows() > 0) return map_reference(method.coordinates, rows);
  return {};
}

Json map_json(const Array2<double>& map, const MapReference& reference, const std::vector<Index>& rows) {
  if (map.rows() == 0) return nullptr;
  const DrawnMap drawn = drawn_map(map, reference, rows);
  return JsonObject{{"at", base64(drawn.at)},
                    {"center", std::vector<double>(drawn.center.begin(), drawn.center.end())},
                    {"half", drawn.half},
                    {"turn", std::vector<double>(drawn.turn.begin(), drawn.turn.end())}};
}

Json original_json(PointsView points, const std::vector<Index>& rows) {
  if (!can_be_seen(points)) return nullptr;
  return JsonObject{{"columns", points.cols()}, {"at", base64(drawn_points(points, rows))}};
}

std::vector<std::string> as_words(const std::vector<std::int64_t>& numbers) {
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (const std::int64_t number : numbers) words.push_back(fmt::format("{}", number));
  return words;
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

/// What is said of the methods beside their maps.
std::vector<Json> methods_json(const Comparison& comparison, const PageSection& section) {
  const std::vector<bool> worthless = worthless_maps(comparison);
  std::vector<Json> all;
  for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
    const ComparedMethod& method = comparison.methods[i];
    all.push_back(JsonObject{{"label", method.label},
                             {"name", method.name},
                             {"title", method.title},
                             {"options", option_json(method.options)},
                             {"eigenvalues", method.eigenvalues},
                             {"coordinates", method.coordinates.cols()},
                             {"failed", method.error.has_value()},
                             {"worthless", static_cast<bool>(worthless[i])},
                             {"reading", section.reading.empty() ? std::vector<std::string>() : section.reading[i]}});
  }
  return all;
}

Json optional_json(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

/// The columns of the table.
std::vector<Json> figures_json(const Comparison& comparison) {
  std::vector<Json> all;
  for (const Figure& figure : page_figures(comparison)) {
    std::vector<Json> values;
    for (const auto& value : figure.values) values.push_back(optional_json(value));
    all.push_back(JsonObject{{"name", figure.name},
                             {"title", figure.title},
                             {"meaning", figure.meaning},
                             {"values", values},
                             {"random", optional_json(figure.random)}});
  }
  return all;
}

Json curves_json(const Comparison& comparison) {
  if (!comparison.curves) return nullptr;
  std::vector<Json> values;
  for (const std::vector<double>& curve : comparison.curves->r_nx)
    values.push_back(curve.empty() ? Json(nullptr) : Json(curve));
  return JsonObject{{"k", comparison.curves->k}, {"values", values}};
}

/// What every method's figure shows; clusters add the coloring by themselves.
std::vector<std::optional<Panel>> panels_of(const Comparison& comparison, const std::vector<Index>& rows,
                                            std::vector<Json>& colorings) {
  std::vector<std::optional<Panel>> panels;
  for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
    const ComparedMethod& method = comparison.methods[i];
    if (method.coordinates.rows() == 0) {
      panels.emplace_back();
    } else if (method.clusters.empty()) {
      panels.emplace_back(Panel{.map = i});
    } else {
      panels.emplace_back(Panel{.map = stage_for_clusters(comparison, i), .coloring = colorings.size()});
      colorings.push_back(label_coloring(method.label, as_words(method.clusters), rows));
    }
  }
  return panels;
}

}  // namespace

std::vector<Figure> page_figures(const Comparison& comparison) {
  std::vector<Figure> all = figures(comparison);
  const auto after = std::find_if(all.begin(), all.end(), [](const Figure& each) { return each.name == "continuity"; });
  if (comparison.curves && after != all.end()) all.insert(after + 1, area_figure(comparison));
  return all;
}

bool can_be_seen(PointsView points) { return points.rows() > 0 && (points.cols() == 2 || points.cols() == 3); }

PagePoints page_points(const Comparison& comparison, const PageSection& section, bool turned) {
  PagePoints result{.rows = drawn_rows(comparison.n_points, std::max<Index>(section.max_drawn, 1))};
  const std::vector<Index>& rows = result.rows;
  std::vector<Json> colorings = known_colorings(comparison, section, rows), maps;
  result.panels = panels_of(comparison, rows, colorings);
  const MapReference reference = reference_of(comparison, section, rows, turned);
  for (const ComparedMethod& method : comparison.methods) maps.push_back(map_json(method.coordinates, reference, rows));
  std::vector<std::string> names;
  if (!section.row_names.empty())
    for (const Index i : rows) names.push_back(section.row_names[static_cast<std::size_t>(i)]);
  const bool all = std::ssize(rows) == comparison.n_points;
  const JsonObject json{{"count", rows.size()},
                        {"rows", all ? Json(nullptr) : Json(rows)},
                        {"names", names.empty() ? Json(nullptr) : Json(names)},
                        {"original", original_json(section.points, rows)},
                        {"features", features_json(section, rows)},
                        {"maps", maps},
                        {"colorings", colorings},
                        {"qualities", quality_colorings(comparison, rows)},
                        {"methods", methods_json(comparison, section)},
                        {"figures", figures_json(comparison)},
                        {"curves", curves_json(comparison)}};
  result.json = json.text();
  return result;
}

}  // namespace unroll
