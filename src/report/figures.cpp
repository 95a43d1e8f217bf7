#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unroll/report/comparison.h"

namespace unroll {
namespace {

/// The smallest value that is not NaN.
std::optional<double> worst(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return std::nullopt;
  return *std::min_element(values.begin(), values.end());
}

/// A column with the value of every method that did not fail.
template <class Value>
Figure column(Figure words, const Comparison& comparison, Value&& value) {
  for (const ComparedMethod& method : comparison.methods)
    words.values.push_back(method.error ? std::nullopt : std::optional<double>(value(method)));
  return words;
}

/// The same for a measure of quality.
template <class Value>
Figure measure(Figure words, const Comparison& comparison, Value&& value) {
  return column(std::move(words), comparison, [&](const ComparedMethod& method) {
    return method.quality ? value(*method.quality) : std::optional<double>();
  });
}

}  // namespace

std::string Figure::text(std::size_t method) const {
  const std::optional<double> value = values[method];
  if (!value) return "";
  const double unit = std::pow(10.0, -decimals);
  if (*value > 0 && *value < unit / 2) return fmt::format("<{:.{}f}", unit, decimals);
  return fmt::format("{:.{}f}", *value, decimals);
}

std::optional<double> Figure::best() const {
  std::vector<double> known;
  for (const auto& value : values)
    if (value) known.push_back(*value);
  if (known.size() < 2) return std::nullopt;
  const auto [least, most] = std::minmax_element(known.begin(), known.end());
  return more_is_better ? *most : *least;
}

std::vector<Figure> figures(const Comparison& comparison) {
  using Number = std::optional<double>;
  std::vector<Figure> all;
  all.push_back(column({.name = "seconds",
                        .title = "seconds",
                        .heading = "seconds",
                        .meaning = "time of the fit",
                        .decimals = 3,
                        .more_is_better = false},
                       comparison, [](const ComparedMethod& method) { return Number(method.seconds); }));
  all.push_back(measure({.name = "trustworthiness",
                         .title = "trust",
                         .heading = "trust",
                         .meaning = "trustworthiness: are neighbors in the map neighbors in the data? 1 is best"},
                        comparison, [](const Quality& quality) { return Number(quality.trustworthiness.value); }));
  all.push_back(measure({.name = "continuity",
                         .title = "continuity",
                         .heading = "contin.",
                         .meaning = "are neighbors in the data neighbors in the map? 1 is best"},
                        comparison, [](const Quality& quality) { return Number(quality.continuity.value); }));
  all.push_back(measure(
      {.name = "label_accuracy",
       .title = "label acc.",
       .heading = "labels",
       .meaning = "share of points whose label is that of most of their neighbors in the map"},
      comparison, [](const Quality& quality) { return quality.labels ? Number(quality.labels->accuracy) : Number(); }));
  all.push_back(measure({.name = "true_distance_pearson",
                         .title = "distance r",
                         .heading = "dist. r",
                         .meaning = "correlation of the distances in the map with the true ones"},
                        comparison, [](const Quality& quality) {
                          return quality.truth ? Number(quality.truth->distance_correlation.pearson.value) : Number();
                        }));
  all.push_back(measure(
      {.name = "affine_r2",
       .title = "affine R\u00b2",
       .heading = "aff. R2",
       .meaning =
           "share of the variance of a true coordinate, the worst one, that an affine image of the map explains"},
      comparison, [](const Quality& quality) { return quality.truth ? worst(quality.truth->affine_r2) : Number(); }));
  all.push_back(column({.name = "conductance",
                        .title = "conductance",
                        .heading = "conduct.",
                        .meaning = "weight of the edges that leave a cluster, the worst one, over that of all it has",
                        .more_is_better = false},
                       comparison, [](const ComparedMethod& method) { return method.conductance; }));
  all.push_back(column({.name = "adjusted_rand_index",
                        .title = "Rand index",
                        .heading = "Rand",
                        .meaning = "agreement of the clusters with the labels, adjusted: 1 is perfect, 0 is chance"},
                       comparison, [](const ComparedMethod& method) { return method.rand_index; }));
  std::erase_if(all, [](const Figure& figure) {
    return figure.name != "seconds" && std::none_of(figure.values.begin(), figure.values.end(),
                                                    [](const auto& value) { return value.has_value(); });
  });
  return all;
}

}  // namespace unroll
