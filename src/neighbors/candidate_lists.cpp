#include "neighbors/candidate_lists.h"

#include <algorithm>
#include <limits>

namespace unroll {

CandidateLists::CandidateLists(Index points, Index width) : points_(points), width_(width) {
  const auto size = static_cast<std::size_t>(checked_size(points, width, sizeof(float)));
  values_.assign(size, std::numeric_limits<float>::infinity());
  places_.assign(size, kNone);
  fresh_.assign(size, 0);
}

bool CandidateLists::add(Index i, float value, Place place) {
  float* values = values_.data() + i * width_;
  Place* places = places_.data() + i * width_;
  std::uint8_t* fresh = fresh_.data() + i * width_;
  if (!(value < values[width_ - 1])) return false;
  if (std::find(places, places + width_, place) != places + width_) return false;
  Index slot = width_ - 1;
  for (; slot > 0 && (value < values[slot - 1] || (value == values[slot - 1] && place < places[slot - 1])); --slot) {
    values[slot] = values[slot - 1];
    places[slot] = places[slot - 1];
    fresh[slot] = fresh[slot - 1];
  }
  values[slot] = value;
  places[slot] = place;
  fresh[slot] = 1;
  return true;
}

void CandidateLists::add_all(Index i, std::vector<std::pair<float, Place>>& candidates) {
  float* values = values_.data() + i * width_;
  Place* places = places_.data() + i * width_;
  std::uint8_t* fresh = fresh_.data() + i * width_;
  const Index held = std::find(places, places + width_, kNone) - places;
  std::erase_if(candidates, [&](const auto& candidate) {
    return !(candidate.first < values[width_ - 1]) ||
           std::find(places, places + held, candidate.second) != places + held;
  });
  const auto kept = candidates.begin() + std::min(width_, static_cast<Index>(candidates.size()));
  std::nth_element(candidates.begin(), kept, candidates.end());
  std::sort(candidates.begin(), kept);
  // Merges from the back: the largest that remain go to the last slots.
  Index a = held;
  Index b = kept - candidates.begin();
  for (Index slot = std::min(width_, a + b); a + b > slot;) {  // drops what does not fit
    const bool drop_old =
        a > 0 && (b == 0 || !(std::pair(values[a - 1], places[a - 1]) < candidates[static_cast<std::size_t>(b - 1)]));
    drop_old ? --a : --b;
  }
  for (Index slot = a + b - 1; b > 0; --slot) {
    const auto& candidate = candidates[static_cast<std::size_t>(b - 1)];
    const bool from_list = a > 0 && candidate < std::pair(values[a - 1], places[a - 1]);
    values[slot] = from_list ? values[a - 1] : candidate.first;
    places[slot] = from_list ? places[a - 1] : candidate.second;
    fresh[slot] = from_list ? fresh[a - 1] : std::uint8_t{1};
    from_list ? --a : --b;
  }
}

void CandidateLists::age(Index i, Index slots) { std::fill_n(fresh_.begin() + i * width_, slots, std::uint8_t{0}); }

}  // namespace unroll
