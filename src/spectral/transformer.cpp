#include "spectral/transformer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "affinity/affinity_rows.h"
#include "affinity/distance_rows.h"
#include "affinity/geodesic_rows.h"
#include "affinity/kernel_rows.h"
#include "affinity/patch_rows.h"
#include "core/archive.h"
#include "neighbors/archive_parts.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

struct RowsKind {
  std::string_view name;
  std::string_view section;  ///< the section that 0.1.0 wrote only for this kind
  std::shared_ptr<const SourceRows> (*load)(const ArchiveReader&);
};
constexpr std::array kKinds{
    RowsKind{DistanceRows::kKind, "distances.metric", DistanceRows::load},
    RowsKind{GeodesicRows::kKind, "paths.scale", GeodesicRows::load},
    RowsKind{KernelRows::kKind, "kernel.chosen", KernelRows::load},
    RowsKind{AffinityRows::kKind, "affinity.graph", AffinityRows::load},
    RowsKind{PatchRows::kKind, "local.rule", PatchRows::load},
};

const RowsKind& kind_of(const ArchiveReader& archive) {
  const bool is_named = archive.has("source.kind");
  const std::string name = is_named ? archive.text("source.kind") : "";
  for (const RowsKind& kind : kKinds)
    if (is_named ? kind.name == name : archive.has(kind.section)) return kind;
  archive.fail("source.kind", fmt::format("'{}' is none that this version knows", name));
}

/// The placing of a file of 0.1.0, which had three forms: centred rows, graphs, local fits.
Placing old_placing(const ArchiveReader& archive, const SourceRows& rows) {
  if (archive.has("local.rule"))
    return {.rule = load_choice<NewPointRule>(archive, "local.rule"),
            .axes = archive.matrix("coordinates"),
            .components = load_indices(archive, "local.components", rows.columns())};
  if (archive.has("placing.rule")) {
    Placing placing{.rule = load_choice<NewPointRule>(archive, "placing.rule"),
                    .axes = archive.matrix("placing.axes"),
                    .values = archive.matrix("placing.values"),
                    .density = archive.reals("placing.density"),
                    .alpha = archive.real("placing.alpha"),
                    .unit_rows = archive.flag("placing.unit_rows"),
                    .offsets = archive.reals("placing.offsets")};
    placing.components = load_indices(archive, "placing.components", std::ssize(placing.offsets));
    return placing;
  }
  // An axis per row; if components had separate maps, columns after those of the points held the offsets.
  Placing placing{.means = archive.reals("placing.means"), .factor = archive.real("placing.factor")};
  const Array2<double> axes = archive.matrix("placing.axes");
  const Index columns = rows.columns(), extra = axes.cols() - columns;
  if (extra < 0 || axes.rows() == 0 || axes.cols() != std::ssize(placing.means))
    archive.fail("placing.axes", "are not as many as there are points to compare with");
  placing.axes = Array2<double>(columns, axes.rows());
  for (Index j = 0; j < columns; ++j)
    for (Index k = 0; k < axes.rows(); ++k) placing.axes(j, k) = axes(k, j);
  placing.means.resize(static_cast<std::size_t>(columns));
  if (extra == 0) return placing;
  placing.components = GeodesicRows::load_old_components(archive);
  for (Index c = 0; c < extra; ++c) placing.offsets.push_back(axes(0, columns + c) * placing.factor);
  if (std::any_of(placing.components.begin(), placing.components.end(), [&](Index c) { return c >= extra; }))
    archive.fail("placing.axes", "do not fit the components of the graph");
  return placing;
}

TransformKind transform_kind(const ArchiveReader& archive) {
  if (archive.has("placing.kind")) return load_choice<TransformKind>(archive, "placing.kind");
  return archive.has("local.rule") ? TransformKind::Weights : TransformKind::Nystrom;
}

}  // namespace

Array2<double> SpectralTransformer::transform(PointsView points, const Run& run) const {
  Array2<double> y = Array2<double>::uninitialized(points.rows(), placing_.axes.cols());
  for_each_block(*rows_, points, placing_.components, run, [&](Index first, const NewRows& rows) {
    const Array2<double> block = placing_.place(rows, run);
    std::copy_n(block.data(), block.size(), y.row(first));
  });
  return y;
}

void SpectralTransformer::save(ArchiveWriter& archive) const {
  archive.put("placing.kind", name_of(kind_));
  placing_.save(archive);
  archive.put("source.kind", rows_->kind());
  rows_->save(archive);
}

std::shared_ptr<const Transformer> SpectralTransformer::load(const ArchiveReader& archive) {
  auto rows = kind_of(archive).load(archive);
  Placing placing = archive.has("source.kind") ? Placing::load(archive) : old_placing(archive, *rows);
  placing.check(archive, *rows);
  return std::make_shared<const SpectralTransformer>(transform_kind(archive), std::move(rows), std::move(placing));
}

MethodFit spectral_fit(TransformKind kind, std::shared_ptr<const SourceRows> rows, SpectralFit map) {
  auto transformer = std::make_shared<const SpectralTransformer>(kind, std::move(rows), std::move(map.placing));
  return {.embedding = embedding_of(std::move(map)), .transformer = std::move(transformer)};
}

}  // namespace unroll
