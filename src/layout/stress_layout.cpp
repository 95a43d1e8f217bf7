#include "layout/stress_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/at.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr double kSufficientFall = 1e-4;  // of what the gradient promises (Armijo 1966)

/// Divides every row by its number; rows without one stay where they are.
void divide_rows(Array2<double>& a, const std::vector<double>& by) {
  for (Index i = 0; i < a.rows(); ++i)
    for (Index d = 0; d < a.cols(); ++d) a(i, d) = by[at(i)] > 0 ? a(i, d) / by[at(i)] : 0;
}

Array2<double> times(const Array2<double>& map, double factor) {
  Array2<double> result = map;
  for (Index i = 0; i < result.size(); ++i) result.data()[i] *= factor;
  return result;
}

}  // namespace

StressLayout::StressLayout(StressObjective& objective, const Array2<double>& start, double unit, double tolerance)
    : StressLayout(objective, start, LayoutState{}, unit, tolerance) {
  objective_.normalize(map_);
  scale_coordinates();
}

StressLayout::StressLayout(StressObjective& objective, const Array2<double>& map, const LayoutState& state, double unit,
                           double tolerance)
    : objective_(objective),
      unit_(unit),
      tolerance_(tolerance),
      map_(times(map, unit)),
      gradient_(map.rows(), map.cols()),
      coordinates_(map),
      trial_(map.rows(), map.cols()),
      trial_gradient_(map.rows(), map.cols()),
      iteration_(state.iteration),
      is_converged_(state.is_converged) {
  if (state.numbers.empty()) return;
  value_ = state.numbers.front();
  history_.assign(state.numbers.begin() + 1, state.numbers.end());
  if (state.arrays.empty()) return;
  gradient_ = state.arrays.front();
  for (std::size_t k = 1; k + 1 < state.arrays.size(); k += 2) memory_.restore(state.arrays[k], state.arrays[k + 1]);
}

void StressLayout::scale_coordinates() { coordinates_ = times(map_, 1 / unit_); }

LayoutState StressLayout::state() const {
  LayoutState state{.iteration = iteration_, .is_converged = is_converged_};
  if (value_ < 0) return state;
  state.numbers = {value_};
  state.numbers.insert(state.numbers.end(), history_.begin(), history_.end());
  if (is_converged_) return state;  // nothing goes on from here
  state.arrays.push_back(gradient_);
  for (const LimitedMemoryBfgs::Curvature& past : memory_.memory()) {
    state.arrays.push_back(past.step);
    state.arrays.push_back(past.change);
  }
  return state;
}

double StressLayout::loss() const { return std::sqrt(std::max(0.0, value_)); }

double StressLayout::value(const Run& run) {
  start_descent(run);
  return value_;
}

void StressLayout::start_descent(const Run& run) {
  if (value_ >= 0) return;
  value_ = objective_.evaluate(map_, gradient_, run);
  if (!std::isfinite(value_))
    throw Error(ErrorKind::InvalidData, "the stress of the start overflows (above 1.8e308)",
                "give a start in the unit of the distances");
  history_ = {value_};
}

void StressLayout::check_goes_on(const Run& run) {
  constexpr double kRounding = 1e-9;  // of the roots: kernels of other processors round otherwise
  if (value_ < 0) return;
  Array2<double> gradient(map_.rows(), map_.cols());
  const double here = std::sqrt(objective_.evaluate(map_, gradient, run)), told = std::sqrt(value_);
  if (std::abs(here - told) <= kRounding) return;
  throw Error(
      ErrorKind::InvalidData,
      fmt::format("the model to go on from was fitted to other distances or weights: the relative stress of its "
                  "map is {} by them and {} by these",
                  told, here),
      "give the data of the model");
}

Array2<double> StressLayout::newton_direction() const {
  return memory_.direction(gradient_, [&](Array2<double>& a) { divide_rows(a, objective_.majorizer()); });
}

/// Whether the value falls enough there; then the trial is complete.
bool StressLayout::try_step(const Array2<double>& direction, double length, const Run& run) {
  const double slope = length * inner(direction, gradient_);
  if (!(slope < 0)) return false;
  trial_ = map_;
  add_times(trial_, length, direction);
  objective_.normalize(trial_);
  trial_value_ = objective_.evaluate(trial_, trial_gradient_, run);
  return trial_value_ <= value_ + kSufficientFall * slope && trial_value_ < value_;
}

void StressLayout::accept() {
  Array2<double> step = trial_, change = trial_gradient_;
  add_times(step, -1, map_);
  add_times(change, -1, gradient_);
  memory_.add(std::move(step), std::move(change));
  std::swap(map_, trial_);
  std::swap(gradient_, trial_gradient_);
  value_ = trial_value_;
}

void StressLayout::advance(const Run& run) {
  constexpr int kMostHalvings = 30;
  bool is_lower = !memory_.empty() && try_step(newton_direction(), 1, run);
  if (!is_lower) {
    memory_.clear();
    Array2<double> direction = times(gradient_, -1);
    divide_rows(direction, objective_.majorizer());
    // The first length always does, but for rounding.
    double length = 1;
    for (int k = 0; k < kMostHalvings && !is_lower; ++k, length /= 2) is_lower = try_step(direction, length, run);
  }
  if (!is_lower) {
    is_converged_ = true;
    return;
  }
  accept();
  ++iteration_;
  history_.push_back(value_);
  if (std::ssize(history_) <= kWindow) return;
  is_converged_ = history_.front() - value_ <= tolerance_ * value_;
  history_.erase(history_.begin());
}

void StressLayout::step(Index until, const Run& run) {
  constexpr double kNoStress = 1e-28;  // rounding of the distances
  if (is_converged_ || iteration_ >= until) return;
  start_descent(run);
  while (iteration_ < until && !is_converged_) {
    run.check_cancelled();
    if (value_ <= kNoStress) {
      is_converged_ = true;
    } else {
      advance(run);
    }
  }
  scale_coordinates();
}

}  // namespace unroll
