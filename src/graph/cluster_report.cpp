#include "graph/cluster_report.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "graph/partition_cut.h"

namespace unroll {

Index eigenvalues_to_see(const Components& components, Index n_clusters, Index n_components) {
  constexpr Index kBeyond = 5;            // eigenvalues after those of the clusters or components asked for
  constexpr Index kMostComponents = 100;  // each takes a column in memory until select_columns
  const Index parts = components.count();
  const Index known = parts <= kMostComponents ? std::max(n_clusters, parts) : n_clusters;
  return std::max(n_components, std::min<Index>(known + kBeyond, std::ssize(components.labels)));
}

/// The number of eigenvalues before the largest gap of their square roots. The roots are frequencies: without clusters
/// their gaps do not grow, on a sheet of any dimension, while the gaps between the eigenvalues of a curve do. The first
/// gap within a tenth of the largest counts: on a curve all are equal up to noise.
Index suggested_clusters(const std::vector<double>& values, Index components) {
  if (std::ssize(values) <= components) return components;
  const auto gap = [&](Index k) {
    return std::sqrt(std::max(0.0, values[at(k)])) - std::sqrt(std::max(0.0, values[at(k - 1)]));
  };
  double largest = 0;
  for (Index k = components; k < std::ssize(values); ++k) largest = std::max(largest, gap(k));
  Index first = components;
  while (gap(first) < 0.9 * largest) ++first;
  return first;
}

void report_clusters(const ClusterAssignment& found, const Affinity* graph, Embedding& embedding, const Run& run) {
  const Index clusters = found.centers.rows();
  embedding.warnings.insert(embedding.warnings.end(), found.warnings.begin(), found.warnings.end());
  std::vector<std::int64_t> sizes(at(clusters));
  for (const Index label : found.labels) ++sizes[at(label)];
  embedding.attributes.emplace_back("cluster_sizes", std::move(sizes));
  embedding.attributes.emplace_back("inertia", found.inertia);
  // Where the parts of the graph are the clusters, that is what was asked for.
  if (graph != nullptr && graph->components.count() == clusters)
    std::erase_if(embedding.warnings, [](const Warning& warning) { return warning.code == "graph-disconnected"; });
  if (graph != nullptr) {
    std::vector<double> conductance;
    for (const Cut& cut : partition_cuts(*graph, found.labels, clusters, run)) conductance.push_back(cut.conductance);
    embedding.attributes.emplace_back("largest_conductance", *std::max_element(conductance.begin(), conductance.end()));
    embedding.attributes.emplace_back("conductance", std::move(conductance));
  }
  embedding.attributes.emplace_back("centers", std::make_shared<const Array2<double>>(found.centers));
}

}  // namespace unroll
