#include "linalg/linear_projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/archive.h"
#include "core/finite.h"
#include "core/model_file.h"
#include "core/parallel.h"
#include "linalg/centered_points.h"
#include "unroll/core/error.h"

namespace unroll {
Array2<double> LinearProjection::transform(PointsView points, const Run& run) const {
  Array2<double> y = project(points, parts_.scale, parts_.center, *parts_.axes, run);
  for (Index i = 0; i < y.rows(); ++i)
    for (Index k = 0; k < y.cols(); ++k) {
      const double factor = parts_.factor[static_cast<std::size_t>(k)];
      y(i, k) = factor == 0 ? 0 : y(i, k) * factor;  // not -0
    }
  require_finite(y, "coordinates");
  return y;
}

/// x = (center + sum over k of (y_k / factor_k) axis_k) / scale. An axis of factor zero (whitening without variance)
/// contributes nothing.
Array2<double> LinearProjection::inverse_transform(PointsView coordinates, const Run& run) const {
  const Array2<double>& axes = *parts_.axes;
  Array2<double> x = Array2<double>::uninitialized(coordinates.rows(), axes.cols());
  constexpr Index kRows = 64;
  coordinates.visit([&](auto y) {
    parallel_for(run, y.rows, kRows, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        double* row = x.row(i);
        std::copy(parts_.center.begin(), parts_.center.end(), row);
        for (Index k = 0; k < axes.rows(); ++k) {
          const double factor = parts_.factor[static_cast<std::size_t>(k)];
          const double along = factor == 0 ? 0 : static_cast<double>(y(i, k)) / factor;
          for (Index j = 0; j < axes.cols(); ++j) row[j] += along * axes(k, j);
        }
        for (Index j = 0; j < axes.cols(); ++j) row[j] /= parts_.scale;
      }
    });
  });
  require_finite(x, "points");
  return x;
}

void LinearProjection::save_as(std::string_view name, ArchiveWriter& archive) const {
  archive.put(fmt::format("{}.scale", name), parts_.scale);
  archive.put(fmt::format("{}.center", name), parts_.center);
  archive.put(fmt::format("{}.axes", name), parts_.axes->view());
  archive.put(fmt::format("{}.factor", name), parts_.factor);
}

std::shared_ptr<const LinearProjection> LinearProjection::load_as(std::string_view name, Index axes, Index features,
                                                                  const ArchiveReader& archive) {
  const auto section = [&](std::string_view part) { return fmt::format("{}.{}", name, part); };
  Parts parts{.scale = archive.real(section("scale")),
              .center = archive.reals(section("center")),
              .axes = std::make_shared<const Array2<double>>(archive.matrix(section("axes"))),
              .factor = archive.reals(section("factor"))};
  int exponent = 0;
  if (std::frexp(parts.scale, &exponent) != 0.5) archive.fail(section("scale"), "must be a power of two");
  if (parts.axes->rows() != axes) archive.fail(section("axes"), "are not as many as the coordinates have columns");
  if (parts.axes->cols() != features)
    archive.fail(section("axes"), "has another number of columns than there are features");
  if (std::ssize(parts.center) != parts.axes->cols())
    archive.fail(section("center"), "has another length than the axes");
  if (std::ssize(parts.factor) != parts.axes->rows())
    archive.fail(section("factor"), "has another length than there are axes");
  return std::make_shared<const LinearProjection>(std::move(parts));
}

void LinearProjection::save(ArchiveWriter& archive) const { save_as("projection", archive); }

std::shared_ptr<const Transformer> LinearProjection::load(const ArchiveReader& archive) {
  return load_as("projection", archive.cols("coordinates"), method_features(archive), archive);
}

}  // namespace unroll
