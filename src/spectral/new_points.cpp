#include "spectral/new_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/archive.h"
#include "linalg/centered_points.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// Rows of similarities in memory at a time.
Index rows_at_once(Index columns) {
  constexpr Index kEntries = Index{1} << 22, kMost = 4096;
  return std::clamp<Index>(kEntries / std::max<Index>(columns, 1), 1, kMost);
}

}  // namespace

Array2<double> SimilarityRows::inverse_transform(PointsView, const Run&) const {
  throw Error(ErrorKind::Unsupported, "this method has no way back from coordinates to points");
}

Array2<double> CenteredPlacing::place(const Array2<double>& similarities, const Run& run) const {
  Array2<double> y = project(similarities, 1, means, axes, run);
  for (Index i = 0; i < y.size(); ++i) y.data()[i] *= factor;
  return y;
}

void CenteredPlacing::save(ArchiveWriter& archive) const {
  archive.put("placing.means", means);
  archive.put("placing.axes", axes.view());
  archive.put("placing.factor", factor);
}

CenteredPlacing CenteredPlacing::load(const ArchiveReader& archive) {
  CenteredPlacing placing{.means = archive.reals("placing.means"),
                          .axes = archive.matrix("placing.axes"),
                          .factor = archive.real("placing.factor")};
  if (!(placing.factor > 0)) archive.fail("placing.factor", "must be positive");
  if (placing.axes.cols() != std::ssize(placing.means))
    archive.fail("placing.axes", "has another number of columns than there are means");
  if (placing.axes.rows() != archive.matrix("coordinates").cols())
    archive.fail("placing.axes", "are not as many as the coordinates have columns");
  return placing;
}

Array2<double> SpectralTransformer::transform(PointsView points, const Run& run) const {
  Array2<double> y = Array2<double>::uninitialized(points.rows(), placing_.axes.rows());
  const Index step = rows_at_once(source_->columns());
  for (Index first = 0; first < points.rows(); first += step) {
    run.check_cancelled();
    const Index count = std::min(step, points.rows() - first);
    const Array2<double> block = placing_.place(source_->rows(points.slice(first, count), run), run);
    std::copy_n(block.data(), block.size(), y.row(first));
  }
  return y;
}

void SpectralTransformer::save(ArchiveWriter& archive) const {
  archive.put("placing.kind", name_of(kind_));
  placing_.save(archive);
  source_->save(archive);
}

std::shared_ptr<const Transformer> SpectralTransformer::load(const ArchiveReader& archive,
                                                             std::shared_ptr<const SimilarityRows> source) {
  const std::string text = archive.text("placing.kind");
  if (text != name_of(TransformKind::Exact) && text != name_of(TransformKind::Nystrom))
    archive.fail("placing.kind", fmt::format("'{}' is neither exact nor nystrom", text));
  const TransformKind kind = text == name_of(TransformKind::Exact) ? TransformKind::Exact : TransformKind::Nystrom;
  CenteredPlacing placing = CenteredPlacing::load(archive);
  if (source->columns() != std::ssize(placing.means))
    archive.fail("placing.means", "are not as many as there are points to compare with");
  return std::make_shared<const SpectralTransformer>(kind, std::move(source), std::move(placing));
}

}  // namespace unroll
