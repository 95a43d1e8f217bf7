#include "neighbors/neighbor_descent.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"

namespace unroll {
namespace {

constexpr Index kPointsPerBlock = 512;

/// A set of points that is cleared at no cost.
class Marks {
 public:
  void clear(Index points) {
    if (static_cast<Index>(marks_.size()) == points && ++stamp_ != 0) return;
    marks_.assign(static_cast<std::size_t>(points), 0);
    stamp_ = 1;
  }
  /// Returns whether the point is new to the set.
  bool mark(Index point) { return std::exchange(marks_[static_cast<std::size_t>(point)], stamp_) != stamp_; }

 private:
  std::vector<std::uint32_t> marks_;
  std::uint32_t stamp_ = 0;
};

struct Link {
  float value;
  Place from;
  bool is_new;
};

/// For every point, those that have it among the first `reach` of their lists: at most `reach` of them, the nearest.
struct ReverseLists {
  std::vector<Index> offsets;
  std::vector<Link> links;
};

ReverseLists reverse_lists(const CandidateLists& lists, Index reach, const Run& run) {
  const Index n = lists.points();
  ReverseLists reverse{std::vector<Index>(static_cast<std::size_t>(n) + 1), {}};
  const auto for_each_link = [&](auto&& visit) {
    for (Index i = 0; i < n; ++i) {
      const auto places = lists.places(i);
      for (Index s = 0; s < reach && places[static_cast<std::size_t>(s)] != CandidateLists::kNone; ++s)
        visit(i, s, places[static_cast<std::size_t>(s)]);
    }
  };
  for_each_link([&](Index, Index, Place to) { ++reverse.offsets[static_cast<std::size_t>(to) + 1]; });
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) reverse.offsets[i + 1] += reverse.offsets[i];
  reverse.links.resize(static_cast<std::size_t>(reverse.offsets.back()));
  std::vector<Index> next(reverse.offsets.begin(), reverse.offsets.end() - 1);
  for_each_link([&](Index i, Index s, Place to) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(to)]++);
    reverse.links[at] = {lists.values(i)[static_cast<std::size_t>(s)], static_cast<Place>(i), lists.is_new(i, s)};
  });
  // If there are too many, the nearest come first.
  parallel_for(run, n, kPointsPerBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto first = reverse.links.begin() + reverse.offsets[static_cast<std::size_t>(i)];
      const auto last = reverse.links.begin() + reverse.offsets[static_cast<std::size_t>(i) + 1];
      if (last - first <= reach) continue;
      std::nth_element(first, first + reach, last, [](const Link& a, const Link& b) {
        return a.value < b.value || (a.value == b.value && a.from < b.from);
      });
    }
  });
  return reverse;
}

}  // namespace

Index descend_neighbors(const SketchFloats& points, Index reach, CandidateLists& lists, const Run& run) {
  const Index n = lists.points();
  const ReverseLists reverse = reverse_lists(lists, reach, run);
  const CandidateLists before = lists;
  const auto reverse_count = [&](Index i) {
    return std::min(reach,
                    reverse.offsets[static_cast<std::size_t>(i) + 1] - reverse.offsets[static_cast<std::size_t>(i)]);
  };
  return parallel_reduce(
      run, n, kPointsPerBlock, Index{0},
      [&](Index begin, Index end) {
        static thread_local Marks seen;
        std::vector<Place> untried;
        Index entered = 0;
        for (Index i = begin; i < end; ++i) {
          lists.age(i, reach);
          seen.clear(n);
          seen.mark(i);
          for (const Place p : before.places(i))
            if (p != CandidateLists::kNone) seen.mark(p);
          // A pair without a new link was tried in an earlier round.
          untried.clear();
          const auto propose = [&](Place p, bool is_new) {
            if (is_new && seen.mark(p)) untried.push_back(p);
          };
          const auto propose_around = [&](Place via, bool is_new) {
            const auto places = before.places(via);
            for (Index s = 0; s < reach && places[static_cast<std::size_t>(s)] != CandidateLists::kNone; ++s)
              propose(places[static_cast<std::size_t>(s)], is_new || before.is_new(via, s));
            const Link* links = reverse.links.data() + reverse.offsets[static_cast<std::size_t>(via)];
            for (Index s = 0; s < reverse_count(via); ++s) propose(links[s].from, is_new || links[s].is_new);
          };
          const auto places = before.places(i);
          for (Index s = 0; s < reach && places[static_cast<std::size_t>(s)] != CandidateLists::kNone; ++s)
            propose_around(places[static_cast<std::size_t>(s)], before.is_new(i, s));
          const Link* links = reverse.links.data() + reverse.offsets[static_cast<std::size_t>(i)];
          for (Index s = 0; s < reverse_count(i); ++s) propose_around(links[s].from, links[s].is_new);

          constexpr std::size_t kAhead = 6;
          for (std::size_t c = 0; c < untried.size(); ++c) {
            if (c + kAhead < untried.size()) points.prefetch(untried[c + kAhead]);
            const float value = points.estimate(i, untried[c], lists.limit(i));
            if (value < lists.limit(i) && lists.add(i, value, untried[c])) ++entered;
          }
        }
        return entered;
      },
      [](Index total, Index part) { return total + part; });
}

}  // namespace unroll
