#include "affinity/kernel_rows.h"

#include <fmt/format.h>

#include "affinity/pre_images.h"
#include "core/archive.h"
#include "neighbors/archive_parts.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The chosen rows; all if none are chosen.
Array2<double> rows_of(const Array2<double>& a, const std::vector<Index>& chosen) {
  return std::get<Array2<double>>(copied(a, chosen));
}

/// The chosen columns of kernel values, in double.
Array2<double> columns_of(PointsView values, const std::vector<Index>& chosen) {
  if (chosen.empty()) return std::get<Array2<double>>(copied_as(values, false));
  Array2<double> result = Array2<double>::uninitialized(values.rows(), std::ssize(chosen));
  values.visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i)
      for (Index k = 0; k < result.cols(); ++k)
        result(i, k) = static_cast<double>(x(i, chosen[static_cast<std::size_t>(k)]));
  });
  return result;
}

}  // namespace

Index KernelRows::columns() const {
  return parts_.chosen.empty() ? parts_.coordinates.rows() : std::ssize(parts_.chosen);
}

NewRows KernelRows::rows(PointsView points, const Run& run) const {
  return {parts_.kernel ? parts_.kernel->rows(points, view_of(parts_.points), run) : columns_of(points, parts_.chosen)};
}

Array2<double> KernelRows::inverse_transform(PointsView coordinates, const Run& run) const {
  if (!parts_.kernel)
    throw Error(ErrorKind::Unsupported, "there is no inverse with kernel=precomputed: no points were given");
  std::call_once(learned_, [&] {
    KernelParameters parameters = parts_.kernel->parameters();
    parameters.up_to_centering = false;
    inverse_ = std::make_unique<const PreImages>(rows_of(parts_.coordinates, parts_.chosen), view_of(parts_.points),
                                                 parameters, parts_.alpha, run);
  });
  return inverse_->points(coordinates, run);
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
  const Index features = archive.integer("n_features"), n = parts.coordinates.rows();
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
