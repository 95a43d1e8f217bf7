#include "spectral/embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/finite.h"
#include "core/text.h"
#include "neighbors/components_policy.h"
#include "spectral/component_pairs.h"
#include "spectral/component_warnings.h"
#include "spectral/coordinates.h"
#include "spectral/eigenvalue_report.h"

namespace unroll {
namespace {

void check_count(const Recipe& row, const Source& source, const SpectralSettings& settings) {
  const Components& components = source.components();
  const Index n = source.size(), parts = components.count(), d = settings.n_components;
  const bool apart = settings.separate && parts > 1;
  const Index most = most_coordinates(row, components, apart);
  if (d <= most) return;
  if (row.operation == OperatorRule::Centered)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("n_components={} must be less than the number of points, {}", d, n),
                "use a smaller n_components");
  throw Error(
      ErrorKind::InvalidOption,
      fmt::format("n_components={} must be at most {}: {} in {} have no more eigenvectors", d, most,
                  counted(n, "point"), counted(parts, "component")),
      fmt::format("use {}", apart ? "a smaller n_components, a larger n_neighbors or radius, or components=connect"
                                  : "a smaller n_components"));
}

Spectrum spectrum_of(const PartSolution& solution) {
  return {.values = solution.values,
          .residuals = solution.residuals,
          .iterations = solution.iterations,
          .solver = solution.solver};
}

/// The spectrum in the units of the data. The eigenvalues of D - W are in the unit of W.
void set_spectrum(const Recipe& row, Spectrum spectrum, const SpectralSettings& settings, SpectralFit& fit) {
  if (row.operation == OperatorRule::Centered) return set_spectrum(std::move(spectrum), settings.unit, fit);
  fit.spectrum = std::move(spectrum);
  if (row.operation != OperatorRule::Laplacian) return;
  for (double& value : fit.spectrum.values) value *= settings.unit;
  require_finite(fit.spectrum.values, "eigenvalues of D - W", "use another laplacian, or divide the weights by 1024");
}

/// The part of the placing of new points that does not depend on the number of maps.
Placing placing_of(const Recipe& row, const Source& source, const SpectralSettings& settings) {
  return {.rule = row.new_point,
          .factor = row.operation == OperatorRule::Centered ? 1 / settings.unit : 1,
          .density = source.density(),
          .alpha = source.density().empty() ? 0 : settings.alpha,
          .unit_rows = row.coordinates == CoordinateRule::UnitRows};
}

MapEnd end_of(const PartSolution& solution) {
  return {.count = std::ssize(solution.values), .norm = solution.norm, .last_group_is_cut = solution.last_group_is_cut};
}

void scale(Array2<double>& a, double factor) {
  if (factor == 1) return;
  for (Index i = 0; i < a.size(); ++i) a.data()[i] *= factor;
}

/// All points in one map.
SpectralFit embed_whole(const Recipe& row, const Source& source, const SpectralSettings& settings, const Run& run) {
  PartSolution solution = pairs_of_all(row, source, settings, run);
  SpectralFit fit{.placing = placing_of(row, source, settings),
                  .rank = solution.rank.value_or(settings.n_components),
                  .tried = solution.tried,
                  .warnings = solution.warnings};
  Coordinates coordinates = coordinates_of(row, solution, settings);
  scale(coordinates.y, fit.placing.factor);
  fit.coordinates = std::move(coordinates.y);
  fit.placing.axes = std::move(coordinates.axes);
  fit.placing.means = std::move(solution.means);
  fit.placing.values = as_row(solution.values);
  fit.ends = {end_of(solution)};
  report_eigenvalues(row, solution, source.components().count(), settings, fit.warnings);
  set_spectrum(row, spectrum_of(solution), settings, fit);
  return fit;
}

/// Copies the rows of a map's points to their places among all points.
void put(const std::vector<Index>& points, const Array2<double>& from, Array2<double>& to) {
  for (std::size_t i = 0; i < points.size(); ++i)
    std::copy_n(from.row(static_cast<Index>(i)), from.cols(), to.row(points[i]));
}

Warning spectrum_warning(Index points, bool is_largest) {
  if (points > 0) return largest_component("the spectrum is", points, is_largest);
  return {"zero-variance", "every component is one point, or copies of one: there is no spectrum",
          "use a larger n_neighbors, or remove duplicates"};
}

/// Every component has a map of its own, with no more dimensions than it has itself, and the maps lie side by side. The
/// largest component comes first: the spectrum is its own, and warnings name it.
SpectralFit embed_apart(const Recipe& row, const Source& source, const SpectralSettings& settings, const Run& run) {
  const Components& components = source.components();
  const std::vector<std::vector<Index>> members = ComponentPoints(components).members;
  const Index n = source.size(), d = settings.n_components;
  std::vector<Index> order(members.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return components.sizes[at(a)] > components.sizes[at(b)]; });
  SpectralFit whole{.coordinates = Array2<double>(n, d), .placing = placing_of(row, source, settings)};
  Placing& placing = whole.placing;
  placing.axes = Array2<double>(n, d);
  placing.components = components.labels;
  placing.values = Array2<double>(components.count(), d);
  if (row.operation == OperatorRule::Centered) placing.means.assign(at(n), 0);
  whole.ends.resize(members.size());
  ComponentWarnings warnings;
  Index told = 0;  // points of the component whose spectrum is reported
  for (const Index c : order) {
    const std::vector<Index>& points = members[at(c)];
    const Index count = std::min(d, std::ssize(points) - (keeps_trivial(row) ? 0 : 1));
    if (count == 0 || source.is_one_point(c)) continue;  // it lies at the origin of its map
    PartSolution solution = pairs_of_component(row, source, points, count, settings, run);
    Coordinates own = coordinates_of(row, solution, settings);
    scale(own.y, placing.factor);
    put(points, own.y, whole.coordinates);
    put(points, own.axes, placing.axes);
    std::copy(solution.values.begin(), solution.values.end(), placing.values.row(c));
    for (std::size_t i = 0; i < solution.means.size(); ++i) placing.means[at(points[i])] = solution.means[i];
    whole.ends[at(c)] = end_of(solution);
    whole.rank = std::max(whole.rank, solution.rank.value_or(count));
    whole.tried.insert(whole.tried.end(), solution.tried.begin(), solution.tried.end());
    std::vector<Warning> said = solution.warnings;
    report_eigenvalues(row, solution, 1, settings, said);
    warnings.add(said, c, std::ssize(points));
    if (told > 0) continue;
    told = std::ssize(points);
    set_spectrum(row, spectrum_of(solution), settings, whole);
  }
  warnings.write(whole.warnings);
  whole.warnings.push_back(spectrum_warning(told, told == components.sizes[at(order.front())]));
  placing.offsets = side_by_side(whole.coordinates, components);
  for (Index i = 0; i < n; ++i) whole.coordinates(i, 0) += placing.offsets[at(components.labels[at(i)])];
  return whole;
}

