#pragma once
#include <memory>
#include <variant>
#include <vector>

#include "core/transformer.h"
#include "unroll/data/scaling.h"

namespace unroll {

class ArchiveReader;

/// x -> (x - shift) / divisor per feature, or x / |x| per row; learned on the training points. A division, not a
/// multiplication by the reciprocal: x / x is 1, so that minmax ends exactly at 1, and 1 / x overflows for tiny x.
/// Points are finite when they come in (data/validate.h) and when they leave, or it is an error.
class FeatureScaler {
 public:
  FeatureScaler() = default;
  FeatureScaler(PointsView training, Scaling scaling, const Run& run);

  bool is_identity() const { return scaling_ == Scaling::None; }
  /// The scaled points, in the scalar type of the input. A row's result does not depend on the rows beside it.
  std::variant<Array2<double>, Array2<float>> apply(PointsView points, const Run& run) const;
  /// Back to the units of the data; throws Unsupported for unit rows, which forget the length.
  Array2<double> undo(PointsView points, const Run& run) const;

  void save(ArchiveWriter& archive) const;
  /// The identity where the archive has no scaler: with_scaling saves none for it.
  static FeatureScaler load(const ArchiveReader& archive);

 private:
  void check_features(PointsView points) const;

  Scaling scaling_ = Scaling::None;
  std::vector<double> shift_;    ///< one per feature; empty for none and unit rows
  std::vector<double> divisor_;  ///< the same, positive
};

/// Training points as a method should see them: the caller's own memory when nothing is to be scaled.
class ScaledPoints {
 public:
  ScaledPoints(PointsView points, Scaling scaling, const Run& run);
  PointsView view() const;
  const FeatureScaler& scaler() const { return scaler_; }

 private:
  FeatureScaler scaler_;
  PointsView points_;
  std::variant<Array2<double>, Array2<float>> scaled_;
};

/// `inner`, preceded by the scaler on the way in and followed by its inverse on the way back.
std::shared_ptr<const Transformer> with_scaling(const FeatureScaler& scaler, std::shared_ptr<const Transformer> inner);

}  // namespace unroll
