#include "spectral/embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/finite.h"
#include "core/matrix_copies.h"
#include "core/text.h"
#include "neighbors/components_policy.h"
#include "spectral/component_pairs.h"
#include "spectral/component_spectra.h"
#include "spectral/component_warnings.h"
#include "spectral/eigenvalue_report.h"

namespace unroll {
namespace {

void check_count(const Recipe& row, const Source& source, const SpectralSettings& settings) {
  const Index most = most_coordinates(row, source, settings);
  if (settings.n_components <= most) return;
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("n_components={} must be at most {}: {} in {} have no more eigenvectors",
                                      settings.n_components, most, counted(source.size(), "point"),
                                      counted(source.components().count(), "component")),
               .advice = is_apart(source, settings)
                             ? "use a smaller n_components, a larger n_neighbors or radius, or components=connect"
                             : "use a smaller n_components",
               .option = "n_components"});
}

Spectrum spectrum_of(const OperatorPairs& solution) {
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

/// lambda^t, where that is a real number.
double diffusion_power(double value, double time) {
  return value >= 0 || time == std::floor(time) ? std::pow(value, time) : 0;
}

/// The length of a coordinate whose eigenvector has length one (of diffusion: psi = sqrt(sum of degrees) D^-1/2 u).
double length_of(const Recipe& row, const OperatorPairs& solution, std::size_t k, const SpectralSettings& settings) {
  const double value = solution.values[k];
  switch (row.coordinates) {
    case CoordinateRule::SqrtEigenvalue: return std::sqrt(std::max(value, 0.0));
    case CoordinateRule::UnitVariance: return std::sqrt(static_cast<double>(solution.vectors.cols()));
    case CoordinateRule::Diffusion: {
      const auto points = static_cast<double>(solution.vectors.cols());
      const double volume =
          solution.degrees.empty() ? points : std::accumulate(solution.degrees.begin(), solution.degrees.end(), 0.0);
      return std::sqrt(volume) * diffusion_power(value, settings.time);
    }
    default: return 1;
  }
}

/// The coordinates sqrt(lambda) v are computed as A v / sqrt(lambda), as those of new points are. So transform gives a
/// training point its own coordinates, however small lambda is.
bool takes_products(const Recipe& row, const OperatorPairs& solution) {
  return row.coordinates == CoordinateRule::SqrtEigenvalue && row.new_point == NewPointRule::Centered &&
         solution.products.size() > 0;
}

/// Step 5: the coordinates that the row makes of eigenvectors, and the axes that place new points.
struct Coordinates {
  Array2<double> y = {};     ///< a row per point
  Array2<double> axes = {};  ///< a of Placing, a row per column of w
};

/// `solution` has vectors of the row's own matrix, with the trivial pairs if these are coordinates.
Coordinates coordinates_of(const Recipe& row, const OperatorPairs& solution, const SpectralSettings& settings) {
  const Array2<double>& v = solution.vectors;
  const Index n = v.cols(), count = v.rows(), rank = solution.rank.value_or(count);
  const bool is_centered = row.new_point == NewPointRule::Centered;
  Coordinates out{.y = Array2<double>(n, count), .axes = Array2<double>(n, count)};
  for (Index k = 0; k < rank; ++k) {
    const double value = solution.values[at(k)], length = length_of(row, solution, at(k), settings);
    for (Index i = 0; i < n; ++i) {
      out.y(i, k) = takes_products(row, solution) ? solution.products(k, i) / length : length * v(k, i);
      double axis = length * v(k, i);
      if (is_centered) axis = value != 0 ? axis / value : 0;
      if (row.new_point == NewPointRule::Symmetric && !solution.degrees.empty() && solution.degrees[at(i)] > 0)
        axis /= std::sqrt(solution.degrees[at(i)]);
      out.axes(i, k) = axis;
    }
  }
  if (solution.axes) {
    out.axes = *solution.axes;  // axes of the coordinates sqrt(lambda) v
    for (Index k = 0; k < rank; ++k) {
      const double root = std::sqrt(solution.values[at(k)]), length = length_of(row, solution, at(k), settings);
      for (Index j = 0; j < out.axes.rows(); ++j) out.axes(j, k) *= length / root;
    }
  }
  return out;
}

/// The part of the placing of new points that does not depend on the number of maps.
Placing placing_of(const Recipe& row, const Source& source, const SpectralSettings& settings) {
  return {.rule = row.new_point,
          .factor = row.operation == OperatorRule::Centered ? 1 / settings.unit : 1,
          .density = source.density(),
          .alpha = source.density().empty() ? 0 : settings.alpha,
          .unit_rows = row.coordinates == CoordinateRule::UnitRows};
}

MapEnd end_of(const OperatorPairs& solution) {
  return {.count = std::ssize(solution.values), .norm = solution.norm, .last_group_is_cut = solution.last_group_is_cut};
}

void scale(Array2<double>& a, double factor) {
  if (factor == 1) return;
  for (Index i = 0; i < a.size(); ++i) a.data()[i] *= factor;
}

/// All points in one map.
SpectralFit embed_whole(const Recipe& row, const Source& source, const SpectralSettings& settings, const Run& run) {
  OperatorPairs solution = pairs_of_all(row, source, settings, run);
  SpectralFit fit{.placing = placing_of(row, source, settings),
                  .rank = solution.rank.value_or(settings.n_components),
                  .tried = solution.tried,
                  .warnings = solution.warnings,
                  .attributes = solution.attributes};
  Coordinates coordinates = coordinates_of(row, solution, settings);
  scale(coordinates.y, fit.placing.factor);
  fit.coordinates = std::move(coordinates.y);
  fit.placing.axes = std::move(coordinates.axes);
  fit.placing.means = std::move(solution.means);
  fit.placing.values = as_row(solution.values);
  fit.ends = {end_of(solution)};
  report_eigenvalues(row, solution, source.components().count(), settings, fit.warnings);
  set_spectrum(row, spectrum_of(solution), settings, fit);
  set_component_spectra(row, std::move(solution.parts), settings, fit);
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
  SpectralFit whole{.coordinates = Array2<double>(n, d), .placing = placing_of(row, source, settings)};
  Placing& placing = whole.placing;
  placing.axes = Array2<double>(n, d);
  placing.components = components.labels;
  placing.values = Array2<double>(components.count(), d);
  if (row.operation == OperatorRule::Centered) placing.means.assign(at(n), 0);
  whole.ends.resize(members.size());
  ComponentWarnings warnings;
  std::vector<ComponentSpectrum> parts;
  Index reported_points = 0;                         // of the component whose spectrum is reported
  for (const Index c : mapped_components(source)) {  // other components lie at the origin of their maps
    const std::vector<Index>& points = members[at(c)];
    const Index count = std::min(d, std::ssize(points) - (keeps_trivial(row) ? 0 : 1));
    OperatorPairs solution = pairs_of_component(row, source, points, count, settings, run);
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
    merge_attributes(solution.attributes, whole.attributes);
    parts.push_back({c, std::ssize(points), solution.values, solution.residuals});
    if (reported_points > 0) continue;
    reported_points = std::ssize(points);
    set_spectrum(row, spectrum_of(solution), settings, whole);
  }
  warnings.write(whole.warnings);
  set_component_spectra(row, std::move(parts), settings, whole);
  const Index largest = *std::max_element(components.sizes.begin(), components.sizes.end());
  whole.warnings.push_back(spectrum_warning(reported_points, reported_points == largest));
  placing.offsets = side_by_side(whole.coordinates, components);
  for (Index i = 0; i < n; ++i) whole.coordinates(i, 0) += placing.offsets[at(components.labels[at(i)])];
  return whole;
}

/// Weights are applied to the coordinates themselves, which contain the offsets.
void place_among_coordinates(SpectralFit& fit) {
  fit.placing.axes = fit.coordinates;
  fit.placing.values = {};
  fit.placing.offsets.clear();
}

}  // namespace

