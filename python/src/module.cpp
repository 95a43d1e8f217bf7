#include "convert.h"
#include "unroll/version.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The library, for the Python half of this package.";
  module.attr("version") = unroll::version();
  module.def("build_info", unroll::build_info);
  unroll::python::translate_errors();
  unroll::python::add_models(module);
  unroll::python::add_tools(module);
  unroll::python::add_plots(module);
  unroll::python::add_measures(module);
  unroll::python::add_advice(module);
}
