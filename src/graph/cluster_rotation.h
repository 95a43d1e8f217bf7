#pragma once
#include "graph/cluster_assignment.h"
#include "unroll/graph/label_assignment.h"

/// Clusters by directions instead of centers.
namespace unroll {

/// Throws InvalidOption if the rule needs as many eigenvectors as clusters, and these are not.
void check_assignment(LabelAssignment rule, Index n_components, Index n_clusters);

/// The cluster of every row: the direction with the largest product, the first of several.
std::vector<Index> nearest_directions(const Array2<double>& rows, const ClusterDirections& directions, const Run& run);

/// One direction per column of `rows`. Centers are the means of the clusters. `rule` is not KMeans.
ClusterAssignment rotate_to_clusters(const Array2<double>& rows, LabelAssignment rule, const Run& run);

/// By either: assign_clusters, or rotate_to_clusters.
ClusterAssignment find_clusters(const Array2<double>& rows, LabelAssignment rule, Index count, Index n_init,
                                std::int64_t seed, const Run& run);

}  // namespace unroll
