#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

class ArchiveReader;
class ArchiveWriter;

/// Finds the place of one new point in a fixed map. Implementations are immutable and deterministic;
/// layout_transformer.cpp has the list of them.
class PointPlacer {
 public:
  PointPlacer() = default;
  PointPlacer(const PointPlacer&) = delete;
  PointPlacer& operator=(const PointPlacer&) = delete;
  virtual ~PointPlacer() = default;

  /// The name of the kind in a model file.
  virtual std::string_view kind() const = 0;
  /// Makes what all new points share, such as a field of forces, on the threads of the run.
  virtual void prepare(const Run& /*run*/) const {}
  /// Whether it wants all training points as the nearest ones; else as many as the search says.
  virtual bool needs_all() const { return false; }
  /// The coordinates of a point that equals no training point, from its nearest training points, nearest first.
  virtual void place(std::span<const Index> nearest, std::span<const double> distances, double* y) const = 0;
  virtual void save(ArchiveWriter& archive) const = 0;
};

}  // namespace unroll
