#pragma once
#include <memory>

#include "core/transformer.h"
#include "graph/cluster_assignment.h"

namespace unroll {

class ArchiveReader;

/// Places new points in the map of `inner` and finds the nearest center there, or the nearest direction.
class ClusterTransformer : public Transformer {
 public:
  ClusterTransformer(std::shared_ptr<const Transformer> inner, Array2<double> centers,
                     ClusterDirections directions = {})
      : inner_(std::move(inner)), centers_(std::move(centers)), directions_(std::move(directions)) {}

  TransformKind kind() const override { return inner_->kind(); }
  RowStorage storage() const override { return inner_->storage(); }
  Array2<double> transform(PointsView points, const Run& run) const override { return inner_->transform(points, run); }
  std::vector<Index> predict(PointsView points, const Run& run) const override;
  /// The clusters of coordinates of the map.
  std::vector<Index> labels_of(const Array2<double>& coordinates, const Run& run) const;
  Index clusters() const { return centers_.rows(); }
  void save(ArchiveWriter& archive) const override;
  /// `old_centers`: the centers of a file of 0.1.0, which has no section for them. Fails unless there is a center and
  /// all have as many coordinates as the map.
  static std::shared_ptr<const ClusterTransformer> load(const ArchiveReader& archive,
                                                        std::shared_ptr<const Transformer> inner, Index n_components,
                                                        const Array2<double>* old_centers);

 private:
  std::shared_ptr<const Transformer> inner_;
  Array2<double> centers_;  ///< one per row
  ClusterDirections directions_;
};

}  // namespace unroll
