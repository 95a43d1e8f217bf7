#pragma once
#include <memory>
#include <vector>

#include "core/owned_points.h"
#include "core/transformer.h"
#include "unroll/core/input.h"
#include "unroll/data/scaling.h"

namespace unroll {

class ArchiveReader;

/// Throws InvalidOption if distances or the like shall be scaled: they have no features; and if sparse points shall be
/// scaled by feature, which would leave no zeros.
void check_scaling(InputKind input, Scaling scale);

/// x -> (x - shift) / divisor per feature, or x / |x| per row; learned on the training points. It divides instead of
/// multiplying by the reciprocal: x / x is 1, so that minmax ends exactly at 1, while 1 / x overflows for tiny x.
/// Points are finite before (data/validate.h) and after scaling, or it is an error.
class FeatureScaler {
 public:
  FeatureScaler() = default;
  FeatureScaler(PointsView training, Scaling scaling, const Run& run);

  bool is_identity() const { return scaling_ == Scaling::None; }
  /// Whether zeros stay zeros, so that sparse rows can stay sparse.
  bool keeps_zeros() const { return scaling_ == Scaling::None || scaling_ == Scaling::UnitRows; }
  /// The scaled points, in the scalar type of the input. A row's result does not depend on the rows beside it.
  OwnedPoints apply(PointsView points, const Run& run) const;
  /// Converts back to the units of the data; throws Unsupported for unit rows, whose lengths are lost.
  Array2<double> undo(PointsView points, const Run& run) const;

  void save(ArchiveWriter& archive) const;
  /// The identity if the archive has no scaler: with_scaling saves none for it.
  static FeatureScaler load(const ArchiveReader& archive, Index n_features);

 private:
  void check_features(PointsView points) const;

  Scaling scaling_ = Scaling::None;
  std::vector<double> shift_;    ///< one per feature; empty for Scaling::None and UnitRows
  std::vector<double> divisor_;  ///< the same, positive
};

/// The scaled training points; the caller's own memory if nothing is scaled.
class ScaledPoints {
 public:
  ScaledPoints(PointsView points, Scaling scaling, const Run& run);
  PointsView view() const;
  const FeatureScaler& scaler() const { return scaler_; }

 private:
  FeatureScaler scaler_;
  PointsView points_;
  OwnedPoints scaled_;
};

/// `inner` after the scaler; for inverse_transform, the inverse of the scaler after that of `inner`.
std::shared_ptr<const Transformer> with_scaling(const FeatureScaler& scaler, std::shared_ptr<const Transformer> inner);

}  // namespace unroll