bool is_apart(const Source& source, const SpectralSettings& settings) {
  return settings.separate && source.components().count() > 1;
}

std::vector<Index> mapped_components(const Source& source) {
  const Components& components = source.components();
  std::vector<Index> order;
  for (Index c = 0; c < components.count(); ++c)
    if (!source.is_one_point(c)) order.push_back(c);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return components.sizes[at(a)] > components.sizes[at(b)]; });
  return order;
}

Index most_coordinates(const Recipe& row, const Source& source, const SpectralSettings& settings) {
  const std::vector<Index>& sizes = source.components().sizes;
  const Index pairs =
      is_apart(source, settings) ? *std::max_element(sizes.begin(), sizes.end()) - 1 : source.most_pairs();
  return keeps_trivial(row) ? pairs + 1 : pairs;
}

SpectralFit embed(const Recipe& row, const Source& source, const SpectralSettings& settings, const Run& run) {
  source.check(row);
  check_count(row, source, settings);
  SpectralFit fit =
      is_apart(source, settings) ? embed_apart(row, source, settings, run) : embed_whole(row, source, settings, run);
  for (Index i = 0; i < fit.coordinates.rows() && fit.placing.unit_rows; ++i)
    scale_to_length_one(fit.coordinates.row(i), fit.coordinates.cols());
  if (row.new_point == NewPointRule::Weights || row.new_point == NewPointRule::LocalMap) place_among_coordinates(fit);
  if (row.new_point == NewPointRule::Centered) fit.placing.values = {};
  std::vector<Index> all(at(settings.n_components));
  std::iota(all.begin(), all.end(), Index{0});
  warn_of_cut_groups(std::vector(fit.ends.size(), all), fit);
  require_finite(fit.coordinates, "coordinates");
  return fit;
}

