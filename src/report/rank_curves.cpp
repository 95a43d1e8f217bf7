#include "report/rank_curves.h"

#include <algorithm>

namespace unroll {
namespace {

constexpr Index kDrawn = 60;        // places of a curve
constexpr Index kFewestPoints = 5;  // of fewer, a curve says nothing
constexpr Index kMostPairs = 5'000'000;
constexpr Index kFewestMeasured = 100;  // the error of R_NX is below 0.05

}  // namespace

std::optional<RankCurves> rank_curves(PointsView points, const std::vector<ComparedMethod>& methods,
                                      const QualityOptions& options, const Run& run) {
  const Index n = points.rows();
  std::vector<PointsView> maps;
  for (const ComparedMethod& method : methods)
    if (method.quality) maps.emplace_back(method.coordinates);
  if (n < kFewestPoints || maps.empty()) return std::nullopt;
  QualityOptions ranks = options;
  ranks.rank_points = std::max(kFewestMeasured, kMostPairs / n);
  const std::vector<CoRanking> measured = co_rankings(points, maps, ranks, run);
  RankCurves curves{.k = log_spaced_ranks(n - 2, kDrawn)};
  auto next = measured.begin();
  for (const ComparedMethod& method : methods) {
    curves.r_nx.emplace_back();
    curves.area.emplace_back();
    if (!method.quality) continue;
    for (const Index k : curves.k) curves.r_nx.back().push_back(next->r_nx[static_cast<std::size_t>(k - 1)]);
    curves.area.back() = next++->area;
  }
  return curves;
}

}  // namespace unroll
