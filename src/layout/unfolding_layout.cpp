#include "layout/unfolding_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/at.h"
#include "layout/principal_factor.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr double kFirstViolation = 1e-2;  // that the first penalty is made for
constexpr double kGrowth = 4;             // of the penalty
constexpr double kSharper = 0.3;          // the next round's stationarity
constexpr double kFeasible = 0.05;        // of the tolerance: residuals are near enough to what is allowed
constexpr double kLost = 0.2;             // of the tolerance: what the way back into the slack may cost
constexpr double kStuck = 0.9;            // of the last round's infeasibility
constexpr double kClearlyBroken = 1e-3;   // infeasibility that more iterations of a round do not mend
constexpr double kSettled = 5e-2;         // of the tolerance: the trace changes no more
constexpr double kSettledProof = 1e-3;    // the same, if the proof matters
constexpr Index kLongestRound = 100;      // iterations
constexpr Index kFewProofs = 5;

double length_of(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares);
}

}  // namespace

std::size_t UnfoldingLayout::steps_kept(Index size) {
  constexpr Index kNumbers = 400'000, kLeast = 8, kMost = 60;
  return at(std::clamp(kNumbers / std::max<Index>(size, 1), kLeast, kMost));
}

UnfoldingLayout::UnfoldingLayout(const DistanceConstraints& constraints, Array2<double> start,
                                 const UnfoldingSettings& settings)
    : constraints_(constraints),
      settings_(settings),
      objective_(constraints, settings.rules),
      y_(std::move(start)),
      memory_(steps_kept(y_.size())) {
  constraints_.center(y_);
  begin();
  turn(Array2<double>(y_));
  last_trace_ = inner(y_, y_);
  set_coordinates();
}

/// The penalty: the multipliers have a mean of tr K / sum b, and residuals of lambda / sigma are wanted.
void UnfoldingLayout::begin() {
  double sum = 0;
  for (const double b : constraints_.squared()) sum += b;
  if (!(sum > 0) || inner(y_, y_) == 0) {
    is_converged_ = true;
    y_ = Array2<double>(y_.rows(), y_.cols());
    return;
  }
  const double multipliers = inner(y_, y_) / sum * std::sqrt(static_cast<double>(constraints_.size()));
  objective_.set(std::vector<double>(at(constraints_.size())), multipliers / (kFirstViolation * constraints_.norm()));
}

void UnfoldingLayout::evaluate(const Run& run) {
  if (is_evaluated_) return;
  objective_.evaluate(y_, gradient_, run);
  is_evaluated_ = true;
}

/// Evaluates, and makes the first guess of the curvature. It depends on the state alone.
void UnfoldingLayout::prepare(const Run& run) {
  evaluate(run);
  if (curvature_) return;
  // Beyond the slack the penalty rises with the distance from the ball: along its surface more slowly.
  const double length = length_of(objective_.lambda()), sigma = objective_.sigma();
  const double stiffness = length > 0 ? length / (objective_.radius() + length / sigma) : sigma;
  UnfoldingCurvature::Effort effort = settings_.effort;
  effort.alone = settings_.n_components;
  effort.is_small_effort = !settings_.is_to_be_proven;
  curvature_.emplace(constraints_, round_y_, objective_.lambda(), stiffness, effort, run);
}

/// |(A*(mu) - I) Y| / |Y|: what is missing to the solution, as a share of it.
double UnfoldingLayout::stationarity() const { return std::sqrt(inner(gradient_, gradient_) / inner(y_, y_)) / 2; }

/// False if the function does not fall along the direction.
bool UnfoldingLayout::move(const Array2<double>& direction, const Run& run) {
  const double slope = inner(direction, gradient_);
  if (!(slope < 0)) return false;
  const double length = objective_.search(y_, direction, slope, run);
  if (!(length > 0)) return false;
  Array2<double> step = direction, change = gradient_;
  for (Index i = 0; i < step.size(); ++i) step.data()[i] *= length;
  add_times(y_, 1, step);
  objective_.evaluate(y_, gradient_, run);
  for (Index i = 0; i < change.size(); ++i) change.data()[i] = gradient_.data()[i] - change.data()[i];
  memory_.add(std::move(step), std::move(change));
  return true;
}

void UnfoldingLayout::advance(const Run& run) {
  prepare(run);
  const auto divide = [&](Array2<double>& gradient) { curvature_->divide(gradient, run); };
  bool has_moved = !memory_.empty() && move(memory_.direction(gradient_, divide), run);
  if (!has_moved) {
    memory_.clear();
    Array2<double> direction = gradient_;
    divide(direction);
    for (Index i = 0; i < direction.size(); ++i) direction.data()[i] *= -1;
    has_moved = move(direction, run);
  }
  ++iteration_;
  forget_bound();
  if (!has_moved || stationarity() <= target_ || iteration_ - round_start_ >= kLongestRound) end_round(run);
}

/// Every proof that fails makes it sharper.
double UnfoldingLayout::tolerance() const {
  constexpr double kLeast = 1e-6;
  return std::max(std::min(kLeast, settings_.tolerance),
                  settings_.tolerance * std::pow(kSharper, static_cast<double>(proofs_)));
}

/// Whether residuals are near enough to what is allowed: there must be a way back into the slack that costs little.
bool UnfoldingLayout::is_feasible() const {
  if (objective_.infeasibility() > kFeasible * tolerance()) return false;
  if (settings_.rules.slack <= kFeasible * tolerance()) return true;
  const std::optional<double> share = allowed_share(constraints_, settings_.rules, y_, {.threads = 1});
  return share && 1 - *share <= kLost * tolerance();
}

