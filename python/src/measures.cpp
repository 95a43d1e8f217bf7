#include <optional>
#include <string>
#include <utility>

#include "convert.h"
#include "unroll/core/option_field.h"
#include "unroll/quality/quality.h"
#include "unroll/report/comparison.h"
#include "unroll/report/figures.h"
#include "unroll/report/page.h"

/// How good maps are: measures of one, and several side by side.
namespace unroll::python {
namespace {

py::dict measure_dict(NeighborhoodMeasure measure) {
  return py::dict(py::arg("value") = measure.value, py::arg("low") = measure.low, py::arg("high") = measure.high,
                  py::arg("sample") = measure.sample, py::arg("per_point") = to_array(std::move(measure.per_point)));
}

py::dict estimate_dict(const Estimate& estimate) {
  return py::dict(py::arg("value") = estimate.value, py::arg("low") = estimate.low, py::arg("high") = estimate.high);
}

py::dict correlation_dict(const DistanceCorrelation& correlation) {
  const auto interval = [](const Correlation& of) { return py::make_tuple(of.low, of.high); };
  return py::dict(py::arg("pearson") = correlation.pearson.value, py::arg("spearman") = correlation.spearman.value,
                  py::arg("residual_variance") = correlation.residual_variance.value,
                  py::arg("pearson_interval") = interval(correlation.pearson),
                  py::arg("spearman_interval") = interval(correlation.spearman),
                  py::arg("residual_variance_interval") = interval(correlation.residual_variance),
                  py::arg("pairs") = correlation.pairs, py::arg("exact") = correlation.exact);
}

py::dict stress_dict(const Stress& stress) {
  return py::dict(py::arg("stress_1") = estimate_dict(stress.stress_1), py::arg("scale") = stress.scale,
                  py::arg("normalized") = estimate_dict(stress.normalized), py::arg("raw") = estimate_dict(stress.raw),
                  py::arg("pairs") = stress.pairs, py::arg("exact") = stress.exact);
}

/// The curves at ranks that are nearly equally spaced in log K.
py::dict co_ranking_dict(CoRanking ranking) {
  constexpr Index kPoints = 100;
  const std::vector<Index> ranks = log_spaced_ranks(std::ssize(ranking.r_nx), kPoints);
  std::vector<double> q, r;
  for (const Index k : ranks) {
    q.push_back(ranking.q_nx[static_cast<std::size_t>(k) - 1]);
    r.push_back(ranking.r_nx[static_cast<std::size_t>(k) - 1]);
  }
  return py::dict(py::arg("area") = measure_dict(std::move(ranking.area)), py::arg("k") = to_array(ranks),
                  py::arg("q_nx") = to_array(std::move(q)), py::arg("r_nx") = to_array(std::move(r)),
                  py::arg("k_max") = ranking.k_max, py::arg("q_local") = ranking.q_local,
                  py::arg("q_global") = ranking.q_global);
}

py::dict quality_dict(Quality quality) {
  py::dict result(py::arg("recall") = quality.recall, py::arg("warnings") = to_list(quality.warnings));
  const auto add = [&](const char* name, NeighborhoodMeasure& measure) {
    if (measure.sample > 0) result[name] = measure_dict(std::move(measure));
  };
  add("trustworthiness", quality.trustworthiness);
  add("continuity", quality.continuity);
  add("neighbor_preservation", quality.neighbor_preservation);
  if (quality.co_ranking.area.sample > 0) result["co_ranking"] = co_ranking_dict(std::move(quality.co_ranking));
  if (quality.stress.pairs > 0) result["stress"] = stress_dict(quality.stress);
  if (quality.distance_correlation.pairs > 0)
    result["distance_correlation"] = correlation_dict(quality.distance_correlation);
  if (quality.truth) {
    py::dict truth(py::arg("affine_r2") = to_array(quality.truth->affine_r2),
                   py::arg("distance_correlation") = correlation_dict(quality.truth->distance_correlation));
    truth["procrustes"] = quality.truth->procrustes ? py::object(py::float_(*quality.truth->procrustes)) : py::none();
    result["truth"] = truth;
  }
  if (quality.labels)
    result["labels"] = py::dict(py::arg("accuracy") = quality.labels->accuracy,
                                py::arg("accuracy_high") = quality.labels->accuracy_high);
  return result;
}

GroundTruth truth_of(const py::object& coordinates, const py::object& labels) {
  GroundTruth known;
  if (!coordinates.is_none()) known.coordinates = points_of(coordinates.cast<py::array>());
  if (!labels.is_none()) known.labels = integers_of(labels.cast<py::array_t<std::int64_t>>());
  return known;
}

py::dict quality_of(const py::array& high, const py::array& low, const py::object& truth, const py::object& labels,
                    const py::dict& options, int threads) {
  const auto settings = read_options<QualityOptions>(options);
  const PointsView points = points_of(high), map = points_of(low);
  const GroundTruth known = truth_of(truth, labels);
  Quality measured;
  compute({threads}, [&](const Run& run) { measured = quality(points, map, known, settings, run); });
  return quality_dict(std::move(measured));
}

py::array shepard_of(const py::array& high, const py::array& low, Index count, const py::dict& options, int threads) {
  const auto settings = read_options<QualityOptions>(options);
  const PointsView points = points_of(high), map = points_of(low);
  Array2<double> pairs;
  compute({threads}, [&](const Run& run) { pairs = shepard_pairs(points, map, count, settings, run); });
  return to_array(std::move(pairs));
}

py::array point_stress_of(const py::array& high, const py::array& low, const py::dict& options, int threads) {
  const auto settings = read_options<QualityOptions>(options);
  const PointsView points = points_of(high), map = points_of(low);
  std::vector<double> stress;
  compute({threads}, [&](const Run& run) { stress = point_stress(points, map, settings, run); });
  return to_array(std::move(stress));
}

py::list compared_methods(const Comparison& comparison) {
  py::list rows;
  for (const ComparedMethod& method : comparison.methods)
    rows.append(py::dict(py::arg("name") = method.name, py::arg("label") = method.label,
                         py::arg("title") = method.title, py::arg("options") = to_dict(method.options),
                         py::arg("seconds") = method.seconds, py::arg("coordinates") = to_array(method.coordinates),
                         py::arg("clusters") = to_array(method.clusters),
                         py::arg("warnings") = to_list(method.warnings),
                         py::arg("error") = method.error ? py::object(py::str(method.error->what())) : py::none()));
  return rows;
}

py::list compared_figures(const Comparison& comparison) {
  py::list columns;
  for (const Figure& figure : figures(comparison)) {
    py::list values;
    for (const auto& value : figure.values) values.append(optional_object(value));
    columns.append(py::dict(py::arg("name") = figure.name, py::arg("title") = figure.title,
                            py::arg("meaning") = figure.meaning, py::arg("values") = values,
                            py::arg("random") = optional_object(figure.random),
                            py::arg("data") = optional_object(figure.data)));
  }
  return columns;
}

Comparison compare_of(const py::array& points, const py::object& truth, const py::object& labels,
                      const py::dict& options, int threads, py::object progress) {
  const auto settings = read_options<ComparisonOptions>(options);
  const PointsView view = points_of(points);
  const GroundTruth known = truth_of(truth, labels);
  std::optional<Comparison> result;
  compute({threads, std::move(progress)}, [&](const Run& run) { result = compare(view, known, settings, run); });
  return *std::move(result);
}

std::string page_of(const Comparison& comparison, const std::string& title, const py::array& points,
                    const py::object& truth, const py::list& labels) {
  PageSection section{.title = title, .points = points_of(points)};
  if (!truth.is_none()) section.truth = points_of(truth.cast<py::array>());
  for (const py::handle& label : labels) section.labels.push_back(label.cast<std::string>());
  std::string page;
  compute({}, [&](const Run&) { page = comparison_page(comparison, section); });
  return page;
}

}  // namespace

void add_measures(py::module_& module) {
  const py::arg_v threads = py::arg("threads") = 0;
  module.def("quality", quality_of, py::arg("high"), py::arg("low"), py::arg("truth"), py::arg("labels"),
             py::arg("options"), threads);
  module.def("shepard_pairs", shepard_of, py::arg("high"), py::arg("low"), py::arg("count"), py::arg("options"),
             threads);
  module.def("point_stress", point_stress_of, py::arg("high"), py::arg("low"), py::arg("options"), threads);
  py::class_<Comparison>(module, "Comparison", "Several methods on one set of points, side by side.")
      .def_property_readonly("methods", compared_methods)
      .def_property_readonly("figures", compared_figures)
      .def_property_readonly("notes", [](const Comparison& result) { return to_list(result.notes); })
      .def_property_readonly("verdict", [](const Comparison& result) { return to_list(verdict(result)); })
      .def("page", page_of, py::arg("title"), py::arg("points"), py::arg("truth"), py::arg("labels"));
  module.def("compare", compare_of, py::arg("points"), py::arg("truth"), py::arg("labels"), py::arg("options"), threads,
             py::arg("progress") = py::none());
}

}  // namespace unroll::python
