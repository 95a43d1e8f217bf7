#include "graph/weighted_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/finite.h"
#include "core/memory.h"
#include "frame/frame.h"
#include "frame/graph_options.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

AffinityOptions own_options(const WeightedGraphOptions& options) {
  AffinityOptions result = affinity_options(options);
  result.unit_diagonal = options.loops;
  result.keep_lengths = true;
  result.policy.can_separate = false;
  return result;
}

/// Edges of given weights have no length: each counts as one step.
NeighborGraph steps(const Affinity& affinity, const Run& run) {
  if (const auto* full = std::get_if<Array2<double>>(&affinity.w)) {
    MemoryPlan plan;
    plan.add("the edges of the graph", static_cast<double>(full->rows()), static_cast<double>(full->rows()), 16);
    plan.require(run, "use a sparse matrix of weights");
  }
  NeighborGraph graph;
  for (Index i = 0; i < affinity.size(); ++i) {
    for_each_weight(affinity, i, [&](Index j, double) {
      if (j != i) graph.neighbors.push_back(j);
    });
    graph.offsets.push_back(graph.edges());
  }
  graph.distances.assign(graph.neighbors.size(), 1.0);
  return graph;
}

WeightedGraph finished(AffinityFit fit, const WeightedGraphOptions& options, const Run& run) {
  auto parts = std::make_shared<WeightedGraph::Parts>();
  parts->affinity = std::move(fit.affinity);
  parts->unit = fit.unit;
  parts->degrees = degrees(parts->affinity, run);
  for (double& degree : parts->degrees) degree *= parts->unit;
  const double volume = std::accumulate(parts->degrees.begin(), parts->degrees.end(), 0.0);
  require_finite(PointsView(&volume, 1, 1), "sums of weights", "divide the weights by a million");
  if (options.weights == EdgeWeights::Precomputed) {
    parts->lengths = steps(parts->affinity, run);
  } else if (options.graph == GraphKind::Neighbors) {
    parts->lengths = std::move(fit.lengths);
  }
  parts->dimension = fit.dimension;
  parts->has_given_weights = options.weights == EdgeWeights::Precomputed;
  parts->seed = static_cast<std::uint64_t>(options.random_state);
  parts->options = option_values(options);
  parts->attributes = std::move(fit.attributes);
  parts->warnings = std::move(fit.warnings);
  return WeightedGraph(std::move(parts));
}

}  // namespace

Index WeightedGraph::size() const { return parts_->affinity.size(); }
const Components& WeightedGraph::components() const { return parts_->affinity.components; }
const std::vector<double>& WeightedGraph::degrees() const { return parts_->degrees; }
bool WeightedGraph::has_lengths() const { return parts_->lengths.has_value(); }
const OptionValues& WeightedGraph::options() const { return parts_->options; }
const Attributes& WeightedGraph::attributes() const { return parts_->attributes; }
const std::vector<Warning>& WeightedGraph::warnings() const { return parts_->warnings; }

double WeightedGraph::volume() const { return std::accumulate(parts_->degrees.begin(), parts_->degrees.end(), 0.0); }

Index WeightedGraph::edges() const {
  Index count = 0;
  for (Index i = 0; i < size(); ++i) for_each_weight(parts_->affinity, i, [&](Index j, double) { count += j > i; });
  return count;
}

WeightedGraph weighted_graph(const Input& given, const WeightedGraphOptions& asked, const Run& run) {
  return in_frame(given, asked, resolve_graph_options<WeightedGraphOptions>, run,
                  [&](const Input& input, const WeightedGraphOptions& options, const Preparation&) {
                    return finished(make_affinity(input, own_options(options), run), options, run);
                  });
}

GraphOperator laplacian_of(const WeightedGraph& graph, Laplacian laplacian, const Run& run) {
  GraphOperator result =
      graph_operator(find_recipe(SpectralMethod::LaplacianEigenmaps, laplacian).operation, graph.parts().affinity, run);
  if (laplacian != Laplacian::Unnormalized) check_degrees(graph.components(), result.degrees);
  return result;
}

double unit_of(const WeightedGraph& graph, Laplacian laplacian) {
  return laplacian == Laplacian::Unnormalized ? graph.parts().unit : 1;
}

std::vector<double> masses(const GraphOperator& problem, Laplacian laplacian) {
  if (laplacian != Laplacian::Unnormalized) return problem.degrees;
  return std::vector<double>(problem.degrees.size(), 1.0);
}

void check_degrees(const Components& components, const std::vector<double>& degrees) {
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    const bool has_edges = components.sizes[static_cast<std::size_t>(components.labels[i])] > 1;
    if (degrees[i] > 0 ? std::isfinite(1 / degrees[i]) : !has_edges) continue;
    throw Error(ErrorKind::InvalidData,
                {.problem = "has edges of so little weight beside the largest ones that 1 / its "
                            "degree is no finite double",
                 .advice = "leave these edges out, or use larger weights",
                 .row = static_cast<Index>(i)});
  }
}

std::string_view how_to_join(const WeightedGraph& graph) {
  return graph.parts().has_given_weights ? "give weights between the components"
                                         : "use components=connect, or more neighbors";
}

std::string_view how_to_thicken(const WeightedGraph& graph) {
  return graph.parts().has_given_weights ? "give larger weights between the parts, or take each by itself"
                                         : "use a larger sigma or more neighbors";
}

void check_source(const WeightedGraph& graph, Index source) {
  if (source < 0 || source >= graph.size())
    throw Error(ErrorKind::InvalidOption,
                fmt::format("point {} is not there: the points are 0 to {}", source, graph.size() - 1));
}

}  // namespace unroll
