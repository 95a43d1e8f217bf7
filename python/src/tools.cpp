#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "convert.h"
#include "core/memory.h"
#include "unroll/advice/advise.h"
#include "unroll/advice/dimension.h"
#include "unroll/core/input.h"
#include "unroll/core/option_field.h"
#include "unroll/data/generators.h"
#include "unroll/graph/graph_quantities.h"
#include "unroll/graph/weighted_graph.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/kmeans.h"
#include "unroll/neighbors/neighbor_index.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/quality/quality.h"
#include "unroll/report/comparison.h"
#include "unroll/report/figures.h"
#include "unroll/report/page.h"

/// What works on points and maps beside the methods: neighbours, quality, dimension, k-means, comparisons, data sets.
namespace unroll::python {
namespace {

template <class Options>
Options read_options(const py::dict& options) {
  return make_options<Options>(to_options(options), Options::method_name);
}

py::tuple find_neighbors(const py::object& data, const py::dict& options, int threads) {
  const auto search = read_options<NeighborOptions>(options);
  Neighbors found;
  if (py::isinstance<py::tuple>(data)) {
    const SparseMatrix distances = sparse_of(data);
    compute({threads}, [&](const Run& run) { found = neighbors(distances, search, run); });
  } else {
    const PointsView points = points_of(data);
    compute({threads}, [&](const Run& run) { found = neighbors(points, search, run); });
  }
  const py::dict report(py::arg("algorithm") = std::string(name_of(found.report.algorithm)),
                        py::arg("exact") = found.report.exact, py::arg("recall") = found.report.recall,
                        py::arg("warnings") = to_list(found.report.warnings));
  return py::make_tuple(to_tuple(std::move(found.graph)), report);
}

NeighborIndex make_index(const py::object& points, const py::dict& options, int threads) {
  const auto search = read_options<NeighborOptions>(options);
  const PointsView view = points_of(points);
  std::optional<NeighborIndex> index;
  compute({threads}, [&](const Run& run) { index = NeighborIndex::without_graph(view, search, run); });
  return *std::move(index);
}

py::tuple nearest(const NeighborIndex& index, const py::object& queries, int threads) {
  const PointsView view = points_of(queries);
  NeighborGraph graph;
  compute({threads}, [&](const Run& run) { graph = index.nearest(view, run); });
  return to_tuple(std::move(graph));
}

/// The lengths of the shortest paths between all points, through the graph of neighbours.
py::array path_matrix(const py::object& data, const py::dict& options, int threads) {
  const auto settings = read_options<WeightedGraphOptions>(options);
  const bool is_sparse = py::isinstance<py::tuple>(data), is_given = settings.metric == Metric::Precomputed;
  const SparseMatrix sparse = is_sparse ? sparse_of(data) : SparseMatrix{};
  const PointsView full = is_sparse ? PointsView() : points_of(data);
  Array2<double> lengths;
  compute({threads}, [&](const Run& run) {
    const Input input = is_sparse  ? Input(SparseDistances(sparse))
                        : is_given ? Input(DistancesView{full})
                                   : Input(full);
    const WeightedGraph graph = weighted_graph(input, settings, run);
    const auto count = static_cast<double>(graph.size());
    MemoryPlan().add("the lengths of all paths", count, count, sizeof(double)).require(run, "use fewer points");
    lengths = Array2<double>(graph.size(), graph.size());
    for (Index i = 0; i < graph.size(); ++i) {
      const std::vector<double> row = path_lengths(graph, i, run);
      std::copy(row.begin(), row.end(), lengths.row(i));
    }
  });
  return to_array(std::move(lengths));
}

py::dict components_of(const py::tuple& graph) {
  const NeighborGraph given = graph_of(graph);
  Components components;
  Connectivity growth;
  compute({}, [&](const Run&) {
    components = connected_components(given);
    growth = connectivity(given);
  });
  return py::dict(py::arg("labels") = to_array(std::move(components.labels)),
                  py::arg("sizes") = to_array(std::move(components.sizes)),
                  py::arg("components_for_k") = to_array(std::move(growth.components_for_k)),
                  py::arg("smallest_connecting_k") =
                      growth.smallest_connecting_k ? py::object(py::int_(*growth.smallest_connecting_k)) : py::none());
}

py::object optional_object(const std::optional<double>& value) {
  return value ? py::object(py::float_(*value)) : py::none();
}

py::object optional_count(const std::optional<Index>& value) {
  return value ? py::object(py::int_(*value)) : py::none();
}

py::list texts(const std::vector<std::string>& lines) {
  py::list list;
  for (const std::string& line : lines) list.append(line);
  return list;
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
      py::arg("verdict") = texts(found.verdict), py::arg("maximum_likelihood") = nearest.maximum_likelihood,
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

py::dict kmeans_of(const py::array& points, const py::dict& options, const py::object& start, const py::object& weights,
                   int threads) {
  const auto settings = read_options<KMeansOptions>(options);
  const PointsView view = points_of(points);
  Array2<double> centers;
  if (!start.is_none())
    points_of(start.cast<py::array>()).visit([&](auto given) {
      centers = Array2<double>(given.rows, given.cols);
      for (Index i = 0; i < given.rows; ++i)
        for (Index j = 0; j < given.cols; ++j) centers(i, j) = static_cast<double>(given(i, j));
    });
  std::vector<double> counts;
  if (!weights.is_none()) counts = reals_of(weights.cast<py::array_t<double>>());
  KMeans found;
  compute({threads}, [&](const Run& run) {
    found = start.is_none() ? kmeans(view, settings, run, counts) : kmeans(view, centers, settings, run, counts);
  });
  return py::dict(py::arg("labels") = to_array(std::move(found.labels)),
                  py::arg("centers") = to_array(std::move(found.centers)), py::arg("inertia") = found.inertia,
                  py::arg("inertia_unit") = found.inertia_unit, py::arg("iterations") = found.iterations,
                  py::arg("converged") = found.converged, py::arg("warnings") = to_list(found.warnings));
}

py::array nearest_of(const py::array& points, const py::array& centers, int threads) {
  const PointsView view = points_of(points);
  Array2<double> copied(centers.shape(0), centers.shape(1));
  const auto from = centers.cast<py::array_t<double>>();
  for (Index i = 0; i < copied.rows(); ++i)
    for (Index j = 0; j < copied.cols(); ++j) copied(i, j) = from.at(i, j);
  std::vector<Index> labels;
  compute({threads}, [&](const Run& run) { labels = nearest_centers(view, copied, run); });
  return to_array(std::move(labels));
}

py::dict measure_dict(NeighborhoodMeasure measure) {
  return py::dict(py::arg("value") = measure.value, py::arg("low") = measure.low, py::arg("high") = measure.high,
                  py::arg("sample") = measure.sample, py::arg("per_point") = to_array(std::move(measure.per_point)));
}

py::dict correlation_dict(const DistanceCorrelation& correlation) {
  return py::dict(py::arg("pearson") = correlation.pearson.value, py::arg("spearman") = correlation.spearman.value,
                  py::arg("pairs") = correlation.pairs, py::arg("exact") = correlation.exact);
}

py::dict quality_dict(Quality quality) {
  py::dict result(py::arg("recall") = quality.recall, py::arg("warnings") = to_list(quality.warnings));
  const auto add = [&](const char* name, NeighborhoodMeasure& measure) {
    if (measure.sample > 0) result[name] = measure_dict(std::move(measure));
  };
  add("trustworthiness", quality.trustworthiness);
  add("continuity", quality.continuity);
  add("neighbor_preservation", quality.neighbor_preservation);
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
  const bool is_plain = known.coordinates.rows() == 0 && known.labels.empty();
  compute({threads}, [&](const Run& run) {
    const bool has_pairs = std::find(settings.measures.begin(), settings.measures.end(),
                                     QualityMeasure::DistanceCorrelation) != settings.measures.end();
    if (is_plain && !has_pairs) {
      static_cast<NeighborhoodQuality&>(measured) = neighborhood_quality(points, map, settings, run);
    } else {
      measured = quality(points, map, known, settings, run);
    }
  });
  return quality_dict(std::move(measured));
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
                  py::arg("evidence") = texts(advice.evidence), py::arg("reading") = texts(advice.reading),
                  py::arg("notes") = texts(advice.notes));
}

py::dict advise_of(const py::array& points, const py::dict& options, int threads, py::object progress) {
  const auto settings = read_options<AdviceOptions>(options);
  const PointsView view = points_of(points);
  std::optional<Advice> advice;
  compute({threads, std::move(progress)}, [&](const Run& run) { advice = advise(view, settings, run); });
  return advice_dict(*advice);
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

py::dict dataset_of(const std::string& name, std::int64_t n_samples, std::uint64_t seed, const py::dict& options) {
  const OptionValues values = to_options(options);
  Dataset made;
  compute({}, [&](const Run&) { made = make_dataset(name, n_samples, seed, values); });
  return py::dict(py::arg("points") = to_array(std::move(made.points)),
                  py::arg("truth") = to_array(std::move(made.truth)), py::arg("truth_names") = texts(made.truth_names),
                  py::arg("labels") = to_array(std::move(made.labels)));
}

/// Throws OutOfMemory if a matrix that Python's half of the package is about to make exceeds the budget.
void require_memory(const std::string& what, double rows, double columns, double bytes, const std::string& who) {
  MemoryPlan(who).add(what, rows, columns, bytes).require({}, "use fewer points");
}

py::list dataset_names() {
  py::list names;
  for (const Generator& generator : generators())
    names.append(py::make_tuple(std::string(generator.name), std::string(generator.title)));
  return names;
}

}  // namespace

void add_tools(py::module_& module) {
  const py::arg_v threads = py::arg("threads") = 0;
  module.def("neighbors", find_neighbors, py::arg("data"), py::arg("options"), threads);
  py::class_<NeighborIndex>(module, "NeighborIndex", "Points among which the neighbours of new points are found.")
      .def(py::init(&make_index), py::arg("points"), py::arg("options"), threads)
      .def("nearest", nearest, py::arg("queries"), threads);
  module.def("path_matrix", path_matrix, py::arg("data"), py::arg("options"), threads);
  module.def("components", components_of, py::arg("graph"));
  module.def("intrinsic_dimension", dimension_of, py::arg("data"), py::arg("options"), threads);
  module.def("kmeans", kmeans_of, py::arg("points"), py::arg("options"), py::arg("start") = py::none(),
             py::arg("weights") = py::none(), threads);
  module.def("nearest_centers", nearest_of, py::arg("points"), py::arg("centers"), threads);
  module.def("quality", quality_of, py::arg("high"), py::arg("low"), py::arg("truth"), py::arg("labels"),
             py::arg("options"), threads);
  py::class_<Comparison>(module, "Comparison", "Several methods on one set of points, side by side.")
      .def_property_readonly("methods", compared_methods)
      .def_property_readonly("figures", compared_figures)
      .def_property_readonly("notes", [](const Comparison& result) { return texts(result.notes); })
      .def_property_readonly("verdict", [](const Comparison& result) { return texts(verdict(result)); })
      .def("page", page_of, py::arg("title"), py::arg("points"), py::arg("truth"), py::arg("labels"));
  module.def("advise", advise_of, py::arg("points"), py::arg("options"), threads, py::arg("progress") = py::none());
  module.def("compare", compare_of, py::arg("points"), py::arg("truth"), py::arg("labels"), py::arg("options"), threads,
             py::arg("progress") = py::none());
  module.def("make_dataset", dataset_of, py::arg("name"), py::arg("n_samples"), py::arg("seed"), py::arg("options"));
  module.def("datasets", dataset_names);
  module.def("require_memory", require_memory, py::arg("what"), py::arg("rows"), py::arg("columns"), py::arg("bytes"),
             py::arg("who"));
}

}  // namespace unroll::python
