#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "convert.h"
#include "core/memory.h"
#include "unroll/core/input.h"
#include "unroll/core/option_field.h"
#include "unroll/data/generators.h"
#include "unroll/graph/graph_quantities.h"
#include "unroll/graph/weighted_graph.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/kmeans.h"
#include "unroll/neighbors/neighbor_index.h"
#include "unroll/neighbors/neighbors.h"

/// What works on points and maps beside the methods: neighbours, dimension, k-means, data sets.
namespace unroll::python {
namespace {

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
                  py::arg("inertia_unit") = found.inertia_unit, py::arg("history") = to_array(std::move(found.history)),
                  py::arg("iterations") = found.iterations, py::arg("converged") = found.converged,
                  py::arg("warnings") = to_list(found.warnings));
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

py::dict dataset_of(const std::string& name, std::int64_t n_samples, std::uint64_t seed, const py::dict& options) {
  const OptionValues values = to_options(options);
  Dataset made;
  compute({}, [&](const Run&) { made = make_dataset(name, n_samples, seed, values); });
  return py::dict(
      py::arg("points") = to_array(std::move(made.points)), py::arg("truth") = to_array(std::move(made.truth)),
      py::arg("truth_names") = to_list(made.truth_names), py::arg("labels") = to_array(std::move(made.labels)));
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
  module.def("kmeans", kmeans_of, py::arg("points"), py::arg("options"), py::arg("start") = py::none(),
             py::arg("weights") = py::none(), threads);
  module.def("nearest_centers", nearest_of, py::arg("points"), py::arg("centers"), threads);
  module.def("make_dataset", dataset_of, py::arg("name"), py::arg("n_samples"), py::arg("seed"), py::arg("options"));
  module.def("datasets", dataset_names);
  module.def("require_memory", require_memory, py::arg("what"), py::arg("rows"), py::arg("columns"), py::arg("bytes"),
             py::arg("who"));
}

}  // namespace unroll::python
