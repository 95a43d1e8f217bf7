#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"
#include "unroll/core/option_field.h"
#include "unroll/data/generators.h"

/// Common parts of the generators. Each one is an options struct with its name, title and fields, and a function
/// `Dataset generate(Index n_samples, std::uint64_t seed, const Options&)`, both in its family's header.
namespace unroll {

/// Lengths and deviations whose squares and sums stay finite.
constexpr Limits positive_length() { return {.low = 0, .high = 1e100, .low_open = true}; }
constexpr Limits deviation() { return between(0, 1e100); }

constexpr double kTurn = 2 * std::numbers::pi;

constexpr std::string_view kNoiseHelp = "Standard deviation of the normal noise added to every coordinate.";

/// A data set of zeros. Throws InvalidOption for fewer than one sample, OutOfMemory for too many.
Dataset blank_dataset(Index n_samples, Index n_features, std::vector<std::string> truth_names);

/// Labels 0, 1, .., n_labels-1, 0, 1, ..: groups of equal size in every prefix of the data.
void add_labels(Dataset& data, Index n_labels);

/// Adds independent normal noise; the generator's name makes it independent of the noise of other generators.
void add_noise(Dataset& data, double standard_deviation, std::uint64_t seed, std::string_view generator);

/// The random numbers of row i: value `which` of the row does not depend on the number of rows.
class RowRandom {
 public:
  RowRandom(std::uint64_t seed, std::string_view generator) : random_(seed, generator) {}

  /// In [low, high).
  double uniform(Index row, std::uint64_t which, double low, double high) const {
    return low + (high - low) * random_.uniform(static_cast<std::uint64_t>(row), which);
  }
  double normal(Index row, std::uint64_t which) const { return random_.normal(static_cast<std::uint64_t>(row), which); }

 private:
  Random random_;
};

/// The x in [low, high] where an increasing function reaches `target`, to rounding. `value_and_slope(x)` returns a
/// pair. Newton's method; a step that would leave the bracket becomes a bisection. After a step of 1e-10 the error is
/// of the order of its square.
template <class Function>
double solve_increasing(double target, double low, double high, double guess, Function&& value_and_slope) {
  constexpr int kMaxSteps = 100;
  constexpr double kLastStep = 1e-10;
  double x = guess;
  for (int i = 0; i < kMaxSteps; ++i) {
    const std::pair<double, double> at_x = value_and_slope(x);
    const double step = (at_x.first - target) / at_x.second;
    if (std::abs(step) <= kLastStep * std::abs(x)) return x - step;
    (step > 0 ? high : low) = x;
    const double next = x - step;
    x = next > low && next < high ? next : low + (high - low) / 2;
  }
  return x;
}

}  // namespace unroll
