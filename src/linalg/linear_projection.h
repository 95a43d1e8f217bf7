#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "core/transformer.h"

namespace unroll {

class ArchiveReader;

/// y = factor * ((scale * x - center) . axis) per axis, and the inverse.
class LinearProjection : public Transformer {
 public:
  struct Parts {
    double scale = 1;                 ///< the power of two for which the axes were computed
    std::vector<double> center = {};  ///< scale * mean
    std::shared_ptr<const Array2<double>> axes = {};
    std::vector<double> factor = {};  ///< per axis: 1 / scale, or for whitening the factor that makes the variance one
  };
  explicit LinearProjection(Parts parts) : parts_(std::move(parts)) {}
  static std::shared_ptr<const Transformer> load(const ArchiveReader& archive);
  /// Of sections `name`.scale and so on; fails unless there are so many axes of so many features.
  static std::shared_ptr<const LinearProjection> load_as(std::string_view name, Index axes, Index features,
                                                         const ArchiveReader& archive);
  void save_as(std::string_view name, ArchiveWriter& archive) const;

  TransformKind kind() const override { return TransformKind::Exact; }
  RowStorage storage() const override { return RowStorage::Any; }
  Array2<double> transform(PointsView points, const Run& run) const override;
  Array2<double> inverse_transform(PointsView coordinates, const Run& run) const override;
  void save(ArchiveWriter& archive) const override;

 private:
  Parts parts_;
};

}  // namespace unroll
