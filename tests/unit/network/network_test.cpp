// The network: its gradient against finite differences, its bits against the number of threads.
#include "network/network.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/matrices.h"

namespace unroll {
namespace {

std::vector<float> batch_of(Index rows, Index cols, bool is_binary) {
  const Array2<double> x = normal_matrix(rows, cols, 3);
  std::vector<float> batch;
  for (Index i = 0; i < x.size(); ++i)
    batch.push_back(static_cast<float>(is_binary ? 1 / (1 + std::exp(-x.data()[i])) : x.data()[i]));
  return batch;
}

/// The loss by the definition, in double precision: sum |reconstruction - x|^2 / (2 rows).
double plain_loss(const NetworkShape& shape, const std::vector<double>& parameters, const std::vector<float>& batch,
                  Index rows) {
  double loss = 0;
  for (Index r = 0; r < rows; ++r) {
    std::vector<double> values(batch.begin() + r * shape.features(), batch.begin() + (r + 1) * shape.features());
    for (Index i = 0; i < shape.layers(); ++i) {
      const NetworkLayer& layer = shape.layer(i);
      std::vector<double> next;
      for (Index b = 0; b < layer.size.out; ++b) {
        double sum = parameters[static_cast<std::size_t>(layer.bias + b)];
        for (Index a = 0; a < layer.size.in; ++a)
          sum += values[static_cast<std::size_t>(a)] *
                 parameters[static_cast<std::size_t>(layer.weights + a * layer.size.out + b)];
        next.push_back(layer.is_linear ? sum : 1 / (1 + std::exp(-sum)));
      }
      values = next;
    }
    for (Index j = 0; j < shape.features(); ++j)
      loss += std::pow(values[static_cast<std::size_t>(j)] -
                           static_cast<double>(batch[static_cast<std::size_t>(r * shape.features() + j)]),
                       2);
  }
  return loss / (2 * static_cast<double>(rows));
}

TEST(Network, ItsGradientIsThatOfFiniteDifferences) {
  constexpr Index kRows = 7;
  for (const bool is_binary : {false, true}) {
    const NetworkShape shape({5, 19, 6, 2}, is_binary);
    std::vector<float> parameters = start_parameters(shape, 1);
    const Array2<double> noise = normal_matrix(1, shape.parameters(), 2);
    for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] += static_cast<float>(0.3 * noise.data()[i]);
    const std::vector<float> batch = batch_of(kRows, 5, is_binary);
    NetworkPass pass(shape, kRows);
    std::copy(batch.begin(), batch.end(), pass.input());
    std::vector<float> gradient(parameters.size());
    pass.forward(parameters.data(), kRows, shape.layers(), {});
    const double squares = pass.backward(parameters.data(), kRows, gradient.data(), {});
    std::vector<double> exact(parameters.begin(), parameters.end());
    EXPECT_NEAR(squares / (2 * kRows), plain_loss(shape, exact, batch, kRows), 1e-5 * squares);
    EXPECT_NEAR(pass.squared_error(kRows), squares, 1e-6 * squares);
    constexpr double kStep = 1e-5;
    double largest = 0, worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double before = exact[i];
      exact[i] = before + kStep;
      const double above = plain_loss(shape, exact, batch, kRows);
      exact[i] = before - kStep;
      const double slope = (above - plain_loss(shape, exact, batch, kRows)) / (2 * kStep);
      exact[i] = before;
      largest = std::max(largest, std::abs(slope));
      worst = std::max(worst, std::abs(slope - static_cast<double>(gradient[i])));
    }
    EXPECT_GT(largest, 0.01);
    EXPECT_LT(worst, 1e-5 * largest) << (is_binary ? "binary" : "gaussian");
  }
}

TEST(Network, TheDecoderMirrorsTheEncoder) {
  const NetworkShape shape({4, 3, 2}, true);
  EXPECT_EQ(shape.parameters(), 2 * (4 * 3 + 3 * 2) + 3 + 2 + 3 + 4);
  EXPECT_FALSE(shape.layer(0).is_linear);
  EXPECT_TRUE(shape.layer(1).is_linear);  // the code
  EXPECT_FALSE(shape.layer(3).is_linear);
  EXPECT_TRUE(NetworkShape({4, 3, 2}, false).layer(3).is_linear);
  const std::vector<float> parameters = start_parameters(shape, 5);
  for (const Index i : {0, 1}) {
    const NetworkLayer &there = shape.layer(i), &back = shape.mirror(i);
    EXPECT_EQ(there.size.in, back.size.out);
    for (Index a = 0; a < there.size.in; ++a)
      for (Index b = 0; b < there.size.out; ++b)
        EXPECT_EQ(parameters[static_cast<std::size_t>(there.weights + a * there.size.out + b)],
                  parameters[static_cast<std::size_t>(back.weights + b * there.size.in + a)]);
  }
}

/// Layers so wide that their products are cut into blocks.
TEST(Network, ThreadsDoNotChangeBits) {
  constexpr Index kRows = 90;
  const NetworkShape shape({300, 700, 250, 3}, false);
  const std::vector<float> parameters = start_parameters(shape, 1), batch = batch_of(kRows, 300, false);
  const auto gradient = [&](int threads) {
    NetworkPass pass(shape, kRows);
    std::copy(batch.begin(), batch.end(), pass.input());
    std::vector<float> result(parameters.size());
    pass.forward(parameters.data(), kRows, shape.layers(), {.threads = threads});
    pass.backward(parameters.data(), kRows, result.data(), {.threads = threads});
    return result;
  };
  const std::vector<float> one = gradient(1);
  for (const int threads : {2, 3, 8}) EXPECT_TRUE(gradient(threads) == one) << threads;
}

}  // namespace
}  // namespace unroll
