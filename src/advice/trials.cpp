#include "advice/trials.h"

#include <algorithm>
#include <array>
#include <utility>

#include "report/method_list.h"
#include "unroll/quality/co_ranking.h"

namespace unroll {
namespace {

constexpr std::array<std::string_view, 2> kSizes{"n_neighbors", "perplexity"};
/// Areas that differ by less are equal; the simpler method is then taken.
constexpr double kTie = 0.003;

bool has_option(const Method& method, std::string_view name) {
  return std::any_of(method.options.begin(), method.options.end(),
                     [&](const OptionInfo& info) { return info.name == name; });
}

std::optional<double> number_of(const OptionValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* list = std::get_if<std::vector<double>>(&value); list != nullptr && list->size() == 1)
    return list->front();
  return std::nullopt;
}

}  // namespace

std::string_view size_option(const Method& method) {
  for (const std::string_view name : kSizes)
    if (has_option(method, name)) return name;
  return {};
}

std::optional<double> size_of(const ComparedMethod& run) {
  const Method& method = find_method(run.name);
  const std::string_view name = size_option(method);
  for (const auto& [option, value] : run.options)
    if (option == name) return number_of(value);
  for (const OptionInfo& info : method.options)
    if (info.name == name) return number_of(info.default_value);
  return std::nullopt;
}

std::size_t best_of(const std::vector<TriedMap>& maps) {
  double largest = -1;
  for (const TriedMap& map : maps) largest = std::max(largest, map.area.value_or(-1));
  std::size_t best = maps.size();
  const auto is_simple = [&](std::size_t i) { return !find_method(maps[i].run.name).is_optimized; };
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (!maps[i].area || *maps[i].area < largest - kTie) continue;
    const bool is_first = best == maps.size() || (is_simple(i) && !is_simple(best));
    const bool is_better = !is_first && is_simple(i) == is_simple(best) && *maps[i].area > *maps[best].area;
    if (is_first || is_better) best = i;
  }
  return best;
}

std::size_t Trials::find(std::string_view label) const {
  const auto found =
      std::find_if(maps_.begin(), maps_.end(), [&](const TriedMap& map) { return map.run.label == label; });
  return static_cast<std::size_t>(found - maps_.begin());
}

void Trials::add(const std::vector<std::string>& methods) {
  std::vector<std::string> missing;
  for (const ListedMethod& listed : listed_methods(methods))
    if (find(listed.text()) == maps_.size()) missing.push_back(listed.text());
  if (missing.empty()) return;
  const ComparisonOptions options{.methods = missing,
                                  .n_components = options_.n_components,
                                  .metric = options_.metric,
                                  .p = options_.p,
                                  .max_points = options_.max_points,
                                  .random_state = options_.random_state};
  Comparison compared = compare(points_, {}, options, run_);
  const std::size_t first = maps_.size();
  for (ComparedMethod& run : compared.methods) {
    if (!run.clusters.empty()) continue;
    maps_.push_back({.run = std::move(run)});
    maps_.back().size = size_of(maps_.back().run);
  }
  measure(first);
}

QualityOptions Trials::measures() const {
  return {.metric = options_.metric, .p = options_.p, .random_state = options_.random_state};
}

void Trials::measure(std::size_t first) {
  std::vector<PointsView> maps;
  for (std::size_t i = first; i < maps_.size(); ++i)
    if (!maps_[i].run.error) maps.emplace_back(maps_[i].run.coordinates);
  if (maps.empty()) return;
  const std::vector<CoRanking> measured = co_rankings(points_, maps, measures(), run_);
  auto next = measured.begin();
  for (std::size_t i = first; i < maps_.size(); ++i)
    if (!maps_[i].run.error) maps_[i].area = (next++)->area.value;
}

std::vector<double> Trials::agreement(std::size_t map, const std::vector<std::size_t>& others) const {
  std::vector<PointsView> views;
  for (const std::size_t other : others) views.emplace_back(maps_[other].run.coordinates);
  std::vector<double> result;
  if (views.empty()) return result;
  for (const CoRanking& measured : co_rankings(maps_[map].run.coordinates, views, {}, run_))
    result.push_back(measured.area.value);
  return result;
}

}  // namespace unroll
