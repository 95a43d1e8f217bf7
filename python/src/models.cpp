#include <optional>
#include <span>
#include <string>
#include <utility>

#include "convert.h"
#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/registry.h"

/// Fitting a method of the registry, and the fitted model.
namespace unroll::python {
namespace {

/// What a method is given, and the memory behind its views.
struct Given {
  SparseMatrix sparse = {};
  Neighbors neighbors = {};
  std::vector<std::int64_t> labels = {};
  std::vector<double> targets = {};
};

Input input_of(const py::object& data, const OptionValues& options, Given& given) {
  if (!py::isinstance<py::tuple>(data)) return points_of(data);
  given.sparse = sparse_of(data);
  return sparse_input(given.sparse, options);
}

Model fit(const std::string& name, const py::object& data, const py::dict& options, const py::object& neighbors,
          const py::object& init, const Model* resume, const py::object& labels, const py::object& targets,
          const py::object& pair_weights, int threads, py::object progress) {
  const Method& method = find_method(name);
  const OptionValues values = to_options(options);
  Given given;
  Input input = input_of(data, values, given);
  if (!neighbors.is_none()) {
    given.neighbors.graph = graph_of(neighbors);
    input.neighbors = &given.neighbors;
  }
  if (!init.is_none()) input.init = points_of(init.cast<py::array>());
  if (!pair_weights.is_none()) input.pair_weights = points_of(pair_weights.cast<py::array>());
  input.resume = resume;
  if (!labels.is_none()) given.labels = integers_of(labels.cast<py::array_t<std::int64_t>>());
  if (!targets.is_none()) given.targets = reals_of(targets.cast<py::array_t<double>>());
  input.labels = given.labels;
  input.targets = given.targets;
  std::optional<Model> model;
  compute({threads, std::move(progress)}, [&](const Run& run) { model = method.fit(input, values, run); });
  return *std::move(model);
}

py::object attribute_object(const Attribute& attribute) {
  return std::visit(
      [](const auto& value) -> py::object {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::shared_ptr<const Array2<double>>>) {
          return to_array(*value);
        } else if constexpr (std::is_same_v<T, std::vector<double>> || std::is_same_v<T, std::vector<std::int64_t>>) {
          return to_array(value);
        } else {
          return py::cast(value);
        }
      },
      attribute);
}

py::dict attributes_of(const Model& model) {
  py::dict dict;
  for (const auto& [name, attribute] : model.embedding().attributes) dict[py::str(name)] = attribute_object(attribute);
  return dict;
}

/// One of them: matrices are copied, so that who wants one does not pay for all.
py::object attribute_named(const Model& model, const std::string& name) {
  for (const auto& [known, attribute] : model.embedding().attributes)
    if (known == name) return attribute_object(attribute);
  throw py::key_error(name);
}

py::dict spectrum_of(const Model& model) {
  const Spectrum& spectrum = model.embedding().spectrum;
  py::list parts;
  for (const ComponentSpectrum& part : model.embedding().component_spectra)
    parts.append(py::dict(py::arg("component") = part.component, py::arg("points") = part.points,
                          py::arg("values") = to_array(part.values), py::arg("residuals") = to_array(part.residuals)));
  return py::dict(py::arg("values") = to_array(spectrum.values), py::arg("residuals") = to_array(spectrum.residuals),
                  py::arg("iterations") = spectrum.iterations, py::arg("solver") = spectrum.solver,
                  py::arg("components") = parts);
}

py::bytes bytes_of(const Model& model) {
  std::vector<std::byte> bytes;
  compute({}, [&](const Run&) { bytes = model.bytes(); });
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Model load_bytes(const py::bytes& content, const std::string& origin) {
  const std::string_view text = content;
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  std::optional<Model> model;
  compute({}, [&](const Run&) { model = load_model(std::vector<std::byte>(bytes.begin(), bytes.end()), origin); });
  return *std::move(model);
}

Model load_path(const std::string& path) {
  std::optional<Model> model;
  compute({}, [&](const Run&) { model = load_model(path); });
  return *std::move(model);
}

void save_path(const Model& model, const std::string& path) {
  compute({}, [&](const Run&) { model.save(path); });
}

Model with_names(const Model& model, const py::list& given, const py::list& classes) {
  Features features;
  for (const py::handle& name : given) features.names.push_back(name.cast<std::string>());
  for (const py::handle& word : classes) features.classes.push_back(word.cast<std::string>());
  return model.with_features(std::move(features));
}

py::list list_of(const std::vector<std::string>& words) {
  py::list list;
  for (const std::string& word : words) list.append(word);
  return list;
}

py::array transform(const Model& model, const py::object& points, int threads) {
  const PointsView view = points_of(points);
  Array2<double> placed;
  compute({threads}, [&](const Run& run) { placed = model.transform(view, run); });
  return to_array(std::move(placed));
}

py::array inverse_transform(const Model& model, const py::array& coordinates, int threads) {
  const PointsView view = points_of(coordinates);
  Array2<double> points;
  compute({threads}, [&](const Run& run) { points = model.inverse_transform(view, run); });
  return to_array(std::move(points));
}

py::array predict(const Model& model, const py::object& points, int threads) {
  const PointsView view = points_of(points);
  std::vector<Index> labels;
  compute({threads}, [&](const Run& run) { labels = model.predict(view, run); });
  return to_array(std::move(labels));
}

/// How many neighbours of every point a method wants with these options; None: its option n_neighbors says it, or it
/// needs none.
py::object needed_neighbors(const std::string& name, const py::dict& options, Index points) {
  const Method& method = find_method(name);
  if (method.needed_neighbors == nullptr) return py::none();
  return py::int_(method.needed_neighbors(to_options(options), points));
}

py::dict describe(const OptionInfo& info) {
  py::list choices;
  for (const std::string& choice : info.choices)
    if (choice != info.limits.excluded) choices.append(choice);
  return py::dict(py::arg("name") = info.name, py::arg("allowed") = info.allowed(), py::arg("optional") = info.optional,
                  py::arg("list") = info.list, py::arg("choices") = choices,
                  py::arg("default") = to_object(info.default_value), py::arg("help") = info.help);
}

py::list describe_methods() {
  py::list all;
  for (const Method& method : methods()) {
    py::list options, inputs;
    for (const OptionInfo& info : method.options) options.append(describe(info));
    for (const InputKind kind : method.inputs) inputs.append(std::string(name_of(kind)));
    all.append(py::dict(py::arg("name") = method.name, py::arg("title") = method.title,
                        py::arg("reference") = method.reference, py::arg("kind") = std::string(name_of(method.kind)),
                        py::arg("inputs") = inputs, py::arg("transform") = std::string(name_of(method.transform)),
                        py::arg("has_inverse") = method.has_inverse, py::arg("options") = options));
  }
  return all;
}

}  // namespace

void add_models(py::module_& module) {
  py::class_<Model>(module, "Model", "A fitted method: its map, and the means to place new points.")
      .def_property_readonly("method", &Model::method)
      .def_property_readonly("options", [](const Model& model) { return to_dict(model.options()); })
      .def_property_readonly("n_features", &Model::n_features)
      .def_property_readonly("n_components", &Model::n_components)
      .def_property_readonly("coordinates", [](const Model& model) { return to_array(model.coordinates()); })
      .def_property_readonly("labels", [](const Model& model) { return to_array(model.labels()); })
      .def_property_readonly("spectrum", spectrum_of)
      .def_property_readonly("attributes", attributes_of)
      .def("attribute", attribute_named, py::arg("name"))
      .def_property_readonly("warnings", [](const Model& model) { return to_list(model.embedding().warnings); })
      .def_property_readonly("transform_kind",
                             [](const Model& model) { return std::string(name_of(model.transform_kind())); })
      .def_property_readonly("feature_names", [](const Model& model) { return list_of(model.features().names); })
      .def_property_readonly("class_names", [](const Model& model) { return list_of(model.features().classes); })
      .def("with_names", with_names, py::arg("names"), py::arg("classes") = py::list())
      .def("transform", transform, py::arg("points"), py::arg("threads") = 0)
      .def("inverse_transform", inverse_transform, py::arg("coordinates"), py::arg("threads") = 0)
      .def("predict", predict, py::arg("points"), py::arg("threads") = 0)
      .def("save", save_path, py::arg("path"))
      .def("bytes", bytes_of)
      .def(py::pickle(&bytes_of, [](const py::bytes& content) { return load_bytes(content, "the pickle"); }));
  module.def("fit", fit, py::arg("method"), py::arg("data"), py::arg("options"), py::kw_only(),
             py::arg("neighbors") = py::none(), py::arg("init") = py::none(),
             py::arg("resume") = static_cast<const Model*>(nullptr), py::arg("labels") = py::none(),
             py::arg("targets") = py::none(), py::arg("pair_weights") = py::none(), py::arg("threads") = 0,
             py::arg("progress") = py::none());
  module.def("load_file", load_path, py::arg("path"));
  module.def("load_bytes", load_bytes, py::arg("content"), py::arg("origin") = "the bytes");
  module.def("methods", describe_methods);
  module.def("needed_neighbors", needed_neighbors, py::arg("method"), py::arg("options"), py::arg("points"));
  module.def("find_method", [](const std::string& name) { return find_method(name).name; });
}

}  // namespace unroll::python
