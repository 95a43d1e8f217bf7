#pragma once
#include "unroll/advice/advise.h"

namespace unroll {

/// Fills in `evidence` and `reading`.
void put_in_words(const AdviceOptions& options, const Run& run, Advice& advice);

/// What may be read from the map of a method, and what may not.
std::vector<std::string> reading_aids(const ComparedMethod& tried, double area, const Run& run);

}  // namespace unroll
