#pragma once
#include <optional>
#include <span>
#include <vector>

#include "unroll/affinity/graph_weights.h"
#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

class ArchiveReader;
class ArchiveWriter;

/// Computes the weight of an edge from its length.
struct HeatKernel {
  EdgeWeights weights = EdgeWeights::Heat;
  double sigma = 1;                 ///< of all edges, unless there are widths
  std::vector<double> widths = {};  ///< s_i per training point (self-tuning); empty: none

  /// The width of training point i: its own, or sigma.
  double width(Index i) const { return widths.empty() ? sigma : widths[static_cast<std::size_t>(i)]; }
  /// The width of a new point. `nearest` holds the distances, ascending, of the neighbours that it chose itself, as
  /// training points did.
  double width_of(std::span<const double> nearest) const;
  /// The weight of an edge of length d between training point j and a point of width `own`.
  double weight(double d, Index j, double own) const;
  /// The weight of an edge that joins components: its length counts as at most sigma, since at the distance of
  /// components weights vanish.
  double joining_weight(double d, Index j, double own) const;

  void save(ArchiveWriter& archive) const;
  static HeatKernel load(const ArchiveReader& archive, Index size);
};

struct ChosenKernel {
  HeatKernel kernel = {};
  std::vector<Warning> warnings = {};
};

/// sigma is chosen from the lengths of `graph`, which is symmetric; the widths of points are chosen from `nearest`.
ChosenKernel choose_kernel(EdgeWeights weights, Bandwidth bandwidth, std::optional<double> sigma,
                           const NeighborGraph& nearest, const NeighborGraph& graph);

/// The sigma at which log(sum exp(-d^2 / (2 sigma^2))) grows fastest with log(sigma); the sum is over these distances
/// and a distance of 0 for each of `points` points.
double berry_harlim_sigma(const std::vector<double>& distances, Index points);

double median(std::vector<double> values);

}  // namespace unroll
