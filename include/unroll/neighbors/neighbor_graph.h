#pragma once
#include <array>
#include <span>
#include <vector>

#include "unroll/core/options.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

namespace unroll {

/// The neighbours of each point: nearest first, ties by index, each once, never the point itself (removed by its index,
/// not by its place: a duplicate is a neighbour at distance 0).
struct NeighborGraph {
  std::vector<Index> offsets = {0};  ///< point i has [offsets[i], offsets[i+1])
  std::vector<Index> neighbors = {};
  std::vector<double> distances = {};

  Index size() const { return static_cast<Index>(offsets.size()) - 1; }
  Index edges() const { return static_cast<Index>(neighbors.size()); }
  Index degree(Index i) const { return offset(i + 1) - offset(i); }
  std::span<const Index> neighbors_of(Index i) const { return {neighbors.data() + offset(i), length(i)}; }
  std::span<const double> distances_of(Index i) const { return {distances.data() + offset(i), length(i)}; }
  bool operator==(const NeighborGraph&) const = default;

 private:
  Index offset(Index i) const { return offsets[static_cast<std::size_t>(i)]; }
  std::size_t length(Index i) const { return static_cast<std::size_t>(degree(i)); }
};

/// What becomes of an edge that only one of its ends has among its nearest.
enum class Symmetrization {
  None,    ///< it stays directed
  Union,   ///< it counts for both ends
  Mutual,  ///< it goes
  Average  ///< it counts for both ends with half its weight: (A + A^T) / 2
};
constexpr auto enum_names(Symmetrization) {
  return std::array{Named{Symmetrization::None, "none"}, Named{Symmetrization::Union, "union"},
                    Named{Symmetrization::Mutual, "mutual"}, Named{Symmetrization::Average, "average"}};
}

/// Lengths are kept; if the two directions differ, the shorter one counts. Under `Average` the graph has the edges of
/// the union, and symmetric_weights gives their weights.
UNROLL_API NeighborGraph symmetrized(const NeighborGraph& graph, Symmetrization rule, const Run& run = {});

/// For the union of `directed`, or a part of it: 1 for an edge that both ends have among their nearest, 1/2 for the
/// others (and 0 for edges that are not in the union), in the order of the edges.
UNROLL_API std::vector<double> symmetric_weights(const NeighborGraph& directed, const NeighborGraph& united);

/// The distances as a sparse matrix, columns ascending.
UNROLL_API SparseMatrix to_sparse(const NeighborGraph& graph);

}  // namespace unroll
