#pragma once
#include <variant>

#include "spectral/source.h"

namespace unroll {

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
  PartSolution solve(const Recipe& row, const std::vector<Index>& points, Index count, const SpectralSettings& settings,
                     const Run& run) const override;

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

}  // namespace unroll
