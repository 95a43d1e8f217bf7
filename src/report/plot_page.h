#pragma once
#include "unroll/report/plot.h"

namespace unroll {

/// A page of one map, to point at, select in and zoom. What only pictures have, such as a size, throws InvalidOption.
Plot plot_page(const PlotSubject& subject, const PlotOptions& options);

}  // namespace unroll