void UnfoldingLayout::end_round(const Run& run) {
  const double squares = inner(y_, y_), change = std::abs(squares - last_trace_) / squares;
  const bool has_settled = change <= (settings_.is_to_be_proven ? kSettledProof : kSettled) * tolerance();
  last_trace_ = squares;
  const bool is_kept = is_feasible();
  if (is_kept && (stationarity() <= tolerance() || (has_settled && settings_.is_to_be_proven))) {
    prove(run);
  } else if (is_kept && has_settled) {
    is_converged_ = true;
  } else {
    correct_multipliers(run);
  }
  round_start_ = iteration_;
}

void UnfoldingLayout::correct_multipliers(const Run& run) {
  const double left = objective_.infeasibility();
  const bool is_slow = left > kSharper * last_infeasibility_,
             is_stuck = left > std::max(kStuck * last_infeasibility_, kClearlyBroken);
  last_infeasibility_ = left;
  double sigma = objective_.sigma() * (is_slow ? kGrowth : 1);
  // With a slack a larger penalty than this hardly makes the problem stiffer, but harder.
  if (objective_.radius() > 0)
    sigma = std::max(objective_.sigma(), std::min(sigma, length_of(objective_.multipliers()) / objective_.radius()));
  target_ = std::max(tolerance(), kSharper * target_);
  // Too few columns cannot keep the distances: then multipliers would grow without an end.
  const bool widens = is_stuck && y_.cols() < kMostRank && bound(run).has_value();
  const Array2<double> directions = widens ? bound_->directions : Array2<double>();
  objective_.set(std::vector<double>(is_stuck ? objective_.lambda() : objective_.multipliers()), sigma);
  if (widens) {
    escape(directions);
  } else {
    turn(Array2<double>(y_));
  }
}

const std::optional<UnfoldingBound>& UnfoldingLayout::bound(const Run& run) {
  constexpr Index kMostComponents = 100;
  if (has_looked_for_bound_) return bound_;
  has_looked_for_bound_ = true;
  const Index components = constraints_.components().count();
  if (inner(y_, y_) == 0 || components > kMostComponents || components == constraints_.points()) return bound_;
  evaluate(run);
  try {
    bound_ = unfolding_bound(constraints_, settings_.rules, objective_.multipliers(), settings_.seed, run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::NotConverged && error.kind() != ErrorKind::OutOfMemory) throw;
  }
  return bound_;
}

std::optional<double> UnfoldingLayout::gap(const Run& run) {
  if (!bound(run)) return {};
  const double kept = inner(y_, y_) * allowed_share(constraints_, settings_.rules, y_, run).value_or(1);
  return (bound_->trace - kept) / kept;
}

void UnfoldingLayout::prove(const Run& run) {
  ++proofs_;
  const std::optional<double> missing = gap(run);
  const bool is_last = proofs_ == (settings_.is_to_be_proven ? kMostProofs : kFewProofs) || y_.cols() >= kMostRank;
  if (!missing || std::abs(*missing) < kCertified || is_last) {
    is_converged_ = true;
    return;
  }
  const Array2<double> directions = bound_->directions;
  escape(directions);
}

/// Turns the factor, which changes no distance, and forgets what depends on its columns.
void UnfoldingLayout::turn(const Array2<double>& y) {
  y_ = round_y_ = principal_factor(y, constraints_.components());
  gradient_ = Array2<double>(y_.rows(), y_.cols());
  memory_.clear();
  is_evaluated_ = false;
  curvature_.reset();
  forget_bound();
}

void UnfoldingLayout::forget_bound() {
  has_looked_for_bound_ = false;
  bound_.reset();
}

/// Adds columns along directions of negative curvature, so long that residuals change by a tenth of the slack.
void UnfoldingLayout::escape(const Array2<double>& directions) {
  constexpr double kLeast = 1e-3, kShare = 0.1;
  Array2<double> wider(y_.rows(), y_.cols() + directions.rows());
  for (Index i = 0; i < y_.rows(); ++i) std::copy_n(y_.row(i), y_.cols(), wider.row(i));
  for (Index k = 0; k < directions.rows(); ++k) {
    Array2<double> column(y_.rows(), 1);
    std::copy_n(directions.row(k), y_.rows(), column.data());
    DistanceConstraints::Line line;
    constraints_.along(column, column, line, {.threads = 1});
    double squares = 0;
    for (const double q : line.quadratic) squares += q * q;
    const double moved = kShare * std::max(objective_.radius(), kLeast * constraints_.norm());
    const double length = squares > 0 ? std::sqrt(moved / std::sqrt(squares)) : 0;
    for (Index i = 0; i < y_.rows(); ++i) wider(i, y_.cols() + k) = length * directions(k, i);
  }
  turn(wider);
}

/// The map that is shown keeps the slack, also where y has not quite come to it.
void UnfoldingLayout::set_coordinates() {
  const Run run{.threads = 1};
  factor_ = principal_factor(y_, constraints_.components());
  const double length = std::sqrt(allowed_share(constraints_, settings_.rules, factor_, run).value_or(1));
  if (length < 1)
    for (Index i = 0; i < factor_.size(); ++i) factor_.data()[i] *= length;
  fit_ = unfolding_fit(constraints_, settings_.rules, factor_, run);
  coordinates_ = side_by_side_map(factor_, constraints_.components(), settings_.n_components, settings_.unit);
}

double UnfoldingLayout::loss() const {
  return std::min(trace() / settings_.unit / settings_.unit, std::numeric_limits<double>::max());
}

void UnfoldingLayout::step(Index until, const Run& run) {
  if (is_converged_ || iteration_ >= until) return;
  while (iteration_ < until && !is_converged_) {
    run.check_cancelled();
    advance(run);
  }
  set_coordinates();
}

}  // namespace unroll
