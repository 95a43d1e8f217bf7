// SNE as a method: how its forces are found.
#include "unroll/methods/sne.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/matrices.h"

namespace unroll {
namespace {

OptionValue gradient_of(const Model& model) {
  for (const NamedValue& option : model.options())
    if (option.name == "gradient") return option.value;
  return {};
}

TEST(SneMethod, ForcesOnAGridLeadToTheSamePlaces) {
  const Array2<double> x = normal_matrix(400, 4, 31), start = normal_matrix(400, 2, 32);
  Input input(x);
  input.init = PointsView(start);
  const Array2<double> exact = sne(input, {.n_iter = 40, .gradient = PairForces::Exact}).coordinates();
  const Array2<double> grid = sne(input, {.n_iter = 40, .gradient = PairForces::Fft}).coordinates();
  double difference = 0, moved = 0;
  for (Index i = 0; i < exact.size(); ++i) {
    difference += std::pow(grid.data()[i] - exact.data()[i], 2);
    moved += std::pow(start.data()[i] - exact.data()[i], 2);
  }
  EXPECT_LT(std::sqrt(difference / moved), 0.01);
  EXPECT_NE(grid, exact);
}

TEST(SneMethod, ChoosesTheForces) {
  EXPECT_EQ(gradient_of(sne(normal_matrix(500, 3, 33), {.n_iter = 0})), OptionValue(std::string("exact")));
  EXPECT_EQ(gradient_of(sne(normal_matrix(501, 3, 33), {.n_iter = 0})), OptionValue(std::string("fft")));
  EXPECT_EQ(gradient_of(sne(normal_matrix(501, 3, 33), {.n_components = 3, .n_iter = 0})),
            OptionValue(std::string("exact")));
  const Array2<double> x = normal_matrix(50, 4, 34);
  expect_error(ErrorKind::InvalidOption, "gradient=tree is not for sne",
               [&] { sne(x, {.gradient = PairForces::Tree}); });
  expect_error(ErrorKind::InvalidOption, "gradient=fft is for one or two dimensions, not for n_components=3",
               [&] { sne(x, {.n_components = 3, .gradient = PairForces::Fft}); });
}

}  // namespace
}  // namespace unroll
