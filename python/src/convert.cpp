#include "convert.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

namespace unroll::python {
namespace {

bool is_integer(const py::handle& value) { return PyIndex_Check(value.ptr()) != 0; }
bool is_number(const py::handle& value) { return is_integer(value) || PyNumber_Check(value.ptr()) != 0; }
bool is_bool(const py::handle& value) {
  return PyBool_Check(value.ptr()) != 0 || py::str(py::type::of(value).attr("__name__")).cast<std::string>() == "bool_";
}

std::int64_t integer_of(const py::handle& value) {
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) throw py::error_already_set();
  int overflow = 0;
  const std::int64_t result = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0)
    throw py::value_error(py::str(number).cast<std::string>() + " is too large: whole numbers have up to 63 bits");
  return result;
}

double real_of(const py::handle& value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return number;
}

template <class Convert>
auto converted(const std::vector<py::object>& entries, const Convert& convert) {
  std::vector<decltype(convert(entries.front()))> values;
  values.reserve(entries.size());
  for (const py::object& entry : entries) values.push_back(convert(entry));
  return values;
}

OptionValue list_value(const py::handle& values) {
  std::vector<py::object> entries;
  for (const py::handle& entry : values) entries.push_back(py::reinterpret_borrow<py::object>(entry));
  const auto all = [&](auto&& test) { return !entries.empty() && std::all_of(entries.begin(), entries.end(), test); };
  if (all([](const py::object& entry) { return py::isinstance<py::str>(entry); }))
    return converted(entries, [](const py::object& entry) { return entry.cast<std::string>(); });
  if (all(is_integer)) return converted(entries, integer_of);
  return converted(entries, real_of);
}

OptionValue to_value(const std::string& name, const py::handle& value) {
  if (value.is_none()) return {};
  if (is_bool(value)) return value.cast<bool>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::sequence>(value)) return list_value(value);
  if (is_integer(value)) return integer_of(value);
  if (is_number(value)) return real_of(value);
  throw py::type_error(name + ": a value of the type " +
                       py::str(py::type::of(value).attr("__name__")).cast<std::string>() + " is no option");
}

/// An array over memory that `owner` keeps until the array is gone.
template <class T, class Owner>
py::array array_over(std::vector<py::ssize_t> shape, const T* data, std::unique_ptr<Owner> owner) {
  const py::capsule keeper(owner.get(), [](void* kept) { delete static_cast<Owner*>(kept); });
  static_cast<void>(owner.release());
  return py::array_t<T>(std::move(shape), data, keeper);
}

template <class T>
py::array vector_array(std::vector<T> values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(kept->size())};
  const T* data = kept->data();
  return array_over<T>(shape, data, std::move(kept));
}

template <class T>
std::vector<T> copy_of(const py::array_t<T, py::array::c_style | py::array::forcecast>& array) {
  return {array.data(), array.data() + array.size()};
}

/// The answer of a callback: None and True continue, "finish" keeps the present map, False cancels.
Answer answer_of(const py::object& said) {
  if (said.is_none()) return Answer::Continue;
  if (py::isinstance<py::str>(said) && said.cast<std::string>() == "finish") return Answer::FinishHere;
  if (is_bool(said)) return said.cast<bool>();
  PyErr_Format(PyExc_TypeError, "a callback returns None, True, False or 'finish', but this one has returned %R",
               said.ptr());
  throw py::error_already_set();
}

/// An exception of Python's that another thread has met.
using Caught = std::optional<py::error_already_set>;

Answer ask(const py::object& callback, const Progress& progress, Caught& caught) {
  const py::gil_scoped_acquire locked;
  try {
    const py::object loss = progress.loss ? py::object(py::float_(*progress.loss)) : py::none();
    const py::object map = progress.frame != nullptr ? py::object(to_array(*progress.frame)) : py::none();
    return answer_of(callback(py::str(std::string(progress.stage)), progress.fraction, loss, map));
  } catch (const py::error_already_set& error) {
    if (!caught) caught.emplace(error);
    return Answer::Cancel;
  }
}

/// Work on a thread of its own, and the end of it.
class Worker {
 public:
  explicit Worker(std::function<void()> work) : work_(std::move(work)) {
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
      run();  // the system gives no more threads: this one does the work
    }
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    if (thread_.joinable()) thread_.join();
  }

  /// Waits some milliseconds; true: the work is done.
  bool wait() {
    constexpr std::chrono::milliseconds kPatience{50};
    std::unique_lock lock(mutex_);
    return finished_.wait_for(lock, kPatience, [&] { return done_; });
  }
  const std::exception_ptr& error() const { return error_; }

 private:
  void run() {
    try {
      work_();
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    finished_.notify_all();
  }

  std::function<void()> work_;
  std::mutex mutex_;
  std::condition_variable finished_;
  bool done_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace

OptionValues to_options(const py::dict& options) {
  OptionValues values;
  for (const auto& [key, value] : options) {
    const auto name = key.cast<std::string>();
    values.push_back({name, to_value(name, value)});
  }
  return values;
}

py::object to_object(const OptionValue& value) {
  return std::visit(
      [](const auto& known) -> py::object {
        using T = std::decay_t<decltype(known)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return py::none();
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>> || std::is_same_v<T, std::vector<double>> ||
                             std::is_same_v<T, std::vector<std::string>>) {
          py::list list;
          for (const auto& entry : known) list.append(entry);
          return list;
        } else {
          return py::cast(known);
        }
      },
      value);
}

