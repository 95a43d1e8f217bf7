#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "unroll/quality/quality.h"

/// The measures of neighbourhoods, from graphs that several of them share.
namespace unroll {

inline constexpr double kNormal95 = 1.959963984540054;  ///< 97.5 % quantile of the normal distribution

/// How neighbours are searched among the points and among their coordinates.
NeighborOptions high_search(const QualityOptions& options);
NeighborOptions low_search(const QualityOptions& options);

/// Throws for points and coordinates that do not belong together, or are not finite, and for too many neighbours.
void check_pair(PointsView high, PointsView low, const QualityOptions& options, const Run& run);
/// The same without the check of the number of neighbours.
void check_rows(PointsView high, PointsView low, const QualityOptions& options, const Run& run);
void check_neighbors(Index n, const QualityOptions& options);
/// Requires k < n / 2: for larger k the formulas of trustworthiness and continuity have no meaning.
void check_half(Index n, const QualityOptions& options);
void check_labels(Index n, const std::vector<std::int64_t>& labels);

/// `count` points in ascending order, all points if there are no more.
std::vector<Index> sampled_points(Index n, Index count, const QualityOptions& options);

/// `graph` holds the k nearest in one space; `points` and `search` are the other space, which gives the ranks. If the k
/// nearest there are known exactly (`nearest`), their ranks are not computed.
NeighborhoodMeasure rank_measure(const NeighborGraph& graph, PointsView points, const NeighborOptions& search,
                                 const NeighborGraph* nearest, const QualityOptions& options, const Run& run);
NeighborhoodMeasure shared_neighbors(const NeighborGraph& high, const NeighborGraph& low);
double vote_accuracy(const NeighborGraph& graph, const std::vector<std::int64_t>& labels);

}  // namespace unroll
