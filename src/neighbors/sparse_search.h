#pragma once
#include <memory>

#include "neighbors/search_engine.h"

namespace unroll {

/// All pairs of sparse rows, for metrics with a Euclidean form: inner products with some queries at a time propose
/// candidates, and the judge decides. It keeps no copy of the rows.
std::unique_ptr<SearchEngine> make_sparse_engine(const MetricRows& rows, const NeighborOptions& options,
                                                 const Run& run);

}  // namespace unroll
