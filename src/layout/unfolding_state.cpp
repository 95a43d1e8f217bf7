// How far maximum variance unfolding came, as numbers: of the model to go on from, and of this one.
#include <algorithm>

#include "core/at.h"
#include "layout/unfolding_layout.h"
#include "unroll/core/error.h"

namespace unroll {

UnfoldingLayout::UnfoldingLayout(const DistanceConstraints& constraints, const LayoutState& state,
                                 const UnfoldingSettings& settings)
    : constraints_(constraints), settings_(settings), objective_(constraints, settings.rules), memory_(0) {
  const std::vector<double>& numbers = state.numbers;
  constexpr std::size_t kHeader = 9;
  const auto refuse = [] {
    throw Error(ErrorKind::InvalidData, "the model to go on from was fitted to other points",
                "give the points that it was fitted to");
  };
  if (numbers.size() < kHeader || numbers[8] != constraints.digest()) refuse();
  const auto whole = [&](double number, Index most) {
    if (!(number >= 0 && number <= static_cast<double>(most))) refuse();
    return static_cast<Index>(number);
  };
  constexpr Index kMostKept = 100;
  const Index n = constraints.points(), rank = whole(numbers[0], n + kMostRank), kept = whole(numbers[7], kMostKept);
  const Index size = n * rank;
  if (rank < 1 || std::ssize(numbers) != static_cast<Index>(kHeader) + 2 * size + constraints.size() + 2 * kept * size)
    refuse();
  auto from = numbers.begin() + kHeader;
  const auto take = [&] {
    Array2<double> array = Array2<double>::uninitialized(n, rank);
    std::copy_n(from, size, array.data());
    from += size;
    return array;
  };
  y_ = take();
  round_y_ = take();
  gradient_ = Array2<double>(n, rank);
  memory_ = LimitedMemoryBfgs(steps_kept(size));
  objective_.set({from, from + constraints.size()}, numbers[1]);
  from += constraints.size();
  for (Index k = 0; k < kept; ++k) {
    Array2<double> step = take();
    memory_.restore(std::move(step), take());
  }
  target_ = numbers[2], last_infeasibility_ = numbers[3], last_trace_ = numbers[4];
  round_start_ = whole(numbers[5], state.iteration), proofs_ = whole(numbers[6], kMostProofs);
  iteration_ = state.iteration;
  is_converged_ = state.is_converged;
  set_coordinates();
}

LayoutState UnfoldingLayout::state() const {
  LayoutState state{.iteration = iteration_, .is_converged = is_converged_};
  const auto& steps = memory_.memory();
  const std::size_t kept = is_converged_ ? 0 : steps.size();
  state.numbers = {static_cast<double>(y_.cols()),
                   objective_.sigma(),
                   target_,
                   last_infeasibility_,
                   last_trace_,
                   static_cast<double>(round_start_),
                   static_cast<double>(proofs_),
                   static_cast<double>(kept),
                   constraints_.digest()};
  const auto put = [&](const double* values, Index size) {
    state.numbers.insert(state.numbers.end(), values, values + size);
  };
  put(y_.data(), y_.size());
  put(round_y_.data(), round_y_.size());
  put(objective_.lambda().data(), constraints_.size());
  for (std::size_t k = 0; k < kept; ++k) {
    put(steps[k].step.data(), steps[k].step.size());
    put(steps[k].change.data(), steps[k].change.size());
  }
  return state;
}

}  // namespace unroll
