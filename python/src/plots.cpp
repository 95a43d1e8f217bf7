#include <string>
#include <utility>

#include "convert.h"
#include "unroll/report/plot.h"

/// Pictures of maps.
namespace unroll::python {
namespace {

std::vector<std::string> words_of(const py::object& list) {
  std::vector<std::string> words;
  for (const py::handle& word : list) words.push_back(word.cast<std::string>());
  return words;
}

/// The members of a dict. The map and the numbers stay with Python.
PlotSubject subject_of(const py::dict& parts) {
  PlotSubject subject{.map = points_of(parts["map"]),
                      .axis_names = words_of(parts["axis_names"]),
                      .labels = words_of(parts["labels"]),
                      .label_name = parts["label_name"].cast<std::string>(),
                      .point_names = words_of(parts["point_names"])};
  if (!parts["numbers"].is_none()) subject.numbers = reals_of(parts["numbers"].cast<py::array_t<double>>());
  return subject;
}

PlotOptions plot_options(const py::dict& options) {
  return make_options<PlotOptions>(to_options(options), PlotOptions::method_name);
}

py::list note_list(const std::vector<std::string>& notes) {
  py::list list;
  for (const std::string& note : notes) list.append(note);
  return list;
}

/// (bytes, notes) of a picture of that format.
py::tuple plot_of(const py::dict& parts, const std::string& format, const py::dict& options) {
  const PlotSubject subject = subject_of(parts);
  const PlotOptions settings = plot_options(options);
  Plot drawn;
  compute({}, [&](const Run&) { drawn = plot(subject, plot_format("." + format), settings); });
  return py::make_tuple(py::bytes(drawn.content), note_list(drawn.notes));
}

py::list write_plot_of(const std::string& path, const py::dict& parts, const py::dict& options) {
  const PlotSubject subject = subject_of(parts);
  const PlotOptions settings = plot_options(options);
  std::vector<std::string> notes;
  compute({}, [&](const Run&) { notes = write_plot(path, subject, settings); });
  return note_list(notes);
}

}  // namespace

void add_plots(py::module_& module) {
  module.def("plot", plot_of, py::arg("parts"), py::arg("format"), py::arg("options"));
  module.def("write_plot", write_plot_of, py::arg("path"), py::arg("parts"), py::arg("options"));
}

}  // namespace unroll::python
