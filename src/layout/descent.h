#pragma once
#include <optional>
#include <vector>

#include "layout/layout.h"

namespace unroll {

/// How far a map goes along its gradient: momentum, a gain for every coordinate (Jacobs 1988), and no step longer than
/// a limit.
struct DescentSchedule {
  Index early_iterations = 250;
  double early_exaggeration = 12;
  double late_exaggeration = 1;
  std::optional<double> learning_rate = {};  ///< none: n / exaggeration, in each phase (Belkina et al. 2019)
  double tolerance = 0;  ///< it has converged if kCheck iterations lower the loss by less than this part of it
};

/// Gradient descent on KL(P || Q), the optimiser of t-SNE and its kin (van der Maaten & Hinton 2008). Attraction is
/// exaggerated in the first iterations, so that neighbours find each other before the map spreads.
class Descent : public Layout {
 public:
  Descent(Array2<double> start, const DescentSchedule& schedule);
  /// Goes on from a state. Throws InvalidData if it is none of this optimiser.
  Descent(Array2<double> map, const LayoutState& state, const DescentSchedule& schedule);

  void step(Index until, const Run& run) final;
  bool is_converged() const final { return is_converged_; }
  Index iteration() const final { return iteration_; }
  /// As of the last check.
  double loss() const final { return loss_; }
  const Array2<double>& coordinates() const final { return map_; }
  LayoutState state() const final;
  /// The part of the points whose last step was cut.
  double clipped_share() const;

  static constexpr Index kCheck = 50;        ///< iterations between looks at the loss
  static constexpr double kLongestStep = 5;  ///< of a point in an iteration

 protected:
  /// gradient = exaggeration * attraction - repulsion, without a common factor that the learning rate has instead (4
  /// for t-SNE). Returns the loss without exaggeration if it is asked for.
  virtual std::optional<double> gradient(const Array2<double>& map, double exaggeration, bool wants_loss,
                                         Array2<double>& result, const Run& run) = 0;

 private:
  void move(double rate, const Run& run);
  void check(double loss);

  DescentSchedule schedule_;
  Array2<double> map_;
  Array2<double> update_;
  Array2<double> gains_;
  Array2<double> gradient_;
  Index iteration_ = 0;
  double loss_ = 0;
  bool is_converged_ = false;
  Index clipped_ = 0;  ///< points whose last step was cut
};

}  // namespace unroll
