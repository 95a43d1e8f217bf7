#pragma once
#include <string_view>

#include "unroll/core/model.h"

namespace unroll {

class ArchiveWriter;
struct LayoutState;

/// How a transformer wants rows of new points; Model converts what comes otherwise.
enum class RowStorage { Dense, Sparse, Any };
inline RowStorage storage_of(PointsView training) {
  return training.is_sparse() ? RowStorage::Sparse : RowStorage::Dense;
}

/// The part of a fitted method that places new points. Implementations are immutable. Model checks the input (finite,
/// right number of features, stored as `storage` says) before it calls one.
class Transformer {
 public:
  Transformer() = default;
  Transformer(const Transformer&) = delete;
  Transformer& operator=(const Transformer&) = delete;
  virtual ~Transformer() = default;

  virtual TransformKind kind() const = 0;
  virtual RowStorage storage() const { return RowStorage::Dense; }
  virtual Array2<double> transform(PointsView points, const Run& run) const = 0;
  /// The clusters or classes of new points. Throws Unsupported unless the method finds some.
  virtual std::vector<Index> predict(PointsView points, const Run& run) const;
  /// Throws Unsupported unless the method has an inverse.
  virtual Array2<double> inverse_transform(PointsView coordinates, const Run& run) const;
  /// How far an optimiser came, to go on from there. Null: the method does not optimise.
  virtual const LayoutState* layout_state() const { return nullptr; }
  /// Adds the sections that the registry's loader of this method reads.
  virtual void save(ArchiveWriter& archive) const = 0;
};

}  // namespace unroll
