#pragma once
#include <variant>
#include <vector>

#include "core/method_fit.h"
#include "neighbors/components_policy.h"
#include "spectral/source.h"
#include "unroll/core/input.h"
#include "unroll/neighbors/neighbors.h"

/// Maps of the lengths of shortest paths through a graph of neighbours.
namespace unroll {

/// The graph that paths lead through.
struct PathGraph {
  NeighborOptions search = {};  ///< how neighbours were searched
  Neighbors nearest = {};
  ConnectedGraph joined = {};  ///< symmetric, with the edges that join components; its lengths are scaled
  double scale = 1;            ///< takes the longest edge to at most 1

  Index size() const { return joined.graph.size(); }
  /// Whether lengths of paths are kept in float.
  bool is_single() const;
};

/// W = -g^2 / 2, g the lengths of shortest paths through a graph. Every component is solved by itself, since no path
/// leads to another.
class PathSource : public Source {
 public:
  /// `is_single`: lengths are kept in float. Must not outlive graph and components.
  PathSource(const NeighborGraph& graph, const Components& components, bool is_single, bool by_floyd_warshall)
      : graph_(graph), components_(components), is_single_(is_single), by_floyd_warshall_(by_floyd_warshall) {}

  Index size() const override { return graph_.size(); }
  const Components& components() const override { return components_; }
  void check(const Recipe& row) const override;
  OperatorPairs solve(const Recipe& row, const std::vector<Index>& points, Index count,
                      const SpectralSettings& settings, const Run& run) const override;

  /// The residual variance of the component that was solved first, which is the largest.
  std::vector<double> residual_variance(const Array2<double>& coordinates, std::uint64_t seed, const Run& run) const;

 private:
  using Lengths = std::variant<Array2<double>, Array2<float>>;
  Lengths lengths_of(const NeighborGraph& part, const Run& run) const;

  const NeighborGraph& graph_;
  const Components& components_;
  bool is_single_;
  bool by_floyd_warshall_;
  mutable Lengths first_;  ///< lengths of the component that was solved first
  mutable std::vector<Index> first_points_;
};

/// Joins every point to its neighbours; the policy decides what becomes of several components.
PathGraph path_graph(const Input& input, const NeighborOptions& search, ComponentsPolicy components, const Run& run);

/// Call it before the neighbour search: throws OutOfMemory if lengths from `from` points to all n do not fit.
void plan_paths(Index from, Index n, std::string_view advice, const Run& run);

/// Runs the row of the table on W = -g^2 / 2, g the lengths of shortest paths between all points.
MethodFit embed_paths(const Recipe& row, const Input& input, PathGraph graph, bool by_floyd_warshall,
                      SpectralSettings settings, const Run& run);
/// The same with g from landmarks only.
MethodFit embed_paths_from(const std::vector<Index>& landmarks, const Recipe& row, const Input& input, PathGraph graph,
                           SpectralSettings settings, const Run& run);

}  // namespace unroll
