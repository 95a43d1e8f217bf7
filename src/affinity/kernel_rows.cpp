#include "affinity/kernel_rows.h"

#include <fmt/format.h>

#include "affinity/pre_images.h"
#include "core/archive.h"
#include "core/matrix_copies.h"
#include "core/model_file.h"
#include "neighbors/archive_parts.h"
#include "unroll/core/error.h"

namespace unroll {

Index KernelRows::columns() const {
  return parts_.chosen.empty() ? parts_.coordinates.rows() : std::ssize(parts_.chosen);
}

NewRows KernelRows::rows(PointsView points, const std::vector<Index>&, const Run& run) const {
  return {parts_.kernel ? parts_.kernel->rows(points, view_of(parts_.points), run) : picked(points, {}, parts_.chosen)};
}

Array2<double> KernelRows::inverse_transform(PointsView coordinates, const Run& run) const {
  if (!parts_.kernel)
    throw Error(ErrorKind::Unsupported, "there is no inverse with kernel=precomputed: no points were given");
  const PreImages& inverse = inverse_.get([&] {
    KernelParameters parameters = parts_.kernel->parameters();
    parameters.up_to_centering = false;
    return std::make_unique<const PreImages>(picked(parts_.coordinates, parts_.chosen, {}), view_of(parts_.points),
                                             parameters, parts_.alpha, run);
  });
  return inverse.points(coordinates, run);
}

void KernelRows::save(ArchiveWriter& archive) const {
  archive.put("kernel.chosen", parts_.chosen);
  archive.put("kernel.alpha", parts_.alpha);
  if (!parts_.kernel) return;
  parts_.kernel->save(archive);
  save_points(archive, "kernel.points", view_of(parts_.points));
}

std::shared_ptr<const SourceRows> KernelRows::load(const ArchiveReader& archive) {
  Parts parts{.coordinates = archive.matrix("coordinates"), .alpha = archive.real("kernel.alpha")};
  const Index features = method_features(archive), n = parts.coordinates.rows();
  parts.chosen = load_indices(archive, "kernel.chosen", n);
  if (!(parts.alpha >= 0)) archive.fail("kernel.alpha", "must not be negative");
  if (!archive.has("kernel.name")) {
    if (features != n) archive.fail("kernel.chosen", "come without a kernel, but there are other points than features");
    return std::make_shared<const KernelRows>(std::move(parts));
  }
  parts.kernel = MercerKernel::load(archive, features);
  parts.points = load_points(archive, "kernel.points", features);
  const Index kept = parts.chosen.empty() ? n : std::ssize(parts.chosen);
  if (view_of(parts.points).rows() != kept) archive.fail("kernel.points", "are not those that the coordinates are of");
  return std::make_shared<const KernelRows>(std::move(parts));
}

}  // namespace unroll
