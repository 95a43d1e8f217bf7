#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "affinity/affinity_rows.h"
#include "core/transformer.h"

namespace unroll {

/// The classes of new points: the mean of the probabilities of the training points that a new one would be joined to,
/// weighted by the edges (Delalleau, Bengio & Le Roux 2005). A training point has its own.
class LabelTransformer : public Transformer {
 public:
  struct Parts {
    std::shared_ptr<const SourceRows> rows = {};
    Array2<double> probabilities = {};       ///< a row per training point, a column per class
    std::vector<std::int64_t> classes = {};  ///< ascending
    std::vector<Index> labels = {};          ///< per training point; -1: no label reaches it
  };
  explicit LabelTransformer(Parts parts) : parts_(std::move(parts)) {}

  TransformKind kind() const override { return TransformKind::Weights; }
  RowStorage storage() const override { return parts_.rows->is_sparse() ? RowStorage::Sparse : RowStorage::Dense; }
  Array2<double> transform(PointsView points, const Run& run) const override;
  std::vector<Index> predict(PointsView points, const Run& run) const override;
  const std::vector<Index>& labels() const { return parts_.labels; }
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const LabelTransformer> load(const ArchiveReader& archive);

 private:
  struct Placed {
    Array2<double> probabilities;
    std::vector<Index> labels;
  };
  Placed placed(PointsView points, const Run& run) const;

  Parts parts_;
};

/// The place of the largest of these numbers, the first of several.
Index most_likely(const double* row, Index count);

}  // namespace unroll
