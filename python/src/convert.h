#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/options.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbor_graph.h"

/// Between Python's objects and the library's types. Python's half of the package has checked and copied what must be:
/// what arrives here is refused if it does not fit.
namespace unroll::python {

namespace py = pybind11;

/// A dict of options: None, bool, int, float, str, or a list of numbers or texts.
OptionValues to_options(const py::dict& options);
py::object to_object(const OptionValue& value);
py::dict to_dict(const OptionValues& values);
py::list to_list(const std::vector<Warning>& warnings);
py::list to_list(const std::vector<std::string>& lines);

/// A view of a matrix in C order, of float32 or float64; a TypeError for any other array. What has indptr, indices,
/// data and shape, as SciPy's csr_matrix, is sparse rows, and stays where it is.
PointsView points_of(const py::object& data);
SparseRows sparse_rows_of(const py::object& data);
/// A copy of (offsets, columns, values, n_columns): a matrix by rows, as SciPy has it.
SparseMatrix sparse_of(const py::tuple& parts);
/// (offsets, neighbors, distances)
py::tuple to_tuple(NeighborGraph graph);
NeighborGraph graph_of(const py::tuple& parts);

template <class Options>
Options read_options(const py::dict& options) {
  return make_options<Options>(to_options(options), Options::method_name);
}

/// Arrays that own what is given to them: nothing is copied.
py::array to_array(Array2<double> matrix);
py::array to_array(std::vector<double> values);
py::array to_array(std::vector<std::int64_t> values);
std::vector<std::int64_t> integers_of(const py::array_t<std::int64_t>& array);
/// None without a value.
py::object optional_object(const std::optional<double>& value);
std::vector<double> reals_of(const py::array_t<double>& array);

/// How a computation is carried out: of Python's keyword arguments.
struct RunSettings {
  int threads = 0;
  py::object progress = py::none();  ///< progress(stage, fraction, loss, map), or None
};

/// Calls `work` with the interpreter unlocked. Meanwhile this thread looks for signals, so that Ctrl-C stops the work
/// wherever it is: `work` runs on a thread of its own, since only this one may handle Python's signals.
void compute(const RunSettings& settings, const std::function<void(const Run&)>& work);

/// Throws the library's errors as exceptions of unroll._errors.
void translate_errors();

// The parts of the module.
void add_models(py::module_& module);
void add_tools(py::module_& module);
void add_plots(py::module_& module);
void add_measures(py::module_& module);
void add_advice(py::module_& module);

}  // namespace unroll::python
