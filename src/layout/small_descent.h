#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace unroll {

/// Descends a smooth function of a few variables: steps of Barzilai and Borwein (1988), halved until the function falls
/// (Armijo 1966). `function(y, gradient)` returns the value. It ends where steps are below `tolerance`.
template <class Function>
void descend(Function&& function, std::vector<double>& y, int most_steps, double tolerance) {
  constexpr double kSufficient = 1e-4;
  const std::size_t dims = y.size();
  std::vector<double> slope(dims), next(dims), next_slope(dims);
  double value = function(y, slope);
  double rate = 1;
  for (int step = 0; step < most_steps; ++step) {
    double squared = 0;
    for (const double s : slope) squared += s * s;
    if (squared == 0) return;
    double there = 0;
    for (;; rate /= 2) {
      if (!(rate * std::sqrt(squared) >= tolerance)) return;  // also if it is not a number
      for (std::size_t d = 0; d < dims; ++d) next[d] = y[d] - rate * slope[d];
      there = function(next, next_slope);
      if (there <= value - kSufficient * rate * squared) break;
    }
    double moved = 0, curved = 0;
    for (std::size_t d = 0; d < dims; ++d) {
      moved += (next[d] - y[d]) * (next[d] - y[d]);
      curved += (next[d] - y[d]) * (next_slope[d] - slope[d]);
    }
    rate = curved > 0 ? moved / curved : 2 * rate;
    y.swap(next);
    slope.swap(next_slope);
    value = there;
  }
}

}  // namespace unroll
