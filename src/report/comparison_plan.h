#pragma once
#include <string>
#include <vector>

#include "report/method_list.h"
#include "unroll/report/comparison.h"

namespace unroll {

/// One row of the comparison.
struct PlannedRun {
  const Method* method = nullptr;
  std::string label = {};     ///< its name, with what it has of its own
  OptionValues options = {};  ///< as given to it
  bool has_own_scale = false;
  bool shares_neighbors = false;       ///< it begins with the neighbours that are found once for all
  std::vector<Warning> warnings = {};  ///< about the options that the comparison chose for it
};

struct ComparisonPlan {
  std::vector<PlannedRun> runs = {};
  Index shared_neighbors = 0;           ///< the most that a run needs of those that are shared
  std::vector<std::string> notes = {};  ///< which methods are not run, and why

  bool has(MethodKind kind) const;
};

/// What is run on `n` points. Methods that use neighbours are run for each of the numbers of neighbours, unless they
/// have their own; others once.
ComparisonPlan plan_comparison(const ComparisonOptions& options, const std::vector<std::int64_t>& labels, Index n);

}  // namespace unroll
