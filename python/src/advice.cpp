#include <optional>
#include <utility>

#include "convert.h"
#include "unroll/advice/advise.h"
#include "unroll/advice/dimension.h"
#include "unroll/core/input.h"
#include "unroll/core/option_field.h"

/// What to believe and what to take: the dimension, and which method.
namespace unroll::python {
namespace {

py::object optional_count(const std::optional<Index>& value) {
  return value ? py::object(py::int_(*value)) : py::none();
}

py::object axes_dict(std::optional<VarianceSpectrum> axes) {
  if (!axes) return py::none();
  return py::dict(py::arg("gap") = optional_count(axes->gap), py::arg("participation") = axes->participation,
                  py::arg("axes_for_95") = axes->axes_for_95,
                  py::arg("variance_shares") = to_array(std::move(axes->shares)));
}

py::dict dimension_dict(DimensionReport found) {
  IntrinsicDimension& nearest = found.nearest;
  py::dict scales;
  for (const DimensionAtScale& scale : found.scales) scales[py::int_(scale.n_neighbors)] = scale.dimension;
  py::dict result(
      py::arg("dimension") = found.dimension, py::arg("coordinates") = found.coordinates,
      py::arg("verdict") = to_list(found.verdict), py::arg("maximum_likelihood") = nearest.maximum_likelihood,
      py::arg("two_nn") = nearest.two_nn, py::arg("two_nn_likelihood") = nearest.two_nn_likelihood,
      py::arg("per_point") = to_array(std::move(nearest.per_point)), py::arg("zero_distances") = nearest.zero_distances,
      py::arg("points_used") = nearest.points_used, py::arg("scales") = scales,
      py::arg("pca") = axes_dict(std::move(found.global)), py::arg("local_pca") = axes_dict(std::move(found.local)),
      py::arg("residual_variance") = to_array(std::move(found.residual_variance)),
      py::arg("residual_variance_elbow") = optional_count(found.elbow), py::arg("warnings") = to_list(found.warnings));
  result["correlation"] = py::none();
  if (found.correlation)
    result["correlation"] =
        py::dict(py::arg("dimension") = found.correlation->dimension,
                 py::arg("radii") = py::make_tuple(found.correlation->low_radius, found.correlation->high_radius),
                 py::arg("shares") = py::make_tuple(found.correlation->low_share, found.correlation->high_share),
                 py::arg("pairs") = found.correlation->pairs);
  return result;
}

py::dict dimension_of(const py::object& data, const py::dict& options, int threads) {
  const auto settings = read_options<DimensionOptions>(options);
  const bool is_matrix = py::isinstance<py::tuple>(data) && settings.metric == Metric::Precomputed;
  const SparseMatrix distances = is_matrix ? sparse_of(data) : SparseMatrix{};
  const PointsView points = is_matrix ? PointsView() : points_of(data);
  DimensionReport found;
  compute({threads}, [&](const Run& run) {
    found = estimate_dimension(is_matrix ? Input(SparseDistances(distances)) : Input(points), settings, run);
  });
  return dimension_dict(std::move(found));
}

py::list agreement_list(const std::vector<Agreement>& agreements) {
  py::list list;
  for (const Agreement& one : agreements)
    list.append(
        py::dict(py::arg("label") = one.label, py::arg("r_nx_area") = one.area, py::arg("agreement") = one.agreement));
  return list;
}

py::dict advice_dict(const Advice& advice) {
  py::list tried, graphs;
  for (const TriedMap& map : advice.tried)
    tried.append(py::dict(py::arg("name") = map.run.name, py::arg("label") = map.run.label,
                          py::arg("options") = to_dict(map.run.options), py::arg("size") = optional_object(map.size),
                          py::arg("r_nx_area") = optional_object(map.area), py::arg("seconds") = map.run.seconds,
                          py::arg("coordinates") = to_array(map.run.coordinates),
                          py::arg("warnings") = to_list(map.run.warnings),
                          py::arg("error") = map.run.error ? py::object(py::str(map.run.error->what())) : py::none()));
  for (const GraphFinding& graph : advice.graphs)
    graphs.append(py::dict(py::arg("n_neighbors") = graph.n_neighbors, py::arg("components") = graph.components,
                           py::arg("short_circuits") = graph.short_circuits));
  return py::dict(py::arg("best") = advice.best, py::arg("tried") = tried, py::arg("graphs") = graphs,
                  py::arg("smallest_connecting_k") = optional_count(advice.smallest_connecting_k),
                  py::arg("dimension") = advice.dimension, py::arg("sizes") = agreement_list(advice.sizes),
                  py::arg("seeds") = agreement_list(advice.seeds), py::arg("sample") = advice.sample,
                  py::arg("evidence") = to_list(advice.evidence), py::arg("reading") = to_list(advice.reading),
                  py::arg("notes") = to_list(advice.notes));
}

py::dict advise_of(const py::array& points, const py::dict& options, int threads, py::object progress) {
  const auto settings = read_options<AdviceOptions>(options);
  const PointsView view = points_of(points);
  std::optional<Advice> advice;
  compute({threads, std::move(progress)}, [&](const Run& run) { advice = advise(view, settings, run); });
  return advice_dict(*advice);
}

}  // namespace

void add_advice(py::module_& module) {
  const auto threads = py::arg("threads") = 0;
  module.def("intrinsic_dimension", dimension_of, py::arg("data"), py::arg("options"), threads);
  module.def("advise", advise_of, py::arg("points"), py::arg("options"), threads, py::arg("progress") = py::none());
}

}  // namespace unroll::python
