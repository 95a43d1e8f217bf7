#pragma once
#include <vector>

#include "affinity/affinity.h"
#include "sources/cluster_assignment.h"
#include "unroll/core/model.h"

namespace unroll {

/// How many eigenvalues of a graph are read so that the gap behind those of its clusters can be seen: every component
/// has one of 0.
Index eigenvalues_to_see(const Components& components, Index n_clusters, Index n_components);

/// The number of clusters that eigenvalues suggest, at least one per component.
Index suggested_clusters(const std::vector<double>& values, Index components);

/// The warnings of the assignment, and the attributes cluster_sizes, inertia, centers and, where there is a graph of
/// all points, conductance.
void report_clusters(const ClusterAssignment& found, const Affinity* graph, Embedding& embedding, const Run& run);

}  // namespace unroll
