#include "spectral/graph_new_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/archive.h"
#include "core/at.h"
#include "neighbors/archive_parts.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

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

std::optional<double> GraphPlacing::factor(double degree, double value) const {
  constexpr double kRounding = 1e-10;
  const bool is_divided = rule == NewPointRule::Markov ? std::abs(value) > kRounding : std::abs(1 - value) > kRounding;
  if (!(degree > 0)) return {};
  switch (rule) {
    case NewPointRule::Unnormalized:
      if (degree > value) return 1 / (degree - value);
      return {};
    case NewPointRule::Symmetric:
      if (is_divided) return 1 / std::sqrt(degree) / (1 - value);
      return {};
    case NewPointRule::Markov:
      if (is_divided) return 1 / degree / value;
      return {};
    default:
      if (is_divided) return 1 / degree / (1 - value);
      return {};
  }
}

bool GraphPlacing::is_nothing(Index map, Index coordinate) const {
  constexpr double kNothing = 1e-6;
  double own = 0, largest = 0;
  for (Index j = 0; j < axes.rows(); ++j) {
    if (!components.empty() && components[at(j)] != map) continue;
    own = std::max(own, std::abs(axes(j, coordinate)));
    for (Index k = 0; k < axes.cols(); ++k) largest = std::max(largest, std::abs(axes(j, k)));
  }
  return own <= kNothing * largest;
}

void GraphPlacing::refuse(Index row, double degree, double value, Index coordinate) const {
  if (!(degree > 0))
    throw_cannot_place(row, "has no training point near enough to weigh anything; is it in the same units?");
  if (rule == NewPointRule::Unnormalized)
    throw_cannot_place(row, fmt::format("has weights that add up to {:g}, not more than the eigenvalue {:g}: the "
                                        "unnormalized Laplacian cannot place it; use laplacian=random_walk",
                                        degree, value));
  const bool is_markov = rule == NewPointRule::Markov;
  throw_cannot_place(row,
                     fmt::format("cannot be placed: coordinate {} belongs to the eigenvalue {}, of which neighbors "
                                 "say nothing; fit with fewer components{}",
                                 coordinate + 1, is_markov ? 0 : 1, is_markov ? " or a larger t" : ""));
}

Array2<double> GraphPlacing::place(const AffinityRows::Found& found, Index first) const {
  const Index count = axes.cols();
  Array2<double> y(found.w.rows, count);
  for (Index i = 0; i < found.w.rows; ++i) {
    WeightedRow row = own_entries(found.w, i, components);
    if (!density.empty()) {
      const double own = std::pow(row.sum(), alpha);
      for (std::size_t e = 0; e < row.values.size(); ++e) row.values[e] /= own * density[at(row.columns[e])];
    }
    const double degree = row.sum();
    const Index same = found.same[at(i)];
    const Index nearest = same >= 0 ? same : row.columns.empty() ? 0 : row.columns.front();
    const Index map = components.empty() ? 0 : components[at(nearest)];
    double* out = y.row(i);
    for (std::size_t e = 0; e < row.values.size(); ++e)
      for (Index k = 0; k < count; ++k) out[k] += row.values[e] * axes(row.columns[e], k);
    const bool is_known = !found.degrees.empty() && found.degrees[at(i)] > 0;
    bool is_told = std::isfinite(degree) && !is_known;
    for (Index k = 0; k < count && is_told; ++k) {
      std::optional<double> scale = factor(degree, values(map, k));
      const bool is_dropped = !scale && same < 0 && degree > 0 && rule == NewPointRule::Markov && is_nothing(map, k);
      if (is_dropped) scale = 0;
      is_told = scale.has_value();
      if (!is_told && same < 0) refuse(first + i, degree, values(map, k), k);
      out[k] *= scale.value_or(0);
    }
    if (!is_told) {
      if (same < 0) refuse(first + i, 0, 0, 0);
      const double own = is_known ? found.degrees[at(i)] : degree;
      const double root = rule == NewPointRule::Symmetric && own > 0 ? std::sqrt(own) : 1;
      for (Index k = 0; k < count; ++k) out[k] = axes(same, k) * root;
    }
    if (unit_rows) scale_to_length_one(out, count);
    if (!components.empty()) out[0] += offsets[at(map)];
  }
  return y;
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
