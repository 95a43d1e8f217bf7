// Somebody else's program, built with other flags than the library: both must agree on every type that passes between
// them, and on exceptions.
#include <cmath>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/options.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/methods/pca.h"
#include "unroll/version.h"

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

/// Evenly spaced points on a line in space.
unroll::Array2<double> points_on_a_line() {
  unroll::Array2<double> points(100, 3);
  for (unroll::Index i = 0; i < points.rows(); ++i)
    for (unroll::Index j = 0; j < points.cols(); ++j) points(i, j) = static_cast<double>(i * (j + 1));
  return points;
}

void results_cross_the_border() {
  const auto points = points_on_a_line();
  const unroll::Model model = unroll::pca(points, {.n_components = 2});
  expect(model.coordinates().rows() == 100 && model.coordinates().cols() == 2, "one row of coordinates per point");
  const auto& ratio = model.attribute<std::vector<double>>("explained_variance_ratio");
  expect(std::abs(ratio[0] - 1) < 1e-12 && std::abs(ratio[1]) < 1e-12, "all variance is along the line");
  // Neighbors on the line are sqrt(1 + 4 + 9) apart in space.
  const double step = std::abs(model.coordinates()(1, 0) - model.coordinates()(0, 0));
  expect(std::abs(step - std::sqrt(14.0)) < 1e-9, "distances along the line are kept");
  const auto again = model.transform(unroll::PointsView(points).slice(7, 1));
  expect(std::abs(again(0, 0) - model.coordinates()(7, 0)) < 1e-9, "a point is placed where it was");
}

/// The callback is the caller's code, run by the library.
void callbacks_cross_the_border() {
  try {
    unroll::pca(points_on_a_line(), {}, {.threads = 2, .progress = [](const unroll::Progress&) { return false; }});
    expect(false, "a callback stops the work");
  } catch (const unroll::Error& error) {
    expect(error.kind() == unroll::ErrorKind::Cancelled, "a stopped run says so");
  }
}

}  // namespace

int main(int argc, char** argv) {
  expect(argc == 2 && std::string(argv[1]) == unroll::version(), "the version is the one installed");
  options_cross_the_border();
  errors_cross_the_border();
  results_cross_the_border();
  callbacks_cross_the_border();
  return failed ? 1 : 0;
}
