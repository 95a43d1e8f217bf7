#include "unroll/report/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "quality/neighborhoods.h"

namespace unroll {
namespace {

/// A number and half of its 95 % interval, for points that are taken as a sample of more of their kind.
struct Measured {
  std::optional<double> value = {};
  double uncertainty = 0;
};

double half_interval(double variance, Index points) {
  return kNormal95 * std::sqrt(variance / static_cast<double>(points));
}

/// A mean over points. The interval that comes with a sample is for the mean over all points, which lets the interval
/// vanish as the sample grows to all: s^2 / m (1 - m / n).
Measured mean_of(const NeighborhoodMeasure& measure, Index n) {
  const std::vector<double>& each = measure.per_point;
  if (each.empty()) {
    if (measure.sample >= n) return {measure.value};
    const double left = 1 - static_cast<double>(measure.sample) / static_cast<double>(n);
    return {measure.value, (measure.high - measure.low) / 2 / std::sqrt(left)};
  }
  const double squares = std::accumulate(each.begin(), each.end(), 0.0, [&](double sum, double x) {
    return sum + (x - measure.value) * (x - measure.value);
  });
  return {measure.value, half_interval(squares / static_cast<double>(each.size()), n)};
}

/// A share of the points.
Measured share_of(double share, Index n) {
  const double p = std::clamp(share, 0.0, 1.0);
  return {share, half_interval(p * (1 - p), n)};
}

/// A correlation of distances: not surer than one of n independent pairs, whose variance is (1 - r^2)^2 / n.
Measured correlation_of(const Correlation& correlation, Index n) {
  const double r = correlation.value;
  if (std::isnan(r)) return {};
  return {r, std::max(half_interval((1 - r * r) * (1 - r * r), n), (correlation.high - correlation.low) / 2)};
}

/// The smallest R^2 that is not NaN. Its variance is 4 R^2 (1 - R^2)^2 / n (Wishart 1931).
Measured worst_r2(std::vector<double> values, Index n) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return {};
  const double r2 = std::max(0.0, *std::min_element(values.begin(), values.end()));
  return {r2, half_interval(4 * r2 * (1 - r2) * (1 - r2), n)};
}

/// A column with the value of every method that did not fail.
template <class Value>
Figure column(Figure words, const Comparison& comparison, Value&& value) {
  for (const ComparedMethod& method : comparison.methods) {
    const Measured measured = method.error ? Measured() : value(method);
    words.values.push_back(measured.value);
    words.uncertainty.push_back(measured.uncertainty);
  }
  return words;
}

/// The same for a measure of quality.
template <class Value>
Figure measure(Figure words, const Comparison& comparison, Value&& value) {
  if (comparison.random) words.random = value(*comparison.random).value;
  return column(std::move(words), comparison,
                [&](const ComparedMethod& method) { return method.quality ? value(*method.quality) : Measured(); });
}

std::vector<Figure> figures_of_maps(const Comparison& comparison) {
  const Index n = comparison.n_points;
  std::vector<Figure> all;
  all.push_back(measure({.name = "trustworthiness",
                         .title = "trust",
                         .heading = "trust",
                         .meaning = "trustworthiness: are neighbors in the map neighbors in the data? 1 is best"},
                        comparison, [&](const Quality& quality) { return mean_of(quality.trustworthiness, n); }));
  all.push_back(measure({.name = "continuity",
                         .title = "continuity",
                         .heading = "contin.",
                         .meaning = "are neighbors in the data neighbors in the map? 1 is best"},
                        comparison, [&](const Quality& quality) { return mean_of(quality.continuity, n); }));
  all.push_back(measure({.name = "label_accuracy",
                         .title = "label acc.",
                         .heading = "labels",
                         .meaning = "share of points whose label is that of most of their neighbors in the map"},
                        comparison, [&](const Quality& quality) {
                          return quality.labels ? share_of(quality.labels->accuracy, n) : Measured();
                        }));
  if (comparison.random && comparison.random->labels) all.back().data = comparison.random->labels->accuracy_high;
  all.push_back(measure({.name = "true_distance_pearson",
                         .title = "distance r",
                         .heading = "dist. r",
                         .meaning = "correlation of the distances in the map with the true ones"},
                        comparison, [&](const Quality& quality) {
                          return quality.truth ? correlation_of(quality.truth->distance_correlation.pearson, n)
                                               : Measured();
                        }));
  all.push_back(measure(
      {.name = "affine_r2",
       .title = "affine R\u00b2",
       .heading = "aff. R2",
       .meaning =
           "share of the variance of a true coordinate, the worst one, that an affine image of the map explains"},
      comparison,
      [&](const Quality& quality) { return quality.truth ? worst_r2(quality.truth->affine_r2, n) : Measured(); }));
  return all;
}

std::vector<Figure> figures_of_clusters(const Comparison& comparison) {
  std::vector<Figure> all;
  all.push_back(column(
      {.name = "conductance",
       .title = "conductance",
       .heading = "conduct.",
       .meaning = "weight of the edges that leave a cluster, the worst one, over that of all it has, among near points",
       .more_is_better = false},
      comparison, [](const ComparedMethod& method) { return Measured{method.conductance}; }));
  all.push_back(column({.name = "adjusted_rand_index",
                        .title = "Rand index",
                        .heading = "Rand",
                        .meaning = "agreement of the clusters with the labels, adjusted: 1 is perfect, 0 is chance"},
                       comparison, [&](const ComparedMethod& method) {
                         return method.rand_index ? share_of(*method.rand_index, comparison.n_points) : Measured();
                       }));
  return all;
}

}  // namespace

