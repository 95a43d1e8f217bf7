#include "graph/cluster_transformer.h"

#include "core/archive.h"
#include "unroll/neighbors/kmeans.h"

namespace unroll {
namespace {

constexpr std::string_view kSection = "clusters.centers";

}  // namespace

std::vector<Index> ClusterTransformer::predict(PointsView points, const Run& run) const {
  return labels_of(transform(points, run), run);
}

std::vector<Index> ClusterTransformer::labels_of(const Array2<double>& coordinates, const Run& run) const {
  return nearest_centers(coordinates, centers_, run);
}

void ClusterTransformer::save(ArchiveWriter& archive) const {
  inner_->save(archive);
  archive.put(kSection, centers_.view());
}

std::shared_ptr<const ClusterTransformer> ClusterTransformer::load(const ArchiveReader& archive,
                                                                   std::shared_ptr<const Transformer> inner,
                                                                   Index n_components,
                                                                   const Array2<double>* old_centers) {
  Array2<double> centers = archive.has(kSection)    ? archive.matrix(kSection)
                           : old_centers != nullptr ? *old_centers
                                                    : Array2<double>();
  if (centers.rows() == 0 || centers.cols() != n_components)
    archive.fail(kSection, "are not of as many coordinates as the map has");
  return std::make_shared<const ClusterTransformer>(std::move(inner), std::move(centers));
}

}  // namespace unroll