py::dict to_dict(const OptionValues& values) {
  py::dict dict;
  for (const NamedValue& option : values) dict[py::str(option.name)] = to_object(option.value);
  return dict;
}

py::object optional_object(const std::optional<double>& value) {
  return value ? py::object(py::float_(*value)) : py::none();
}

py::list to_list(const std::vector<std::string>& lines) {
  py::list list;
  for (const std::string& line : lines) list.append(line);
  return list;
}

py::list to_list(const std::vector<Warning>& warnings) {
  py::list list;
  for (const Warning& warning : warnings) list.append(py::make_tuple(warning.code, warning.message, warning.hint));
  return list;
}

PointsView points_of(const py::object& data) {
  if (py::hasattr(data, "indptr")) return sparse_rows_of(data);
  const auto array = data.cast<py::array>();
  if (array.ndim() != 2) throw py::type_error("an array of two dimensions is needed");
  if ((array.flags() & py::array::c_style) == 0) throw py::type_error("the array is not in C order");
  const Index rows = array.shape(0), cols = array.shape(1);
  if (py::isinstance<py::array_t<float>>(array)) return {static_cast<const float*>(array.data()), rows, cols};
  if (py::isinstance<py::array_t<double>>(array)) return {static_cast<const double*>(array.data()), rows, cols};
  throw py::type_error("the array is not of float32 or float64");
}

SparseMatrix sparse_of(const py::tuple& parts) {
  SparseMatrix matrix;
  matrix.offsets = integers_of(parts[0].cast<py::array_t<std::int64_t>>());
  matrix.columns = integers_of(parts[1].cast<py::array_t<std::int64_t>>());
  matrix.values = reals_of(parts[2].cast<py::array_t<double>>());
  matrix.rows = static_cast<Index>(matrix.offsets.size()) - 1;
  matrix.cols = parts[3].cast<Index>();
  return matrix;
}

py::tuple to_tuple(NeighborGraph graph) {
  return py::make_tuple(to_array(std::move(graph.offsets)), to_array(std::move(graph.neighbors)),
                        to_array(std::move(graph.distances)));
}

NeighborGraph graph_of(const py::tuple& parts) {
  NeighborGraph graph;
  graph.offsets = integers_of(parts[0].cast<py::array_t<std::int64_t>>());
  graph.neighbors = integers_of(parts[1].cast<py::array_t<std::int64_t>>());
  graph.distances = reals_of(parts[2].cast<py::array_t<double>>());
  return graph;
}

py::array to_array(Array2<double> matrix) {
  auto kept = std::make_unique<Array2<double>>(std::move(matrix));
  const std::vector<py::ssize_t> shape{kept->rows(), kept->cols()};
  const double* data = kept->data();
  return array_over<double>(shape, data, std::move(kept));
}
py::array to_array(std::vector<double> values) { return vector_array(std::move(values)); }
py::array to_array(std::vector<std::int64_t> values) { return vector_array(std::move(values)); }

std::vector<std::int64_t> integers_of(const py::array_t<std::int64_t>& array) { return copy_of<std::int64_t>(array); }
std::vector<double> reals_of(const py::array_t<double>& array) { return copy_of<double>(array); }

void compute(const RunSettings& settings, const std::function<void(const Run&)>& work) {
  std::atomic<bool> cancel{false};
  Caught by_callback, by_signal;
  Run run{.threads = settings.threads, .cancel = &cancel};
  if (!settings.progress.is_none())
    run.progress = [&](const Progress& progress) { return ask(settings.progress, progress, by_callback); };
  std::exception_ptr error;
  {
    const py::gil_scoped_release unlocked;
    Worker worker([&] { work(run); });
    while (!worker.wait()) {
      const py::gil_scoped_acquire locked;
      if (by_signal || PyErr_CheckSignals() == 0) continue;
      by_signal.emplace();
      cancel = true;
    }
    error = worker.error();
  }
  if (by_signal) throw py::error_already_set(*by_signal);
  if (by_callback) throw py::error_already_set(*by_callback);
  if (error) std::rethrow_exception(error);
}

void translate_errors() {
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the type of the function is pybind11's
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const py::object made = py::module_::import("unroll._errors")
                                  .attr("make_error")(std::string(name_of(error.kind())), error.what(), error.who(),
                                                      error.problem(), error.advice(), error.option(), error.row());
      PyErr_SetObject(py::type::of(made).ptr(), made.ptr());
    }
  });
}

}  // namespace unroll::python
