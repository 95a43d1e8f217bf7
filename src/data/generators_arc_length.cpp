#include <algorithm>
#include <array>
#include <cmath>

#include "data/generators_curves.h"

namespace unroll {
namespace {

/// With 256 cells and 5 nodes the truncation error of an analytic speed is below rounding.
constexpr std::size_t kCells = 256;

struct Node {
  double place;  ///< in [-1, 1]
  double weight;
};
constexpr std::array<Node, 5> kGaussLegendre{{{-0.9061798459386640, 0.23692688505618909},
                                              {-0.5384693101056831, 0.47862867049936647},
                                              {0, 0.56888888888888889},
                                              {0.5384693101056831, 0.47862867049936647},
                                              {0.9061798459386640, 0.23692688505618909}}};

}  // namespace

PeriodicArcLength::PeriodicArcLength(std::function<double(double)> speed, double period)
    : speed_(std::move(speed)), period_(period), cell_(period / kCells), knots_(kCells + 1) {
  for (std::size_t i = 0; i < kCells; ++i) knots_[i + 1] = knots_[i] + integral(cell_ * static_cast<double>(i), cell_);
}

double PeriodicArcLength::integral(double begin, double width) const {
  const double half = width / 2;
  double sum = 0;
  for (const Node& node : kGaussLegendre) sum += node.weight * speed_(begin + half * (1 + node.place));
  return half * sum;
}

double PeriodicArcLength::length(double t) const {
  const double periods = std::floor(t / period_);
  const double rest = std::clamp(t - periods * period_, 0.0, period_);
  const auto cell = std::min(static_cast<std::size_t>(rest / cell_), kCells - 1);
  const double begin = cell_ * static_cast<double>(cell);
  return periods * per_period() + knots_[cell] + integral(begin, rest - begin);
}

double PeriodicArcLength::parameter(double length) const {
  const double periods = std::floor(length / per_period());
  const double rest = std::clamp(length - periods * per_period(), 0.0, per_period());
  const auto after = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, rest);
  const auto cell = static_cast<std::size_t>(after - knots_.begin()) - 1;
  const double begin = cell_ * static_cast<double>(cell);
  const double into_cell = rest - knots_[cell];
  const double guess = cell_ * into_cell / (knots_[cell + 1] - knots_[cell]);
  const double offset = solve_increasing(into_cell, 0, cell_, guess, [&](double x) {
    return std::pair{integral(begin, x), speed_(begin + x)};
  });
  return periods * period_ + begin + offset;
}

}  // namespace unroll
