#pragma once
#include <memory>

#include "affinity/source_rows.h"
#include "core/method_fit.h"
#include "spectral/embedding.h"

namespace unroll {

/// transform for every method of the table: the source makes the rows of new points, the placing makes coordinates of
/// them.
class SpectralTransformer : public Transformer {
 public:
  SpectralTransformer(TransformKind kind, std::shared_ptr<const SourceRows> rows, Placing placing)
      : kind_(kind), rows_(std::move(rows)), placing_(std::move(placing)) {}

  TransformKind kind() const override { return kind_; }
  RowStorage storage() const override { return rows_->is_sparse() ? RowStorage::Sparse : RowStorage::Dense; }
  Array2<double> transform(PointsView points, const Run& run) const override;
  Array2<double> inverse_transform(PointsView coordinates, const Run& run) const override {
    return rows_->inverse_transform(coordinates, run);
  }
  void save(ArchiveWriter& archive) const override;
  /// Also reads files of 0.1.0.
  static std::shared_ptr<const Transformer> load(const ArchiveReader& archive);

 private:
  TransformKind kind_;
  std::shared_ptr<const SourceRows> rows_;
  Placing placing_;
};

/// The map of an engine, and the transformer that places new points in it by their rows of W.
MethodFit spectral_fit(TransformKind kind, std::shared_ptr<const SourceRows> rows, SpectralFit map);

}  // namespace unroll