/// Weights are applied to the coordinates themselves.
void place_among_coordinates(SpectralFit& fit) {
  fit.placing.axes = fit.coordinates;
  fit.placing.values = {};
  fit.placing.components.clear();
  fit.placing.offsets.clear();
}

}  // namespace

Index most_coordinates(const Recipe& row, const Components& components, bool separate) {
  const Index n = std::ssize(components.labels);
  const Index connected = separate ? *std::max_element(components.sizes.begin(), components.sizes.end()) : n;
  return keeps_trivial(row) ? connected : connected - 1;
}

SpectralFit embed(const Recipe& row, const Source& source, const SpectralSettings& settings, const Run& run) {
  source.check(row);
  check_count(row, source, settings);
  const bool apart = settings.separate && source.components().count() > 1;
  SpectralFit fit = apart ? embed_apart(row, source, settings, run) : embed_whole(row, source, settings, run);
  for (Index i = 0; i < fit.coordinates.rows() && fit.placing.unit_rows; ++i)
    scale_to_length_one(fit.coordinates.row(i), fit.coordinates.cols());
  if (row.new_point == NewPointRule::Weights || row.new_point == NewPointRule::LocalMap) place_among_coordinates(fit);
  if (row.new_point == NewPointRule::Centered) fit.placing.values = {};
  std::vector<Index> all(at(settings.n_components));
  std::iota(all.begin(), all.end(), Index{0});
  warn_of_cut_groups(all, fit);
  require_finite(fit.coordinates, "coordinates");
  return fit;
}

