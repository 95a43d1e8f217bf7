#include "spectral/placing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/archive.h"
#include "core/at.h"
#include "core/matrix_copies.h"
#include "core/parallel.h"
#include "linalg/centered_points.h"
#include "neighbors/archive_parts.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

bool is_by_weights(NewPointRule rule) { return rule == NewPointRule::Weights || rule == NewPointRule::LocalMap; }

/// The form that the rows of a rule have.
RowForm form_for(NewPointRule rule) {
  switch (rule) {
    case NewPointRule::Centered: return RowForm::Similarities;
    case NewPointRule::Weights: return RowForm::Weights;
    case NewPointRule::LocalMap: return RowForm::LocalMap;
    default: return RowForm::EdgeWeights;
  }
}

/// One row of W without zeros.
struct WeightedRow {
  std::vector<Index> columns = {};
  std::vector<double> values = {};

  double sum() const {
    double total = 0;
    for (const double value : values) total += value;
    return total;
  }
};

/// The entries in the component of the leader, or without a leader in that of the heaviest entry. With one map: all
/// entries.
WeightedRow own_entries(const SparseMatrix& w, Index i, Index leader, const std::vector<Index>& components) {
  WeightedRow row;
  const auto begin = at(w.offsets[at(i)]), end = at(w.offsets[at(i + 1)]);
  if (leader < 0 && begin < end) {
    const auto first = w.values.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = w.values.begin() + static_cast<std::ptrdiff_t>(end);
    leader = w.columns[static_cast<std::size_t>(std::max_element(first, last) - w.values.begin())];
  }
  for (std::size_t e = begin; e < end; ++e) {
    if (!components.empty() && components[at(w.columns[e])] != components[at(leader)]) continue;
    row.columns.push_back(w.columns[e]);
    row.values.push_back(w.values[e]);
  }
  return row;
}

Index entry_or(const std::vector<Index>& entries, Index i, Index fallback) {
  return entries.empty() ? fallback : entries[at(i)];
}

[[noreturn]] void throw_cannot_place(Index row, std::string problem, std::string advice) {
  throw Error(ErrorKind::InvalidData,
              Error::Parts{.problem = std::move(problem), .advice = std::move(advice), .row = row});
}

}  // namespace

void scale_to_length_one(double* row, Index count) {
  double squared = 0;
  for (Index k = 0; k < count; ++k) squared += row[k] * row[k];
  for (Index k = 0; k < count && squared > 0; ++k) row[k] /= std::sqrt(squared);
}

std::optional<double> Placing::scale(double degree, double value) const {
  constexpr double kRounding = 1e-10;
  if (rule == NewPointRule::Centered) return factor;
  if (is_by_weights(rule)) return 1;
  if (!(degree > 0)) return {};
  const double divisor = rule == NewPointRule::Markov ? value : 1 - value;
  if (rule == NewPointRule::Unnormalized) {
    if (degree - value > kRounding * degree) return 1 / (degree - value);
    return {};
  }
  if (std::abs(divisor) <= kRounding) return {};
  return 1 / (rule == NewPointRule::Symmetric ? std::sqrt(degree) : degree) / divisor;
}

bool Placing::is_nothing(Index map, Index coordinate) const {
  constexpr double kNothing = 1e-6;
  double own = 0, largest = 0;
  for (Index j = 0; j < axes.rows(); ++j) {
    if (!components.empty() && components[at(j)] != map) continue;
    own = std::max(own, std::abs(axes(j, coordinate)));
    for (Index k = 0; k < axes.cols(); ++k) largest = std::max(largest, std::abs(axes(j, k)));
  }
  return own <= kNothing * largest;
}

