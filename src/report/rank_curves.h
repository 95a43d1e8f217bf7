#pragma once
#include "unroll/report/comparison.h"

namespace unroll {

/// The curves of the maps among `methods`; none where there are too few points. A sample is measured where n^2 is
/// large.
std::optional<RankCurves> rank_curves(PointsView points, const std::vector<ComparedMethod>& methods,
                                      const QualityOptions& options, const Run& run);

}  // namespace unroll
