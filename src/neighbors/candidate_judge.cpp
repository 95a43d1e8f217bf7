#include "neighbors/candidate_judge.h"

#include <algorithm>

#include "core/at.h"

namespace unroll {
namespace {

/// Rows are fetched from memory so many candidates ahead.
constexpr std::size_t kEstimatesAhead = 4;
constexpr std::size_t kDistancesAhead = 2;

}  // namespace

std::span<const Near> CandidateJudge::rank(Index place, std::span<const Near> candidates, Index most) {
  ranked_.assign(candidates.begin(), candidates.end());
  if (points_.has_more())
    for (std::size_t c = 0; c < ranked_.size(); ++c) {
      if (c + kEstimatesAhead < ranked_.size()) points_.prefetch(ranked_[c + kEstimatesAhead].place());
      ranked_[c] = {points_.estimate(place, ranked_[c].place()), ranked_[c].place()};
    }
  const auto last = ranked_.begin() + static_cast<std::ptrdiff_t>(std::min(ranked_.size(), at(most)));
  std::nth_element(ranked_.begin(), last, ranked_.end());
  ranked_.erase(last, ranked_.end());
  std::sort(ranked_.begin(), ranked_.end());
  return ranked_;
}

std::span<const Candidate> CandidateJudge::judge(Index place) {
  nearest_.clear();
  for (std::size_t c = 0; c < ranked_.size(); ++c) {
    if (c + kDistancesAhead < ranked_.size()) distance_.prefetch(blocks_.point(ranked_[c + kDistancesAhead].place()));
    const Place other = ranked_[c].place();
    const double length = distance_.to_length(nearest_.limit()) * blocks_.unit();
    if (points_.least(ranked_[c].estimate(), place, other) > length * length) continue;
    nearest_.add(distance_(blocks_.point(place), blocks_.point(other)), blocks_.point(other));
  }
  if (static_cast<Index>(nearest_.sorted().size()) < count_) scan_all(place);
  return nearest_.sorted();
}

void CandidateJudge::scan_all(Index place) {
  const Index point = blocks_.point(place);
  nearest_.clear();
  for (Index other = 0; other < points_.points; ++other)
    if (other != point) nearest_.add(distance_(point, other), other);
}

}  // namespace unroll