void set_spectrum(Spectrum scaled, double scale, SpectralFit& out) {
  const double first = scaled.values.empty() ? 0 : std::abs(scaled.values.front()), leading = first / scale / scale;
  const bool in_range = first == 0 || (std::isfinite(leading) && leading > 0x1p-900);
  out.eigenvalue_unit = in_range ? 1 : scale;
  const double rescale = out.eigenvalue_unit / scale;
  out.spectrum = std::move(scaled);
  for (double& value : out.spectrum.values) value *= rescale * rescale;
}

Embedding embedding_of(SpectralFit fit) {
  Embedding embedding{.warnings = std::move(fit.warnings), .attributes = std::move(fit.attributes)};
  const Index count = fit.coordinates.cols();
  if (fit.placing.rule == NewPointRule::Centered) {
    embedding.attributes.emplace_back("rank", std::int64_t{fit.rank});
    embedding.attributes.emplace_back("eigenvalue_unit", fit.eigenvalue_unit);
    const bool is_map = !fit.spectrum.values.empty();  // else every component is a point
    if (is_map && fit.rank == 0) {
      embedding.warnings.insert(embedding.warnings.begin(),
                                {"zero-variance", "there is no direction of positive extent: every coordinate is zero",
                                 "check the input: are all points at the same place?"});
    } else if (is_map && fit.rank < count) {
      embedding.warnings.insert(embedding.warnings.begin(),
                                {"rank-deficient",
                                 fmt::format("the shape has {}: the other {} of {} coordinates are zero",
                                             counted(fit.rank, "dimension"), count - fit.rank, count),
                                 fmt::format("ask for n_components={}", fit.rank)});
    }
  }
  report_solvers(fit.tried, fit.spectrum.solver, embedding);
  embedding.coordinates = std::move(fit.coordinates);
  embedding.spectrum = std::move(fit.spectrum);
  embedding.component_spectra = std::move(fit.parts);
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
