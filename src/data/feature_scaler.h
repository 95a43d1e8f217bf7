#pragma once
#include <memory>
#include <variant>
#include <vector>

#include "core/transformer.h"
#include "unroll/data/scaling.h"

namespace unroll {

class ArchiveReader;

/// x -> (x - shift) * factor per feature, or x / |x| per row; learned on the training points.
class FeatureScaler {
 public:
  FeatureScaler() = default;
  FeatureScaler(PointsView training, Scaling scaling, const Run& run);

  bool is_identity() const { return scaling_ == Scaling::None; }
  /// The scaled points, in the scalar type of the input.
  std::variant<Array2<double>, Array2<float>> apply(PointsView points, const Run& run) const;
  /// Back to the units of the data; throws Unsupported for unit rows, which forget the length.
  Array2<double> undo(PointsView points, const Run& run) const;

  void save(ArchiveWriter& archive) const;
  static FeatureScaler load(const ArchiveReader& archive);

 private:
  Scaling scaling_ = Scaling::None;
  std::vector<double> shift_;
  std::vector<double> factor_;
};

/// Training points as a method should see them: the caller's own memory when nothing is to be scaled.
class ScaledPoints {
 public:
  ScaledPoints(PointsView points, Scaling scaling, const Run& run);
  PointsView view() const { return view_; }
  const FeatureScaler& scaler() const { return scaler_; }

 private:
  FeatureScaler scaler_;
  std::variant<Array2<double>, Array2<float>> scaled_;
  PointsView view_;
};

/// `inner`, preceded by the scaler on the way in and followed by its inverse on the way back.
std::shared_ptr<const Transformer> with_scaling(const FeatureScaler& scaler, std::shared_ptr<const Transformer> inner);

}  // namespace unroll