std::string Figure::text(std::optional<double> value) const {
  if (!value) return "";
  const double unit = std::pow(10.0, -decimals);
  if (*value > 0 && *value < unit / 2) return fmt::format("<{:.{}f}", unit, decimals);
  return fmt::format("{:.{}f}", *value, decimals);
}

bool Figure::is_best(std::size_t method) const {
  if (!can_be_best || !values[method]) return false;
  if (random && *values[method] - *random < kWorthSomething * (1 - *random)) return false;
  const auto lead = [&](std::size_t i) { return (more_is_better ? 1 : -1) * (*values[method] - *values[i]); };
  bool is_ahead = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    const double noise = std::hypot(uncertainty[method], uncertainty[i]);
    if (lead(i) < -noise) return false;
    is_ahead = is_ahead || lead(i) > noise;
  }
  return is_ahead;
}

std::vector<Figure> figures(const Comparison& comparison, bool with_empty) {
  std::vector<Figure> all{column({.name = "seconds",
                                  .title = "seconds",
                                  .heading = "seconds",
                                  .meaning = "time of the fit",
                                  .decimals = 3,
                                  .more_is_better = false,
                                  .can_be_best = false},
                                 comparison, [](const ComparedMethod& method) { return Measured{method.seconds}; })};
  for (std::vector<Figure> more : {figures_of_maps(comparison), figures_of_clusters(comparison)})
    std::move(more.begin(), more.end(), std::back_inserter(all));
  if (with_empty) return all;
  std::erase_if(all, [](const Figure& figure) {
    return figure.name != "seconds" && std::none_of(figure.values.begin(), figure.values.end(),
                                                    [](const auto& value) { return value.has_value(); });
  });
  return all;
}

Figure area_figure(const Comparison& comparison) {
  Figure area{.name = "r_nx_area",
              .title = "R_NX area",
              .heading = "R_NX",
              .meaning = "neighborhoods of all sizes that are kept, above chance; 1 is best, 0 is chance",
              .random = 0};
  if (!comparison.curves) return area;
  for (const auto& measure : comparison.curves->area) {
    const Measured measured = measure ? mean_of(*measure, comparison.n_points) : Measured();
    area.values.push_back(measured.value);
    area.uncertainty.push_back(measured.uncertainty);
  }
  return area;
}

}  // namespace unroll
