#include "neighbors/farthest_first.h"

#include <algorithm>
#include <limits>

#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
namespace {

constexpr Index kPerBlock = 1024;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A new landmark c can be nearer to p than a only if d(a, c) < 2 d(a, p), since d(a, c) <= d(a, p) + d(p, c). So the
/// limit of every chosen a is d(a, c) / 2: points within it keep a and need no comparison with c. In few dimensions
/// these are nearly all. kRounding is subtracted for the rounding of the three distances, which is far smaller unless
/// they are subnormal.
std::vector<double> limits(const std::vector<Index>& chosen, const PairDistance& distance, const Run& run) {
  constexpr double kRounding = 1e-9;
  const double subnormal = 4 * std::numeric_limits<double>::denorm_min() * distance.factor();
  std::vector<double> result(chosen.size(), 0);
  if (!distance.keeps_triangles()) return result;
  parallel_for(run, std::ssize(chosen) - 1, kPerBlock, [&](Index begin, Index end) {
    for (Index a = begin; a < end; ++a) {
      const double length = distance.scaled(chosen[at(a)], chosen.back());
      result[at(a)] = std::max(0.0, 0.5 * (length * (1 - kRounding) - subnormal));
    }
  });
  return result;
}

struct Farthest {
  double distance = -kInfinity;
  Index place = 0;
};

}  // namespace

std::vector<Index> farthest_first(const std::vector<Index>& among, Index count, Index first,
                                  const PairDistance& distance, const Run& run) {
  std::vector<double> nearest(among.size(), kInfinity);  // the distance to the nearest chosen point,
  std::vector<Index> owner(among.size(), 0);             // and which one that is
  std::vector<Index> chosen;
  for (Farthest next{.place = first};;) {
    chosen.push_back(among[at(next.place)]);
    if (std::ssize(chosen) == count) return chosen;
    nearest[at(next.place)] = -1;
    const std::vector<double> limit = limits(chosen, distance, run);
    const auto update = [&](Index begin, Index end) {
      Farthest best;
      for (Index i = begin; i < end; ++i) {
        double& own = nearest[at(i)];
        if (own > limit[at(owner[at(i)])]) {
          const double length = distance.scaled(among[at(i)], chosen.back());
          if (length < own) own = length, owner[at(i)] = std::ssize(chosen) - 1;
        }
        if (own > best.distance) best = {own, i};
      }
      return best;
    };
    next = parallel_reduce(run, std::ssize(among), kPerBlock, Farthest{}, update,
                           [](Farthest a, Farthest b) { return b.distance > a.distance ? b : a; });
  }
}

}  // namespace unroll
