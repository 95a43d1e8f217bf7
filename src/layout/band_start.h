#pragma once
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// Where the points of a long sheet lie across it, by its leading eigenvectors, one per column; the first goes along
/// the sheet. The sheet is cut into short pieces. Within a piece, what the first vector leaves of the others varies
/// along one axis, that across the sheet; axes of pieces side by side have the same direction. (A single eigenvector
/// will not do: noise mixes harmonics of the first with those that go across, so that it may change its sign along the
/// sheet.) The result has a deviation of 1 in every piece, or is 0 where nothing is left.
std::vector<double> places_across(Array2<double> vectors);

}  // namespace unroll
