#pragma once
#include <array>
#include <cstdint>

#include "unroll/advice/advise.h"

namespace unroll {

/// Numbers of neighbours that are tried, about sqrt(2) apart.
inline constexpr std::array<std::int64_t, 8> kNeighbors{5, 7, 10, 14, 20, 28, 40, 60};

/// What the graphs of nearest neighbours say: graphs, smallest_connecting_k and dimension of the advice.
void study_graphs(PointsView points, const AdviceOptions& options, const Run& run, Advice& advice);

}  // namespace unroll
