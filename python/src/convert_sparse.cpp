#include "convert.h"

namespace unroll::python {
namespace {

template <class Value, class Place>
SparseRows rows_over(const py::array& offsets, const py::array& columns, const py::array& values, Index cols) {
  return {static_cast<Index>(offsets.size()) - 1, cols, static_cast<const Place*>(offsets.data()),
          static_cast<const Place*>(columns.data()), static_cast<const Value*>(values.data())};
}

/// Throws TypeError if a row would end beyond the values. Whether offsets ascend, the library checks.
SparseRows checked(SparseRows rows, Index values) {
  rows.visit([&](const auto& x) {
    for (Index i = 0; i < x.rows; ++i)
      if (x.end(i) > values) throw py::type_error("indptr points beyond the values");
  });
  return rows;
}

}  // namespace

SparseRows sparse_rows_of(const py::object& data) {
  const auto offsets = data.attr("indptr").cast<py::array>(), columns = data.attr("indices").cast<py::array>(),
             values = data.attr("data").cast<py::array>();
  const auto cols = data.attr("shape").cast<py::tuple>()[1].cast<Index>();
  for (const py::array& part : {offsets, columns, values})
    if (part.ndim() != 1 || (part.flags() & py::array::c_style) == 0)
      throw py::type_error("indptr, indices and data are not contiguous lists");
  if (offsets.size() < 1 || columns.size() != values.size())
    throw py::type_error("indptr, indices and data do not belong together");
  const bool is_float = py::isinstance<py::array_t<float>>(values);
  if (!is_float && !py::isinstance<py::array_t<double>>(values))
    throw py::type_error("the values are not of float32 or float64");
  const auto are = [&](auto type) {
    using Places = py::array_t<decltype(type)>;
    return py::isinstance<Places>(offsets) && py::isinstance<Places>(columns);
  };
  const Index size = values.size();
  if (are(std::int32_t{}))
    return checked(is_float ? rows_over<float, std::int32_t>(offsets, columns, values, cols)
                            : rows_over<double, std::int32_t>(offsets, columns, values, cols),
                   size);
  if (!are(std::int64_t{})) throw py::type_error("indptr and indices are not both int32 or both int64");
  return checked(is_float ? rows_over<float, std::int64_t>(offsets, columns, values, cols)
                          : rows_over<double, std::int64_t>(offsets, columns, values, cols),
                 size);
}

}  // namespace unroll::python
