#include "layout/descent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kPointsPerBlock = 2048;
constexpr double kMomentum = 0.8;

Array2<double> ones(Index rows, Index cols) {
  Array2<double> result = Array2<double>::uninitialized(rows, cols);
  std::fill_n(result.data(), result.size(), 1.0);
  return result;
}

}  // namespace

Descent::Descent(Array2<double> start, const DescentSchedule& schedule)
    : schedule_(schedule),
      map_(std::move(start)),
      update_(map_.rows(), map_.cols()),
      gains_(ones(map_.rows(), map_.cols())),
      gradient_(map_.rows(), map_.cols()) {}

Descent::Descent(Array2<double> map, const LayoutState& state, const DescentSchedule& schedule)
    : schedule_(schedule), map_(std::move(map)), gradient_(map_.rows(), map_.cols()) {
  if (state.arrays.size() != 2 || state.numbers.size() != 2)
    throw Error(ErrorKind::InvalidData, "the model to go on from has the state of another optimiser");
  update_ = state.arrays[0];
  gains_ = state.arrays[1];
  iteration_ = state.iteration;
  loss_ = state.numbers[0];
  clipped_ = static_cast<Index>(state.numbers[1]);
  is_converged_ = state.is_converged;
}

LayoutState Descent::state() const {
  return {.iteration = iteration_,
          .is_converged = is_converged_,
          .numbers = {loss_, static_cast<double>(clipped_)},
          .arrays = {update_, gains_}};
}

double Descent::clipped_share() const { return static_cast<double>(clipped_) / static_cast<double>(map_.rows()); }

void Descent::step(Index until, const Run& run) {
  const auto n = static_cast<double>(map_.rows());
  while (iteration_ < until && !is_converged_) {
    const bool is_early = iteration_ < schedule_.early_iterations;
    const double exaggeration = is_early ? schedule_.early_exaggeration : schedule_.late_exaggeration;
    const auto loss = gradient(map_, exaggeration, iteration_ % kCheck == 0, gradient_, run);
    if (loss) check(*loss);
    if (is_converged_) return;
    move(schedule_.learning_rate.value_or(n / exaggeration), run);
    ++iteration_;
  }
}

void Descent::check(double loss) {
  // The first looks are at the exaggerated phase, whose loss may rise.
  const bool compares = iteration_ >= schedule_.early_iterations + 2 * kCheck;
  is_converged_ = compares && loss_ - loss < schedule_.tolerance * loss_;
  loss_ = loss;
}

/// The map moves by momentum * update - rate * gain * gradient, a step of at most kLongestStep per point, and keeps its
/// mean at 0. A gain grows where the gradient keeps its sign.
void Descent::move(double rate, const Run& run) {
  constexpr double kGrowth = 0.2, kShrinkage = 0.8, kLeastGain = 0.01, kLargest = 1e100;
  const Index dims = map_.cols();
  struct Part {
    std::vector<double> sums;
    Index clipped = 0;
  };
  const Part all = parallel_reduce(
      run, map_.rows(), kPointsPerBlock, Part{std::vector<double>(static_cast<std::size_t>(dims))},
      [&](Index begin, Index end) {
        Part part{std::vector<double>(static_cast<std::size_t>(dims))};
        for (Index i = begin; i < end; ++i) {
          double squared = 0;
          for (Index d = 0; d < dims; ++d) {
            const double slope = gradient_(i, d);
            double& gain = gains_(i, d);
            gain = std::max(slope * update_(i, d) < 0 ? gain + kGrowth : gain * kShrinkage, kLeastGain);
            const double step = std::clamp(rate * gain * slope, -kLargest, kLargest);
            update_(i, d) = kMomentum * update_(i, d) - step;
            squared += update_(i, d) * update_(i, d);
          }
          const double cut = squared > kLongestStep * kLongestStep ? kLongestStep / std::sqrt(squared) : 1;
          part.clipped += cut < 1 ? 1 : 0;
          for (Index d = 0; d < dims; ++d) {
            update_(i, d) *= cut;
            map_(i, d) += update_(i, d);
            part.sums[static_cast<std::size_t>(d)] += map_(i, d);
          }
        }
        return part;
      },
      [](Part a, const Part& b) {
        for (std::size_t d = 0; d < a.sums.size(); ++d) a.sums[d] += b.sums[d];
        a.clipped += b.clipped;
        return a;
      });
  clipped_ = all.clipped;
  for (Index d = 0; d < dims; ++d) {
    const double mean = all.sums[static_cast<std::size_t>(d)] / static_cast<double>(map_.rows());
    if (!std::isfinite(mean))
      throw Error(ErrorKind::NotConverged, fmt::format("the map diverged at iteration {}", iteration_ + 1),
                  "use a smaller learning_rate");
    for (Index i = 0; i < map_.rows(); ++i) map_(i, d) -= mean;
  }
}

}  // namespace unroll
