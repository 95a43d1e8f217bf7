#pragma once
#include <vector>

#include "layout/layout.h"
#include "layout/limited_memory_bfgs.h"
#include "layout/stress_objective.h"

namespace unroll {

/// Descends a stress. Every iteration proposes the step of limited-memory BFGS (Nocedal 1980), with the majoriser as
/// its first guess of the curvature. If the stress does not fall enough there, the step is that of majorisation instead
/// (de Leeuw 1977: Guttman's transform), after which it always falls. So the stress falls in every iteration, and most
/// of them look at the distances once.
class StressLayout final : public Layout {
 public:
  /// It ends where `kWindow` iterations lower the stress by less than `tolerance` of it. Coordinates are those of
  /// `start`; the objective sees them times `unit`, a power of two.
  StressLayout(StressObjective& objective, const Array2<double>& start, double unit, double tolerance);
  StressLayout(StressObjective& objective, const Array2<double>& map, const LayoutState& state, double unit,
               double tolerance);

  void step(Index until, const Run& run) override;
  bool is_converged() const override { return is_converged_; }
  Index iteration() const override { return iteration_; }
  /// The root of the value: 0 to about 1.
  double loss() const override;
  const Array2<double>& coordinates() const override { return coordinates_; }
  LayoutState state() const override;

  /// The value of the present map, which is computed if no iteration has been done.
  double value(const Run& run);

  /// Throws InvalidData unless the objective has the value at this map that the state tells: a state is of one data
  /// set.
  void check_goes_on(const Run& run);

  static constexpr Index kWindow = 10;

 private:
  void advance(const Run& run);
  void start_descent(const Run& run);
  Array2<double> newton_direction() const;
  bool try_step(const Array2<double>& direction, double length, const Run& run);
  void accept();
  void scale_coordinates();

  StressObjective& objective_;
  double unit_, tolerance_;
  Array2<double> map_, gradient_, coordinates_;
  Array2<double> trial_, trial_gradient_;
  double value_ = -1, trial_value_ = 0;  ///< negative: not yet known
  LimitedMemoryBfgs memory_;
  std::vector<double> history_ = {};  ///< values of the last iterations, oldest first
  Index iteration_ = 0;
  bool is_converged_ = false;
};

}  // namespace unroll
