#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "layout/layout.h"
#include "layout/limited_memory_bfgs.h"
#include "layout/unfolding_bound.h"
#include "layout/unfolding_curvature.h"
#include "layout/unfolding_fit.h"
#include "layout/unfolding_objective.h"

namespace unroll {

struct UnfoldingSettings {
  Index n_components = 2;
  UnfoldingRules rules = {};
  double tolerance = 1e-3;       ///< of the trace
  bool is_to_be_proven = false;  ///< it ends only if the multipliers prove the map to be the best
  double unit = 1;               ///< of the factor: coordinates times unit
  std::uint64_t seed = 0;
  UnfoldingCurvature::Effort effort = {};  ///< the most that its factors may cost
};

/// Maximum variance unfolding with K = Y Y^T of low rank (Burer & Monteiro 2003; Kulis, Surendran & Platt 2007). Rounds
/// of limited-memory BFGS lower the augmented Lagrangian, and after each the multipliers are corrected. The first guess
/// of the curvature is the Laplacian of the constraints, factorised, where its factor is sparse. If the multipliers do
/// not prove the map to be the best, Y gets a column along their most negative direction, which leads out of any saddle
/// (Boumal, Voroninski & Bandeira 2016).
class UnfoldingLayout final : public Layout {
 public:
  /// The columns of the start, in units of the constraints, are the rank to begin with.
  UnfoldingLayout(const DistanceConstraints& constraints, Array2<double> start, const UnfoldingSettings& settings);
  /// Throws InvalidData if the state is of other constraints.
  UnfoldingLayout(const DistanceConstraints& constraints, const LayoutState& state, const UnfoldingSettings& settings);

  void step(Index until, const Run& run) override;
  bool is_converged() const override { return is_converged_; }
  Index iteration() const override { return iteration_; }
  double loss() const override;  ///< the trace in the unit of the data
  std::optional<double> violation() const override { return fit_.violation; }
  const Array2<double>& coordinates() const override { return coordinates_; }
  LayoutState state() const override;

  double trace() const { return inner(factor_, factor_); }
  const UnfoldingFit& fit() const { return fit_; }
  /// Y, columns being the principal axes of every component, in units of the constraints.
  const Array2<double>& factor() const { return factor_; }
  const DistanceConstraints& constraints() const { return constraints_; }
  /// What the multipliers prove. There is no bound if the smallest eigenvalue was not found, if all points are in one
  /// place, or if the graph has more than 100 components.
  const std::optional<UnfoldingBound>& bound(const Run& run);
  std::optional<double> gap(
      const Run& run);  ///< (bound - trace) / trace, the trace being that of the map that is shown

  static constexpr double kCertified = 1e-3;
  /// Steps that are remembered of a factor of so many numbers: many tell more of the curvature, where they cost little.
  static std::size_t steps_kept(Index size);

 private:
  static constexpr Index kMostProofs = 30, kMostRank = 40;
  void begin();
  void evaluate(const Run& run);
  void prepare(const Run& run);
  void advance(const Run& run);
  bool move(const Array2<double>& direction, const Run& run);
  double stationarity() const;
  double tolerance() const;
  bool is_feasible() const;
  void end_round(const Run& run);
  void correct_multipliers(const Run& run);
  void prove(const Run& run);
  void escape(const Array2<double>& directions);
  void turn(const Array2<double>& y);
  void forget_bound();
  void set_coordinates();

  const DistanceConstraints& constraints_;
  UnfoldingSettings settings_;
  UnfoldingObjective objective_;
  Array2<double> y_, gradient_, factor_, coordinates_;
  UnfoldingFit fit_;
  Array2<double> round_y_;  ///< y at the start of the round
  LimitedMemoryBfgs memory_;
  double target_ = 0.1;                             ///< stationarity that ends a round
  double last_infeasibility_ = 1, last_trace_ = 0;  ///< at the end of the last round
  Index round_start_ = 0;                           ///< the first iteration of this one
  Index proofs_ = 0;                                ///< tried
  Index iteration_ = 0;
  bool is_converged_ = false;

  // What follows from the above.
  bool is_evaluated_ = false;
  std::optional<UnfoldingCurvature> curvature_ = {};
  bool has_looked_for_bound_ = false;
  std::optional<UnfoldingBound> bound_ = {};
};

}  // namespace unroll
