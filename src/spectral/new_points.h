#pragma once
#include <memory>
#include <vector>

#include "core/transformer.h"
#include "spectral/recipe.h"

namespace unroll {

class ArchiveReader;

/// All that a spectral method supplies for new points: their similarities to the training points, or to those of them
/// that are landmarks. A row must not depend on the rows beside it, bit for bit.
class SimilarityRows {
 public:
  SimilarityRows() = default;
  SimilarityRows(const SimilarityRows&) = delete;
  SimilarityRows& operator=(const SimilarityRows&) = delete;
  virtual ~SimilarityRows() = default;

  virtual Index columns() const = 0;
  virtual Array2<double> rows(PointsView points, const Run& run) const = 0;
  /// Points for coordinates, where the method has a way back.
  virtual Array2<double> inverse_transform(PointsView coordinates, const Run& run) const;
  virtual void save(ArchiveWriter& archive) const = 0;
};

/// How a row w of similarities becomes coordinates where the table says "centered": y = factor (w - means) . axes.
/// The centering of the new point itself, w's own mean, falls out: an axis v / sqrt(lambda) sums to zero.
struct CenteredPlacing {
  std::vector<double> means = {};  ///< of the columns of W
  Array2<double> axes = {};        ///< v / sqrt(lambda), one per row; zero where lambda is
  double factor = 1;               ///< from the unit of W's root to that of the data

  Array2<double> place(const Array2<double>& similarities, const Run& run) const;
  void save(ArchiveWriter& archive) const;
  static CenteredPlacing load(const ArchiveReader& archive);
};

/// transform for every method of the table.
class SpectralTransformer : public Transformer {
 public:
  SpectralTransformer(TransformKind kind, std::shared_ptr<const SimilarityRows> source, CenteredPlacing placing)
      : kind_(kind), source_(std::move(source)), placing_(std::move(placing)) {}

  TransformKind kind() const override { return kind_; }
  Array2<double> transform(PointsView points, const Run& run) const override;
  Array2<double> inverse_transform(PointsView coordinates, const Run& run) const override {
    return source_->inverse_transform(coordinates, run);
  }
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const Transformer> load(const ArchiveReader& archive,
                                                 std::shared_ptr<const SimilarityRows> source);

 private:
  TransformKind kind_;
  std::shared_ptr<const SimilarityRows> source_;
  CenteredPlacing placing_;
};

}  // namespace unroll