void Placing::refuse(Index row, double degree, double value, Index coordinate) const {
  if (!(degree > 0))
    throw_cannot_place(row, "has no training point near enough to weigh anything; is it in the same units?", "");
  if (rule == NewPointRule::Unnormalized)
    throw_cannot_place(row,
                       fmt::format("has weights that add up to {:g}, not more than the eigenvalue {:g}: the "
                                   "unnormalized Laplacian cannot place it",
                                   degree, value),
                       "use laplacian=random_walk");
  const bool is_markov = rule == NewPointRule::Markov;
  throw_cannot_place(row,
                     fmt::format("cannot be placed: coordinate {} belongs to the eigenvalue {}, of which neighbors "
                                 "say nothing",
                                 coordinate + 1, is_markov ? 0 : 1),
                     fmt::format("fit with fewer components{}", is_markov ? " or a larger t" : ""));
}

Array2<double> Placing::place(const NewRows& rows, const Run& run) const {
  const auto* full = std::get_if<Array2<double>>(&rows.w);
  Array2<double> y = full != nullptr ? place_full(*full, rows.leaders, run) : place_sparse(rows);
  for (Index i = 0; i < y.rows() && unit_rows; ++i) scale_to_length_one(y.row(i), y.cols());
  return y;
}

Array2<double> Placing::place_full(const Array2<double>& w, const std::vector<Index>& leaders, const Run& run) const {
  if (rule != NewPointRule::Centered)
    throw Error(ErrorKind::Internal, fmt::format("'{}' is for rows of a graph", name_of(rule)));
  if (components.empty()) {
    // The mean of w itself need not be subtracted: every axis sums to zero.
    Array2<double> y = project(w, 1, means, transposed(axes), run);
    for (Index i = 0; i < y.size(); ++i) y.data()[i] *= factor;
    return y;
  }
  constexpr Index kRows = 16;
  Array2<double> y(w.rows(), axes.cols());
  parallel_for(run, w.rows(), kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index map = components[at(leaders[at(i)])];
      for (Index j = 0; j < w.cols(); ++j)
        for (Index k = 0; k < y.cols() && components[at(j)] == map; ++k)
          y(i, k) += (w(i, j) - means[at(j)]) * axes(j, k);
      for (Index k = 0; k < y.cols(); ++k) y(i, k) *= factor;
      y(i, 0) += offsets[at(map)];
    }
  });
  return y;
}

Array2<double> Placing::place_sparse(const NewRows& rows) const {
  const auto& w = std::get<SparseMatrix>(rows.w);
  const Index count = axes.cols();
  const bool by_weights = is_by_weights(rule);
  Array2<double> y(w.rows, count);
  for (Index i = 0; i < w.rows; ++i) {
    const Index same = entry_or(rows.same, i, -1), leader = entry_or(rows.leaders, i, -1);
    double* out = y.row(i);
    if (by_weights && same >= 0) {
      std::copy_n(axes.row(same), count, out);
      continue;
    }
    WeightedRow row = own_entries(w, i, leader, components);
    if (!density.empty()) {
      const double own = std::pow(row.sum(), alpha);
      for (std::size_t e = 0; e < row.values.size(); ++e) row.values[e] /= own * density[at(row.columns[e])];
    }
    const double degree = by_weights ? 1 : row.sum();
    const Index nearest = same >= 0 ? same : row.columns.empty() ? 0 : row.columns.front();
    const Index map = components.empty() ? 0 : components[at(nearest)];
    for (std::size_t e = 0; e < row.values.size(); ++e)
      for (Index k = 0; k < count; ++k) out[k] += row.values[e] * axes(row.columns[e], k);
    const auto value = [&](Index k) { return values.rows() > 0 ? values(map, k) : 0; };
    const bool is_known = !rows.degrees.empty() && rows.degrees[at(i)] > 0;
    // d - lambda may be small, and multiplies the rounding of a row whose coordinates are known.
    const bool is_copied = rule == NewPointRule::Unnormalized && same >= 0;
    bool is_placed = std::isfinite(degree) && !is_known && !is_copied;
    for (Index k = 0; k < count && is_placed; ++k) {
      std::optional<double> g = scale(degree, value(k));
      if (!g && same < 0 && degree > 0 && rule == NewPointRule::Markov && is_nothing(map, k)) g = 0;
      is_placed = g.has_value();
      if (!is_placed && same < 0) refuse(i, degree, value(k), k);
      out[k] *= g.value_or(0);
    }
    if (!is_placed) {
      if (same < 0) refuse(i, 0, 0, 0);
      const double own = is_known ? rows.degrees[at(i)] : degree;
      const double root = rule == NewPointRule::Symmetric && own > 0 ? std::sqrt(own) : 1;
      for (Index k = 0; k < count; ++k) out[k] = axes(same, k) * root;
    }
    if (!components.empty() && !offsets.empty()) out[0] += offsets[at(map)];
  }
  return y;
}

