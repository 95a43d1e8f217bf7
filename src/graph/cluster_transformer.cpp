#include "graph/cluster_transformer.h"

#include "core/archive.h"
#include "graph/cluster_rotation.h"
#include "unroll/neighbors/kmeans.h"

namespace unroll {
namespace {

constexpr std::string_view kSection = "clusters.centers";
// At most one of them: of lines, which have two ways, or of axes, which have one.
constexpr std::string_view kLines = "clusters.lines", kAxes = "clusters.axes";

ClusterDirections load_directions(const ArchiveReader& archive, Index n_components, Index clusters) {
  const std::string_view section = archive.has(kLines) ? kLines : kAxes;
  if (!archive.has(section)) return {};
  ClusterDirections directions{.columns = archive.matrix(section), .both_ways = section == kLines};
  if (directions.columns.rows() != n_components || directions.columns.cols() != clusters)
    archive.fail(section, "are not one per cluster, of as many coordinates as the map has");
  return directions;
}

}  // namespace

std::vector<Index> ClusterTransformer::predict(PointsView points, const Run& run) const {
  return labels_of(transform(points, run), run);
}

std::vector<Index> ClusterTransformer::labels_of(const Array2<double>& coordinates, const Run& run) const {
  if (directions_.columns.cols() > 0) return nearest_directions(coordinates, directions_, run);
  return nearest_centers(coordinates, centers_, run);
}

void ClusterTransformer::save(ArchiveWriter& archive) const {
  inner_->save(archive);
  archive.put(kSection, centers_.view());
  if (directions_.columns.cols() > 0) archive.put(directions_.both_ways ? kLines : kAxes, directions_.columns.view());
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
  ClusterDirections directions = load_directions(archive, n_components, centers.rows());
  return std::make_shared<const ClusterTransformer>(std::move(inner), std::move(centers), std::move(directions));
}

}  // namespace unroll
