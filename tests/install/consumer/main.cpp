// Somebody else's program, built with other flags than the library: both must agree on every type that passes between
// them, and on exceptions.
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/options.h"
#include "unroll/core/types.h"
#include "unroll/methods/pca.h"

namespace {

bool failed = false;

void expect(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "not so: %s\n", what);
  failed = true;
}

void options_cross_the_border() {
  const std::vector<unroll::OptionInfo> infos = unroll::describe_options<unroll::PcaOptions>();
  expect(infos.front().allowed() == "a whole number, or a fraction strictly between 0 and 1",
         "allowed values in words");
  const unroll::OptionValue value = unroll::parse_option(infos.front(), "0.95", "consumer");
  expect(std::get<double>(value) == 0.95, "an option is parsed");
  expect(unroll::to_text(value) == "0.95", "an option is written");
}

void errors_cross_the_border() {
  try {
    unroll::make_options<unroll::PcaOptions>({{"n_component", 2.0}}, "consumer");
    expect(false, "an unknown option throws");
  } catch (const unroll::Error& error) {
    expect(error.kind() == unroll::ErrorKind::InvalidOption, "the kind of the error");
    expect(std::string(error.what()).find("n_components") != std::string::npos, "the error names the nearest option");
  }
}

void arrays_cross_the_border() {
  unroll::Array2<double> points(100, 5);
  points(99, 4) = 1;
  expect(unroll::PointsView(points).slice(99, 1).rows() == 1, "a view of an array");
}

}  // namespace

int main() {
  options_cross_the_border();
  errors_cross_the_border();
  arrays_cross_the_border();
  return failed ? 1 : 0;
}