void Placing::save(ArchiveWriter& archive) const {
  archive.put("placing.rule", name_of(rule));
  if (!is_by_weights(rule)) archive.put("placing.axes", axes.view());  // else the axes are the coordinates
  archive.put("placing.means", means);
  archive.put("placing.factor", factor);
  archive.put("placing.values", values.view());
  archive.put("placing.density", density);
  archive.put("placing.alpha", alpha);
  archive.put("placing.unit_rows", std::int64_t{unit_rows});
  archive.put("placing.components", components);
  archive.put("placing.offsets", offsets);
}

void Placing::check(const ArchiveReader& archive, const SourceRows& rows) const {
  const Index columns = rows.columns(), maps = std::max<Index>(1, std::ssize(offsets));
  const bool by_weights = is_by_weights(rule), needs_values = rule != NewPointRule::Centered && !by_weights;
  const auto is_per_column = [&](const auto& entries) { return entries.empty() || std::ssize(entries) == columns; };
  if (form_for(rule) != rows.form())
    archive.fail("placing.rule", fmt::format("'{}' is not for rows of the kind '{}'", name_of(rule), rows.kind()));
  if (!(factor > 0)) archive.fail("placing.factor", "must be positive");
  if (axes.rows() != columns) archive.fail("placing.axes", "are not as many as there are points to compare with");
  if (axes.cols() == 0) archive.fail("placing.axes", "have no columns");
  if (axes.cols() != archive.cols("coordinates"))
    archive.fail("placing.axes", "have another number of columns than the coordinates");
  if (rule == NewPointRule::Centered && std::ssize(means) != columns)
    archive.fail("placing.means", "are not one per point");
  if (needs_values ? values.rows() != maps || values.cols() != axes.cols() : values.rows() != 0)
    archive.fail("placing.values", needs_values ? "are not one per map and coordinate" : "do not go with the rule");
  if (!is_per_column(density)) archive.fail("placing.density", "is not one per point");
  if (!std::all_of(density.begin(), density.end(), [](double q) { return q > 0; }))
    archive.fail("placing.density", "must be positive");
  if (!components.empty() && !rows.knows_components())
    archive.fail("placing.components", fmt::format("do not go with rows of the kind '{}'", rows.kind()));
  if (!is_per_column(components)) archive.fail("placing.components", "are not one per point");
  if (offsets.empty() != (by_weights || components.empty()))
    archive.fail("placing.offsets", "do not go with the components");
}

Placing Placing::load(const ArchiveReader& archive) {
  const auto rule = load_choice<NewPointRule>(archive, "placing.rule");
  const bool by_weights = is_by_weights(rule);
  Placing placing{.rule = rule,
                  .axes = archive.matrix(by_weights ? "coordinates" : "placing.axes"),
                  .means = archive.reals("placing.means"),
                  .factor = archive.real("placing.factor"),
                  .values = archive.matrix("placing.values"),
                  .density = archive.reals("placing.density"),
                  .alpha = archive.real("placing.alpha"),
                  .unit_rows = archive.flag("placing.unit_rows"),
                  .offsets = archive.reals("placing.offsets")};
  const Index maps = by_weights ? placing.axes.rows() : std::ssize(placing.offsets);
  placing.components = load_indices(archive, "placing.components", maps);
  return placing;
}

}  // namespace unroll
