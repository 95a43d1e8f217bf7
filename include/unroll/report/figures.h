#pragma once
#include <optional>
#include <string>
#include <vector>

#include "unroll/core/export.h"
#include "unroll/report/comparison.h"

/// A comparison as a table of figures, and in words.
namespace unroll {

/// One column of the table of a comparison.
struct Figure {
  std::string name = {};     ///< "true_distance_pearson", as in reports of quality
  std::string title = {};    ///< "distance r", for people
  std::string heading = {};  ///< the same in 8 characters at most
  std::string meaning = {};  ///< one sentence
  int decimals = 4;
  bool more_is_better = true;
  bool can_be_best = true;                         ///< false: times, which differ from run to run
  std::vector<std::optional<double>> values = {};  ///< per method; none: it failed, or has no such value
  /// Per method: half of the interval that contains 95 % of what other points of the same kind would give.
  std::vector<double> uncertainty = {};
  std::optional<double> random = {};  ///< of a map that puts the points anywhere
  std::optional<double> data = {};    ///< of the data themselves

  /// A value for people to read; one that is not zero is not shown as zero. Empty: there is none.
  UNROLL_API std::string text(std::optional<double> value) const;
  /// Whether no other method is better by more than both are uncertain, while some other is worse by more. What is not
  /// clearly better than chance is not best.
  UNROLL_API bool is_best(std::size_t method) const;
};

/// The columns: seconds; for maps trustworthiness, continuity, label_accuracy, true_distance_pearson and affine_r2 (of
/// the true coordinate that is explained worst); for clusters conductance and adjusted_rand_index. A column without
/// values is left out, unless `with_empty`.
UNROLL_API std::vector<Figure> figures(const Comparison& comparison, bool with_empty = false);

/// The area below the curves of a comparison that has them; no values: it has none.
UNROLL_API Figure area_figure(const Comparison& comparison);

/// From chance to perfection, the part of the way that a figure has to come before it is worth anything.
inline constexpr double kWorthSomething = 0.25;

/// Per method: whether its map keeps neighbourhoods (the mean of trustworthiness and continuity) hardly better than a
/// random map does.
UNROLL_API std::vector<bool> worthless_maps(const Comparison& comparison);

/// What the table says, in sentences: which map keeps neighbourhoods best, by how much over the next one and over
/// chance; who finds labels and truth; which maps are not to be trusted, and what failed.
UNROLL_API std::vector<std::string> verdict(const Comparison& comparison);

}  // namespace unroll
