#pragma once
#include <vector>

#include "affinity/affinity.h"
#include "graph/cluster_assignment.h"
#include "unroll/core/model.h"

namespace unroll {

/// How many eigenvalues of a graph show the gap after those of its clusters; every component has one eigenvalue 0.
Index eigenvalues_to_see(const Components& components, Index n_clusters, Index n_components);

/// The number of clusters that eigenvalues suggest, at least one per component.
Index suggested_clusters(const std::vector<double>& values, Index components);

/// Adds the warnings of the assignment and the attributes cluster_sizes, inertia, centers and, if `graph` is given,
/// conductance and largest_conductance.
void report_clusters(const ClusterAssignment& found, const Affinity* graph, Embedding& embedding, const Run& run);

}  // namespace unroll
