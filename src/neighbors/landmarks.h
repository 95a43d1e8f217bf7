#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/landmark_choice.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// `count` different points, in the order in which they were chosen: every second one is a choice of half as many. Only
/// the options `metric` and `p` count; k-means needs points with coordinates.
std::vector<Index> choose_landmarks(PointsView points, Index count, LandmarkChoice choice,
                                    const NeighborOptions& options, std::uint64_t seed, const Run& run);

/// The same in two steps, for points of which a process holds some: the candidates, ascending, and then the choice
/// among these, whose points alone are given. The result counts candidates.
std::vector<Index> landmark_candidates(Index n, Index count, LandmarkChoice choice, std::uint64_t seed);
std::vector<Index> choose_among_candidates(PointsView candidates, Index count, LandmarkChoice choice,
                                           const NeighborOptions& options, std::uint64_t seed, const Run& run);

/// Random landmarks, which need no distances.
std::vector<Index> random_landmarks(Index n, Index count, std::uint64_t seed);

/// Throws InvalidOption unless n_components < n_landmarks <= n.
void check_landmarks(Index n_landmarks, Index n_components, Index n);

}  // namespace unroll
