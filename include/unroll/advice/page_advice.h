#pragma once
#include "unroll/core/export.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/report/comparison.h"
#include "unroll/report/page.h"

namespace unroll {

/// What `advise` would say of maps that were made already: which one to take and why, and how to read each. Fills
/// `advised`, `advice` and `reading` of the section; nothing more is tried. The comparison needs its curves
/// (Comparer::measure_curves): without them nothing is said. `points` and `options` are those that were compared. Up to
/// 5000 points the graphs of 5 to 60 neighbours are looked at, too.
UNROLL_API void add_advice(PageSection& section, PointsView points, const Comparison& comparison,
                           const ComparisonOptions& options = {}, const Run& run = {});

}  // namespace unroll
