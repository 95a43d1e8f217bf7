#pragma once
#include "affinity/affinity.h"
#include "core/method_fit.h"
#include "learn/known_labels.h"
#include "learn/smoothing.h"

namespace unroll {

/// What a method says of the classes of all points.
struct LabelScores {
  Array2<double> scores = {};  ///< a row per point, a column per class, in any unit; all 0: no label reaches the point
  bool class_mass_normalization = false;
};

/// The model: scores become probabilities. With class mass normalization (Zhu, Ghahramani & Lafferty 2003) the columns
/// are scaled so that over the points without a label they sum up in the proportion of the known labels; then every row
/// is scaled to the sum 1 again, so that the proportion is met nearly. Otherwise a class that lies dense takes more.
MethodFit label_fit(AffinityFit affinity, const KnownLabels& known, LabelScores found);

/// Adds how the system was solved.
void report_solution(const Smoothed& solution, const SmoothingSettings& settings, MethodFit& fit);

}  // namespace unroll
