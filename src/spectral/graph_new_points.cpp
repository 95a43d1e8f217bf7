#include "spectral/graph_new_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/archive.h"
#include "spectral/archive_parts.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

struct WeightedRow {
  std::vector<Index> columns = {};
  std::vector<double> values = {};

  double sum() const {
    double total = 0;
    for (const double value : values) total += value;
    return total;
  }
};

/// The entries that lead to the component of the heaviest; all where components are not kept apart.
WeightedRow own_entries(const SparseMatrix& rows, Index i, const std::vector<Index>& components) {
  WeightedRow row;
  const auto begin = at(rows.offsets[at(i)]), end = at(rows.offsets[at(i + 1)]);
  const auto heaviest = std::max_element(rows.values.begin() + static_cast<std::ptrdiff_t>(begin),
                                         rows.values.begin() + static_cast<std::ptrdiff_t>(end));
  for (std::size_t e = begin; e < end; ++e) {
    const Index leader = rows.columns[static_cast<std::size_t>(heaviest - rows.values.begin())];
    if (!components.empty() && components[at(rows.columns[e])] != components[at(leader)]) continue;
    row.columns.push_back(rows.columns[e]);
    row.values.push_back(rows.values[e]);
  }
  return row;
}

[[noreturn]] void throw_cannot_place(Index row, std::string_view why) {
  throw Error(ErrorKind::InvalidData, fmt::format("transform: row {} {}", row + 1, why));
}

}  // namespace

Array2<double> GraphPlacing::place(const SparseMatrix& rows, Index first) const {
  const Index count = axes.cols();
  check_values();
  Array2<double> y(rows.rows, count);
  for (Index i = 0; i < rows.rows; ++i) {
    WeightedRow row = own_entries(rows, i, components);
    if (!density.empty()) {
      const double own = std::pow(row.sum(), alpha);
      for (std::size_t e = 0; e < row.values.size(); ++e) row.values[e] /= own * density[at(row.columns[e])];
    }
    const double degree = row.sum();
    if (!(degree > 0) || !std::isfinite(degree))
      throw_cannot_place(first + i, "has no training point near enough to weigh anything; is it in the same units?");
    double* out = y.row(i);
    for (std::size_t e = 0; e < row.values.size(); ++e)
      for (Index k = 0; k < count; ++k) out[k] += row.values[e] * axes(row.columns[e], k);
    const Index map = components.empty() || row.columns.empty() ? 0 : components[at(row.columns.front())];
    for (Index k = 0; k < count; ++k) {
      const double divisor = rule == NewPointRule::Unnormalized ? degree - values(map, k)
                             : rule == NewPointRule::Symmetric  ? std::sqrt(degree)
                                                                : degree;
      if (!(divisor > 0))
        throw_cannot_place(first + i,
                           fmt::format("has weights that add up to {:g}, not more than the eigenvalue {:g}: the "
                                       "unnormalized Laplacian cannot place it; use laplacian=random_walk",
                                       degree, values(map, k)));
      out[k] /= divisor;
    }
    if (unit_rows) scale_to_length_one(out, count);
    if (!components.empty()) out[0] += offsets[at(map)];
  }
  return y;
}

void GraphPlacing::check_values() const {
  constexpr double kRounding = 1e-10;
  if (rule != NewPointRule::RandomWalk && rule != NewPointRule::Symmetric) return;
  for (Index i = 0; i < values.size(); ++i)
    if (std::abs(1 - values.data()[i]) < kRounding)
      throw Error(
          ErrorKind::Unsupported,
          fmt::format("transform: coordinate {} belongs to the eigenvalue 1, of which neighbors say nothing; fit "
                      "with fewer components",
                      i % values.cols() + 1));
}

void GraphPlacing::save(ArchiveWriter& archive) const {
  archive.put("placing.rule", name_of(rule));
  archive.put("placing.density", density);
  archive.put("placing.alpha", alpha);
  archive.put("placing.axes", axes.view());
  archive.put("placing.values", values.view());
  archive.put("placing.unit_rows", std::int64_t{unit_rows});
  archive.put("placing.components", components);
  archive.put("placing.offsets", offsets);
}

GraphPlacing GraphPlacing::load(const ArchiveReader& archive, Index size) {
  GraphPlacing placing{.rule = load_choice<NewPointRule>(archive, "placing.rule"),
                       .density = archive.reals("placing.density"),
                       .alpha = archive.real("placing.alpha"),
                       .axes = archive.matrix("placing.axes"),
                       .values = archive.matrix("placing.values"),
                       .unit_rows = archive.integer("placing.unit_rows") != 0,
                       .offsets = archive.reals("placing.offsets")};
  placing.components = load_indices(archive, "placing.components", std::ssize(placing.offsets));
  if (placing.axes.rows() != size) archive.fail("placing.axes", "are not as many as there are points");
  if (placing.axes.cols() != archive.matrix("coordinates").cols())
    archive.fail("placing.axes", "have another number of columns than the coordinates");
  if (placing.values.cols() != placing.axes.cols() ||
      placing.values.rows() != std::max<Index>(1, std::ssize(placing.offsets)))
    archive.fail("placing.values", "are not one per map and coordinate");
  if (!placing.density.empty() && std::ssize(placing.density) != size)
    archive.fail("placing.density", "is not one per point");
  if (!std::all_of(placing.density.begin(), placing.density.end(), [](double q) { return q > 0; }))
    archive.fail("placing.density", "must be positive");
  if (!placing.components.empty() && std::ssize(placing.components) != size)
    archive.fail("placing.components", "are not one per point");
  return placing;
}

void scale_to_length_one(double* row, Index count) {
  double squared = 0;
  for (Index k = 0; k < count; ++k) squared += row[k] * row[k];
  for (Index k = 0; k < count && squared > 0; ++k) row[k] /= std::sqrt(squared);
}

Array2<double> GraphTransformer::transform(PointsView points, const Run& run) const {
  constexpr Index kRows = 4096;
  Array2<double> y = Array2<double>::uninitialized(points.rows(), placing_.axes.cols());
  for (Index first = 0; first < points.rows(); first += kRows) {
    run.check_cancelled();
    const Index count = std::min(kRows, points.rows() - first);
    const Array2<double> block = placing_.place(rows_->rows(points.slice(first, count), run), first);
    std::copy_n(block.data(), block.size(), y.row(first));
  }
  return y;
}

void GraphTransformer::save(ArchiveWriter& archive) const {
  placing_.save(archive);
  rows_->save(archive);
}

std::shared_ptr<const Transformer> GraphTransformer::load(const ArchiveReader& archive) {
  auto rows = AffinityRows::load(archive);
  GraphPlacing placing = GraphPlacing::load(archive, rows->columns());
  return std::make_shared<const GraphTransformer>(std::move(rows), std::move(placing));
}

}  // namespace unroll
