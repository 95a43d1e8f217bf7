#include "spectral/independent_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/at.h"
#include "neighbors/components_policy.h"
#include "quality/independence.h"
#include "spectral/component_warnings.h"
#include "spectral/eigenvalue_report.h"

namespace unroll {
namespace {

/// One map: of all points, or of a component if these have their own maps.
struct JudgedMap {
  Index number = 0;
  Index size = 0;                  ///< number of points
  std::vector<Index> judges = {};  ///< points by which its coordinates are judged
  Index most = 0;                  ///< eigenvectors that it has and that these points can judge
  std::vector<Index> chosen = {};  ///< columns, if repetitions are skipped
  Index found = 0;                 ///< how many of these are independent
  Index looked_at = 0;             ///< among so many eigenvectors
};

/// The maps that are judged, the one whose spectrum is reported first. Others need points for two coordinates at least.
std::vector<JudgedMap> judged_maps(const Recipe& row, const Source& source, const SpectralSettings& settings) {
  std::vector<JudgedMap> maps;
  const auto add = [&](Index number, Index size, Index pairs, std::vector<Index> judges) {
    const Index most = std::min(most_judged(judges), pairs);
    if (maps.empty() || most > 1)
      maps.push_back({.number = number, .size = size, .judges = std::move(judges), .most = most});
  };
  if (!is_apart(source, settings)) {
    add(0, source.size(), most_coordinates(row, source, settings), judging_points(source.size(), settings.seed));
    return maps;
  }
  const std::vector<std::vector<Index>> members = ComponentPoints(source.components()).members;
  for (const Index c : mapped_components(source)) {
    const Index size = std::ssize(members[at(c)]);
    std::vector<Index> judges = judging_points(size, settings.seed);
    for (Index& point : judges) point = members[at(c)][at(point)];
    add(c, size, size - 1, std::move(judges));
  }
  return maps;
}

/// The vectors that are judged: the axes of new points. They equal the coordinates without the square roots of degrees
/// of the symmetric Laplacian, which would be noise.
MatrixView<double> judged(const SpectralFit& fit, Index columns) {
  const Array2<double>& axes = fit.placing.axes;
  return {axes.data(), axes.rows(), columns, axes.cols()};
}

/// Chooses `wanted` columns of a map: the independent ones and, if these are too few, the first of the others.
void choose_columns(const SpectralFit& fit, Index wanted, JudgedMap& map, const Run& run) {
  map.looked_at = std::min(std::max(wanted, map.most), fit.coordinates.cols());
  map.chosen = independence(judged(fit, map.looked_at), map.judges, wanted, run).independent;
  map.found = std::ssize(map.chosen);
  for (Index k = 0; std::ssize(map.chosen) < wanted; ++k)
    if (std::find(map.chosen.begin(), map.chosen.end(), k) == map.chosen.end()) map.chosen.push_back(k);
}

/// Judges some more eigenvectors than are wanted; if a map has too few independent ones among them, all that can be
/// judged. Far eigenvectors may not converge, whom nobody has asked for: then the nearer ones have to do.
SpectralFit embed_independent(const Recipe& row, const Source& source, const SpectralSettings& settings,
                              std::vector<JudgedMap>& maps, const Run& run) {
  const Index wanted = settings.n_components;
  Index last = wanted;
  for (const JudgedMap& map : maps) last = std::max(last, map.most);
  SpectralFit fit;
  const auto choose_among = [&](Index count) {
    SpectralSettings more = settings;
    more.n_components = count;
    try {
      fit = embed(row, source, more, run);
    } catch (const Error& error) {
      if (count == wanted || error.kind() != ErrorKind::NotConverged) throw;
      return false;
    }
    for (JudgedMap& map : maps) choose_columns(fit, wanted, map, run);
    return true;
  };
  const Index some = std::min(2 * wanted + 10, last);
  const bool is_found = choose_among(some);
  if (!is_found) choose_among(wanted);
  const bool lacks = std::any_of(maps.begin(), maps.end(),
                                 [&](const JudgedMap& map) { return map.found < wanted && map.most > some; });
  if (is_found && lacks) choose_among(last);
  return fit;
}

template <class AnySpectrum>
void select_values(const std::vector<Index>& columns, AnySpectrum& spectrum) {
  const AnySpectrum before = spectrum;
  spectrum.values.clear();
  spectrum.residuals.clear();
  for (const Index k : columns) {
    if (k >= std::ssize(before.values)) continue;  // the component has fewer eigenvectors
    spectrum.values.push_back(before.values[at(k)]);
    spectrum.residuals.push_back(before.residuals[at(k)]);
  }
}

/// The warning of coordinates whose novelty is too small.
std::vector<Warning> repetitions(const std::vector<double>& novelty, double least, const std::string& hint) {
  std::vector<std::string> repeated;
  for (std::size_t k = 1; k < novelty.size(); ++k)
    if (novelty[k] < least) repeated.push_back(fmt::format("{}", k + 1));
  if (repeated.empty()) return {};
  const std::string which = fmt::format("{}", fmt::join(repeated, ", "));
  return {{"repeated-direction",
           fmt::format("{} of those before, as on a long strip",
                       repeated.size() == 1 ? fmt::format("coordinate {} is mostly a function", which)
                                            : fmt::format("coordinates {} are mostly functions", which)),
           hint}};
}

std::string advice_of(const JudgedMap& map, bool independent) {
  if (!independent)
    return "independent=true skips such coordinates; on branching data they may tell branches apart: compare both maps";
  return fmt::format("there is no other direction among the first {} eigenvectors: use n_components={}", map.looked_at,
                     map.found);
}

/// Judges the coordinates of every map as it is shown.
void report_independence(const std::vector<JudgedMap>& maps, bool apart, bool independent, SpectralFit& fit,
                         const Run& run) {
  constexpr Index kMostIndependent = 10;  // in more dimensions points have no near neighbours
  const Index wanted = fit.coordinates.cols();
  ComponentWarnings of_components;
  for (const JudgedMap& map : maps) {
    const std::vector<double> novelty = independence(judged(fit, wanted), map.judges, kMostIndependent, run).novelty;
    const std::vector<Warning> found =
        repetitions(novelty, independent ? kRepeats : kHarmonic, advice_of(map, independent));
    if (&map == &maps.front()) fit.attributes.emplace_back("independence", novelty);
    if (apart) of_components.add(found, map.number, map.size);
    if (!apart) fit.warnings.insert(fit.warnings.end(), found.begin(), found.end());
  }
  of_components.write(fit.warnings);
}

}  // namespace

void select_columns(const std::vector<std::vector<Index>>& columns, const std::vector<Index>& maps, SpectralFit& fit) {
  const Index count = std::ssize(columns.front());
  const auto picked = [&](const Array2<double>& from, auto&& map_of) {
    Array2<double> to = Array2<double>::uninitialized(from.rows(), count);
    for (Index i = 0; i < from.rows(); ++i)
      for (Index k = 0; k < count; ++k) to(i, k) = from(i, columns[at(map_of(i))][at(k)]);
    return to;
  };
  const auto of_point = [&](Index i) { return maps.empty() ? 0 : maps[at(i)]; };
  warn_of_cut_groups(columns, fit);
  fit.coordinates = picked(fit.coordinates, of_point);
  fit.placing.axes = picked(fit.placing.axes, of_point);
  if (fit.placing.values.rows() > 0) fit.placing.values = picked(fit.placing.values, [](Index map) { return map; });
  for (Index i = 0; i < fit.coordinates.rows() && fit.placing.unit_rows; ++i)
    scale_to_length_one(fit.coordinates.row(i), fit.coordinates.cols());
}

SpectralFit embed_judged(const Recipe& row, const Source& source, const SpectralSettings& settings, bool independent,
                         const Run& run) {
  std::vector<JudgedMap> maps = judged_maps(row, source, settings);
  const bool apart = is_apart(source, settings);
  if (!independent) {
    SpectralFit fit = embed(row, source, settings, run);
    report_independence(maps, apart, independent, fit, run);
    return fit;
  }
  SpectralFit fit = embed_independent(row, source, settings, maps, run);
  std::vector<Index> first(at(settings.n_components));
  std::iota(first.begin(), first.end(), Index{0});
  std::vector<std::vector<Index>> columns(apart ? at(source.components().count()) : 1, first);
  for (const JudgedMap& map : maps) columns[at(map.number)] = map.chosen;
  select_columns(columns, apart ? source.components().labels : std::vector<Index>{}, fit);
  if (!maps.empty()) select_values(maps.front().chosen, fit.spectrum);
  if (apart)
    for (ComponentSpectrum& part : fit.parts) select_values(columns[at(part.component)], part);
  report_independence(maps, apart, independent, fit, run);
  return fit;
}

}  // namespace unroll
