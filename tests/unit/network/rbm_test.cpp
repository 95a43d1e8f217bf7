// One restricted Boltzmann machine: what it computes, and that it learns.
#include "network/rbm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/matrices.h"

namespace unroll {
namespace {

constexpr Index kVisible = 6, kHidden = 4, kRows = 200;

/// Rows of two patterns, 1 1 1 0 0 0 and 0 0 0 1 1 1, with a part of the units flipped; or the same with noise.
std::vector<float> patterns(bool is_binary) {
  const Array2<double> noise = normal_matrix(kRows, kVisible, 8);
  std::vector<float> rows;
  for (Index i = 0; i < kRows; ++i)
    for (Index j = 0; j < kVisible; ++j) {
      const bool is_on = (i % 2 == 0) == (j < kVisible / 2);
      const bool is_flipped = noise(i, j) > 1.6;
      rows.push_back(is_binary ? (is_on != is_flipped ? 1.0F : 0.0F)
                               : static_cast<float>((is_on ? 1.0 : -1.0) + 0.2 * noise(i, j)));
    }
  return rows;
}

/// F(v) by the sum over all states of the hidden units.
double plain_free_energy(const NetworkShape& shape, const std::vector<float>& parameters, const float* v,
                         bool is_binary) {
  const auto value = [&](Index i) { return static_cast<double>(parameters[static_cast<std::size_t>(i)]); };
  double sum = 0;
  for (unsigned state = 0; state < 1U << kHidden; ++state) {
    double energy = 0;
    for (Index j = 0; j < kVisible; ++j) {
      const double c = value(shape.mirror(0).bias + j), x = static_cast<double>(v[j]);
      energy += is_binary ? -c * x : (x - c) * (x - c) / 2;
    }
    for (Index k = 0; k < kHidden; ++k) {
      if ((state >> static_cast<unsigned>(k) & 1U) == 0) continue;
      energy -= value(shape.layer(0).bias + k);
      for (Index j = 0; j < kVisible; ++j)
        energy -= static_cast<double>(v[j]) * value(shape.layer(0).weights + j * kHidden + k);
    }
    sum += std::exp(-energy);
  }
  return -std::log(sum);
}

TEST(Rbm, FreeEnergyIsTheSumOverAllHiddenStates) {
  for (const bool is_binary : {true, false}) {
    const NetworkShape shape({kVisible, kHidden, 2}, is_binary);
    std::vector<float> parameters = start_parameters(shape, 4);
    const Array2<double> noise = normal_matrix(1, shape.parameters(), 2);
    for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] += static_cast<float>(0.5 * noise.data()[i]);
    const std::vector<float> rows = patterns(is_binary);
    Rbm machine(shape, 0, kRows);
    double expected = 0;
    for (const Index i : {0, 1, 2})
      expected += plain_free_energy(shape, parameters, rows.data() + i * kVisible, is_binary) / 3;
    EXPECT_NEAR(machine.free_energy(rows.data(), 3, parameters.data(), {}), expected, 1e-5) << is_binary;
  }
}

TEST(Rbm, TheFreeEnergyOfTheDataFallsAndTheyAreRebuilt) {
  for (const bool is_binary : {true, false}) {
    const NetworkShape shape({kVisible, kHidden, 2}, is_binary);
    std::vector<float> parameters = start_parameters(shape, 4), velocity(parameters.size());
    const std::vector<float> rows = patterns(is_binary);
    Rbm machine(shape, 0, kRows);
    const RbmRates rates{.rate = static_cast<float>(machine.usual_rate()), .momentum = 0.5F, .decay = 2e-4F};
    std::vector<double> energies, errors;
    for (std::uint64_t epoch = 0; epoch < 400; ++epoch) {
      if (epoch % 100 == 0) energies.push_back(machine.free_energy(rows.data(), kRows, parameters.data(), {}));
      errors.push_back(machine.update(rows.data(), kRows, rates, epoch, 0, parameters.data(), velocity.data(), {}));
    }
    for (std::size_t i = 1; i < energies.size(); ++i) EXPECT_LT(energies[i], energies[i - 1]) << is_binary << " " << i;
    EXPECT_LT(errors.back(), 0.6 * errors.front()) << is_binary;
  }
}

TEST(Rbm, ThreadsDoNotChangeBits) {
  const NetworkShape shape({300, 520, 2}, true);
  const Array2<double> x = normal_matrix(kRows, 300, 1);
  std::vector<float> rows;
  for (Index i = 0; i < x.size(); ++i) rows.push_back(x.data()[i] > 0 ? 1.0F : 0.0F);
  const auto updated = [&](int threads) {
    std::vector<float> parameters = start_parameters(shape, 4), velocity(parameters.size());
    Rbm machine(shape, 0, kRows);
    for (const std::uint64_t seed : {1U, 2U})
      machine.update(rows.data(), kRows, {}, seed, 0, parameters.data(), velocity.data(), {.threads = threads});
    return parameters;
  };
  const std::vector<float> one = updated(1);
  for (const int threads : {2, 3, 8}) EXPECT_TRUE(updated(threads) == one) << threads;
}

}  // namespace
}  // namespace unroll
