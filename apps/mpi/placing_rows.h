#pragma once
#include <functional>

#include "job.h"
#include "npy_output.h"
#include "ranks.h"
#include "shared_npy.h"

namespace unroll::cluster {

/// Makes coordinates of some rows; none of them depends on the rows beside it.
using PlaceRows = std::function<Array2<double>(Table rows)>;

/// Every rank places the rows of its slice, some at a time, and all write them. Errors about a row have its place in
/// the whole table. Collective.
void place_rows(const Ranks& ranks, const SharedNpy& input, cli::Job& job, const Run& run, NpyOutput& output,
                const PlaceRows& place);

}  // namespace unroll::cluster
