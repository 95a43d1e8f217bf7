#include "quality_report.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace unroll::cli {
namespace {

void add(OptionValues& values, const std::string& name, const NeighborhoodMeasure& measure) {
  if (measure.sample == 0) return;
  values.push_back({name, measure.value});
  if (!measure.per_point.empty()) return;  // measured on all points
  values.push_back({name + "_95", std::vector{measure.low, measure.high}});
  values.push_back({name + "_sampled_points", std::int64_t{measure.sample}});
}

void add(OptionValues& values, const CoRanking& ranking) {
  if (ranking.area.sample == 0) return;
  add(values, "r_nx_area", ranking.area);
  values.push_back({"q_local", ranking.q_local});
  values.push_back({"q_global", ranking.q_global});
  values.push_back({"k_max", std::int64_t{ranking.k_max}});
}

void add(OptionValues& values, const std::string& name, const Estimate& estimate, bool exact) {
  values.push_back({name, estimate.value});
  if (!exact) values.push_back({name + "_95", std::vector{estimate.low, estimate.high}});
}

void add(OptionValues& values, const Stress& stress) {
  if (stress.pairs == 0) return;
  add(values, "stress_1", stress.stress_1, stress.exact);
  values.push_back({"stress_scale", stress.scale});
  add(values, "normalized_stress", stress.normalized, stress.exact);
  add(values, "raw_stress", stress.raw, stress.exact);
}

void add(OptionValues& values, const std::string& prefix, const DistanceCorrelation& correlation) {
  if (correlation.pairs == 0) return;
  values.push_back({prefix + "_pearson", correlation.pearson.value});
  values.push_back({prefix + "_spearman", correlation.spearman.value});
  if (correlation.exact) return;
  values.push_back({prefix + "_pearson_95", std::vector{correlation.pearson.low, correlation.pearson.high}});
  values.push_back({prefix + "_spearman_95", std::vector{correlation.spearman.low, correlation.spearman.high}});
  values.push_back({prefix + "_sampled_pairs", std::int64_t{correlation.pairs}});
}

}  // namespace

OptionValues quality_values(const Quality& quality) {
  OptionValues values;
  add(values, "trustworthiness", quality.trustworthiness);
  add(values, "continuity", quality.continuity);
  add(values, "neighbor_preservation", quality.neighbor_preservation);
  if (quality.recall < 1) values.push_back({"neighbors_recall", quality.recall});
  add(values, quality.co_ranking);
  add(values, "distance", quality.distance_correlation);
  if (quality.distance_correlation.pairs > 0)
    add(values, "residual_variance", quality.distance_correlation.residual_variance,
        quality.distance_correlation.exact);
  add(values, quality.stress);
  if (quality.labels) {
    values.push_back({"label_accuracy", quality.labels->accuracy});
    values.push_back({"label_accuracy_high", quality.labels->accuracy_high});
  }
  if (quality.truth) {
    values.push_back({"affine_r2", quality.truth->affine_r2});
    if (quality.truth->procrustes) values.push_back({"procrustes", *quality.truth->procrustes});
    add(values, "true_distance", quality.truth->distance_correlation);
  }
  return values;
}

OptionValues curve_values(const Quality& quality) {
  constexpr Index kPoints = 100;
  const std::vector<double>& curve = quality.co_ranking.r_nx;
  std::vector<double> values;
  const std::vector<Index> ranks = curve.empty() ? std::vector<Index>() : log_spaced_ranks(std::ssize(curve), kPoints);
  for (const Index k : ranks) values.push_back(curve[static_cast<std::size_t>(k) - 1]);
  return {{"k", ranks}, {"r_nx", values}};
}

std::optional<QualityOptions> quality_options_of(const Model& model, Index n) {
  constexpr std::array<std::string_view, 3> kShared{"metric", "p", "scale"};
  OptionValues shared;
  for (const auto& option : model.options())
    if (std::find(kShared.begin(), kShared.end(), option.name) != kShared.end() &&
        !std::holds_alternative<std::monostate>(option.value))
      shared.push_back(option);
  auto options = make_options<QualityOptions>(shared, "quality");
  options.n_neighbors = std::min<std::int64_t>(options.n_neighbors, (n - 1) / 2);
  if (options.n_neighbors < 1) return std::nullopt;
  return options;
}

}  // namespace unroll::cli
