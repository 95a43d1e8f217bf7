#include "unroll/advice/page_advice.h"

#include "advice/advice_words.h"
#include "advice/graph_study.h"
#include "advice/trials.h"
#include "core/reported_as.h"
#include "data/feature_scaler.h"
#include "unroll/report/figures.h"

namespace unroll {
namespace {

constexpr Index kFewestStudied = 20, kMostStudied = 5000;

/// All that is said of a method, without its map.
ComparedMethod in_short(const ComparedMethod& method) {
  return {.name = method.name,
          .label = method.label,
          .title = method.title,
          .options = method.options,
          .seconds = method.seconds,
          .warnings = method.warnings,
          .error = method.error};
}

std::optional<double> area_of(const Comparison& comparison, std::size_t method) {
  const auto& area = comparison.curves->area[method];
  return area ? std::optional(area->value) : std::nullopt;
}

}  // namespace

void add_advice(PageSection& section, PointsView points, const Comparison& comparison, const ComparisonOptions& asked,
                const Run& run) {
  reported_as(ComparisonOptions::method_name, [&] {
    if (!comparison.curves) return;
    const AdviceOptions options{.n_components = asked.n_components,
                                .metric = asked.metric,
                                .p = asked.p,
                                .scale = asked.scale,
                                .random_state = asked.random_state};
    Advice advice{.n_points = comparison.n_points, .sample = comparison.n_points};
    const std::vector<bool> worthless = worthless_maps(comparison);  // never recommended
    for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
      TriedMap map{.run = in_short(comparison.methods[i])};
      if (!worthless[i]) map.area = area_of(comparison, i);
      map.size = size_of(map.run);
      advice.tried.push_back(std::move(map));
    }
    advice.best = best_of(advice.tried);
    if (advice.best == advice.tried.size()) return;
    advice.tried[advice.best].run.coordinates = comparison.methods[advice.best].coordinates;
    if (points.rows() >= kFewestStudied && points.rows() <= kMostStudied && !points.is_sparse()) {
      const ScaledPoints scaled(points, asked.scale, run);
      study_graphs(scaled.view(), options, run, advice);
    }
    put_in_words(options, run, advice);
    std::vector<std::vector<std::string>> reading;
    for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
      const std::optional<double> area = area_of(comparison, i);
      reading.push_back(area ? reading_aids(comparison.methods[i], *area, run) : std::vector<std::string>());
    }
    section.advised = advice.tried[advice.best].run.label;
    section.advice = std::move(advice.evidence);
    section.reading = std::move(reading);
  });
}

}  // namespace unroll
