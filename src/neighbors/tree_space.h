#pragma once
#include <optional>

#include "neighbors/kd_tree.h"
#include "neighbors/row_distance.h"
#include "neighbors/sketch.h"

namespace unroll {

/// The coordinates in which a k-d tree searches for neighbours under a metric.
class TreeMap {
 public:
  /// The most features that a tree takes as they are. Euclidean forms with more are rotated, and the leading
  /// coordinates are taken.
  static constexpr Index kMostFeatures = 16;

  /// Whether there are such coordinates.
  static bool exists(Metric metric, Index features);
  /// Whether few coordinates contain nearly all of the distances of a Euclidean form.
  static bool holds_most(const MetricRows& rows, std::uint64_t seed, const Run& run);

  /// Makes the space of `rows`.
  TreeMap(const MetricRows& rows, Metric metric, double p, std::uint64_t seed, const Run& run);

  /// The rows that the map was made for, or queries, in its space.
  TreeSpace space(const MetricRows& rows, const Run& run) const;

 private:
  Metric metric_;
  double p_;
  std::optional<Sketch> sketch_;
  double threshold_ = 0;  ///< see rest_threshold
};

}  // namespace unroll
