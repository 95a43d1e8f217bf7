#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "affinity/affinity_rows.h"
#include "core/transformer.h"
#include "spectral/recipe.h"

namespace unroll {

class ArchiveReader;

/// How a row w of weights becomes coordinates where the table says so of a graph: divided by densities where the row
/// does that, then y_k = sum over j of w_j axes_jk, over d(x) = sum w_j or its root, and 1 - lambda_k or lambda_k, or
/// over d(x) - lambda_k. Where that is 0, or less, the row of a training point has that point's coordinates, and others
/// are refused, unless the coordinate is nothing beside the others, as lambda^t of a tiny lambda is.
struct GraphPlacing {
  NewPointRule rule = NewPointRule::RandomWalk;
  std::vector<double> density = {};  ///< q^alpha per training point; empty: no division
  double alpha = 0;
  Array2<double> axes = {};            ///< a row per training point: its coordinates, times d^-1/2 if symmetric
  Array2<double> values = {};          ///< lambda: a row per map, a column per coordinate
  bool unit_rows = false;              ///< coordinates are scaled to length one
  std::vector<Index> components = {};  ///< per training point, where each has a map of its own; empty: one map
  std::vector<double> offsets = {};    ///< of these maps, along the first axis

  /// The coordinates of every row; `first` is the number of the first, in messages.
  Array2<double> place(const AffinityRows::Found& rows, Index first) const;
  void save(ArchiveWriter& archive) const;
  static GraphPlacing load(const ArchiveReader& archive, Index size);

 private:
  /// What the sum over the neighbours is to be multiplied with; none where the formula says nothing.
  std::optional<double> factor(double degree, double value) const;
  /// Whether a coordinate of this map is rounding beside its largest.
  bool is_nothing(Index map, Index coordinate) const;
  [[noreturn]] void refuse(Index row, double degree, double value, Index coordinate) const;
};

/// Divides a row by its length, unless that is 0.
void scale_to_length_one(double* row, Index count);

class GraphTransformer : public Transformer {
 public:
  GraphTransformer(std::shared_ptr<const AffinityRows> rows, GraphPlacing placing)
      : rows_(std::move(rows)), placing_(std::move(placing)) {}

  TransformKind kind() const override { return TransformKind::Nystrom; }
  Array2<double> transform(PointsView points, const Run& run) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const Transformer> load(const ArchiveReader& archive);

 private:
  std::shared_ptr<const AffinityRows> rows_;
  GraphPlacing placing_;
};

}  // namespace unroll