void select_columns(const std::vector<Index>& columns, bool with_values, SpectralFit& fit) {
  const auto picked = [&](const Array2<double>& from) {
    Array2<double> to = Array2<double>::uninitialized(from.rows(), std::ssize(columns));
    for (Index i = 0; i < from.rows(); ++i)
      for (Index k = 0; k < to.cols(); ++k) to(i, k) = from(i, columns[at(k)]);
    return to;
  };
  warn_of_cut_groups(columns, fit);
  fit.coordinates = picked(fit.coordinates);
  fit.placing.axes = picked(fit.placing.axes);
  fit.placing.values = picked(fit.placing.values);
  for (Index i = 0; i < fit.coordinates.rows() && fit.placing.unit_rows; ++i)
    scale_to_length_one(fit.coordinates.row(i), fit.coordinates.cols());
  if (!with_values) return;
  const Spectrum spectrum = fit.spectrum;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    fit.spectrum.values[k] = spectrum.values[at(columns[k])];
    fit.spectrum.residuals[k] = spectrum.residuals[at(columns[k])];
  }
  fit.spectrum.values.resize(columns.size());
  fit.spectrum.residuals.resize(columns.size());
}

void set_spectrum(Spectrum scaled, double scale, SpectralFit& out) {
  const double leading = scaled.values.empty() ? 0 : std::abs(scaled.values.front()) / scale / scale;
  const bool in_range = leading == 0 || (std::isfinite(leading) && leading > 0x1p-900);
  out.eigenvalue_unit = in_range ? 1 : scale;
  const double rescale = out.eigenvalue_unit / scale;
  out.spectrum = std::move(scaled);
  for (double& value : out.spectrum.values) value *= rescale * rescale;
}

Embedding embedding_of(SpectralFit fit) {
  Embedding embedding{.warnings = std::move(fit.warnings)};
  const Index count = fit.coordinates.cols();
  if (fit.placing.rule == NewPointRule::Centered) {
    embedding.attributes = {{"rank", std::int64_t{fit.rank}}, {"eigenvalue_unit", fit.eigenvalue_unit}};
    const bool is_map = !fit.spectrum.values.empty();  // else every component is a point
    if (is_map && fit.rank == 0) {
      embedding.warnings.insert(embedding.warnings.begin(),
                                {"zero-variance", "there is no direction of positive extent: every coordinate is zero",
                                 "check the input: are all points at the same place?"});
    } else if (is_map && fit.rank < count) {
      embedding.warnings.insert(embedding.warnings.begin(),
                                {"rank-deficient",
                                 fmt::format("the shape has {} dimensions: the last {} of {} coordinates are zero",
                                             fit.rank, count - fit.rank, count),
                                 fmt::format("ask for n_components={}", fit.rank)});
    }
  }
  report_solvers(fit.tried, fit.spectrum.solver, embedding);
  embedding.coordinates = std::move(fit.coordinates);
  embedding.spectrum = std::move(fit.spectrum);
  return embedding;
}

void report_solvers(const std::vector<std::string>& tried, const std::string& solver, Embedding& embedding) {
  if (tried.empty()) return;
  const std::string list = fmt::format("{}", fmt::join(tried, "; "));
  embedding.attributes.emplace_back("solvers_tried", list);
  embedding.warnings.push_back(
      {"solver-changed", fmt::format("the eigenvectors are those of solver {}, after others failed ({})", solver, list),
       fmt::format("use eigen_solver={} at once", solver)});
}

}  // namespace unroll
