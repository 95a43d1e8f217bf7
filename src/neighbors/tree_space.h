#pragma once
#include <optional>

#include "neighbors/kd_tree.h"
#include "neighbors/row_distance.h"
#include "neighbors/sketch.h"

namespace unroll {

/// The coordinates in which a k-d tree can look for neighbours under a metric.
class TreeMap {
 public:
  /// Features that a tree takes as they are; Euclidean forms of more are rotated, and the leading ones taken.
  static constexpr Index kMostFeatures = 16;

  /// Whether there are such coordinates.
  static bool exists(Metric metric, Index features);

  TreeMap(const MetricRows& rows, Metric metric, double p, std::uint64_t seed, const Run& run);

  /// The space of these rows. For the rows that the map was made of, and for others to be looked up.
  TreeSpace space(const MetricRows& rows, const Run& run);

 private:
  Metric metric_;
  double p_;
  std::optional<Sketch> sketch_;
  std::optional<double> threshold_;
};

}  // namespace unroll
