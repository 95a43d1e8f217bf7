#include "spectral/graph_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "quality/independence.h"
#include "spectral/spectral_embedding.h"
#include "spectral/transformer.h"

namespace unroll {
namespace {

/// Columns of what was found, and their eigenvalues.
void keep_pairs(const std::vector<Index>& columns, GraphEmbedding& map) {
  keep_coordinates(columns, map);
  Spectrum spectrum = map.spectrum;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    map.spectrum.values[k] = spectrum.values[static_cast<std::size_t>(columns[k])];
    map.spectrum.residuals[k] = spectrum.residuals[static_cast<std::size_t>(columns[k])];
  }
  map.spectrum.values.resize(columns.size());
  map.spectrum.residuals.resize(columns.size());
}

/// The points by which coordinates are judged. Where every component has a map of its own, those of the largest, as
/// the spectrum is.
std::vector<Index> judging_points_of(const Components& components, const GraphSettings& settings) {
  if (!settings.separate || components.count() == 1)
    return judging_points(std::ssize(components.labels), settings.seed);
  const auto largest = std::max_element(components.sizes.begin(), components.sizes.end());
  const std::vector<Index> members =
      ComponentPoints(components).members[static_cast<std::size_t>(largest - components.sizes.begin())];
  std::vector<Index> points = judging_points(*largest, settings.seed);
  for (Index& point : points) point = members[static_cast<std::size_t>(point)];
  return points;
}

/// What is judged: the axes of new points are the coordinates, without the roots of degrees that symmetric ones have,
/// which would be noise, and without the offsets of maps side by side.
const Array2<double>& judged(const GraphEmbedding& map) { return map.placing.axes; }

/// The map again, of more coordinates. Where W has been divided by densities in its place, it is taken as it is.
GraphEmbedding embed_more(const Recipe& row, Affinity& affinity, GraphSettings settings, GraphEmbedding before,
                          const Run& run) {
  const bool is_divided = before.placing.components.empty() && !before.placing.density.empty();
  if (is_divided) settings.alpha = 0;
  GraphEmbedding map = embed_graph(row, affinity, settings, run);
  if (is_divided) {
    map.placing.density = std::move(before.placing.density);
    map.placing.alpha = before.placing.alpha;
  }
  return map;
}

struct IndependentMap {
  GraphEmbedding map = {};
  Index looked_at = 0;  ///< eigenvectors
  Index found = 0;      ///< independent ones; where these are too few, the first others follow them
};

/// Looks at some more eigenvectors than are wanted, and where too few of them are independent, at all that can be
/// judged.
IndependentMap embed_independent(const Recipe& row, Affinity& affinity, GraphSettings settings,
                                 const std::vector<Index>& points, const Run& run) {
  const Components& components = affinity.components;
  const Index wanted = settings.n_components;
  const Index most = most_coordinates(row, components, settings.separate && components.count() > 1);
  const Index last = std::max(wanted, std::min(most_judged(points), most));
  settings.n_components = std::min(2 * wanted + 10, last);
  GraphEmbedding map = embed_graph(row, affinity, settings, run);
  std::vector<Index> chosen = independence(judged(map), points, wanted, run).independent;
  if (std::ssize(chosen) < wanted && settings.n_components < last) {
    settings.n_components = last;
    map = embed_more(row, affinity, settings, std::move(map), run);
    chosen = independence(judged(map), points, wanted, run).independent;
  }
  const Index found = std::ssize(chosen);
  for (Index k = 0; std::ssize(chosen) < wanted; ++k)
    if (std::find(chosen.begin(), chosen.end(), k) == chosen.end()) chosen.push_back(k);
  keep_pairs(chosen, map);
  return {.map = std::move(map), .looked_at = settings.n_components, .found = found};
}

/// Says of every coordinate how little of it those before it tell, and warns of those that repeat them.
void report_independence(std::vector<double> told, double least, const std::string& hint, Embedding& embedding) {
  std::vector<std::string> repeated;
  for (std::size_t k = 1; k < told.size(); ++k)
    if (told[k] < least) repeated.push_back(fmt::format("{}", k + 1));
  embedding.diagnostics.emplace_back("independence", std::move(told));
  if (repeated.empty()) return;
  const std::string which = fmt::format("{}", fmt::join(repeated, ", "));
  embedding.warnings.push_back(
      {"repeated-direction",
       fmt::format("{} of those before, as on a long strip",
                   repeated.size() == 1 ? fmt::format("coordinate {} is mostly a function", which)
                                        : fmt::format("coordinates {} are mostly functions", which)),
       hint});
}

}  // namespace

GraphFit fit_graph(const Recipe& row, AffinityFit affinity, GraphSettings settings, bool independent, const Run& run) {
  settings.dimension = affinity.dimension;
  settings.unit = affinity.unit;
  settings.given_weights = affinity.given;
  const std::vector<Index> points = judging_points_of(affinity.affinity.components, settings);
  GraphEmbedding map;
  std::string hint = "use independent=true to skip such coordinates";
  if (independent) {
    IndependentMap chosen = embed_independent(row, affinity.affinity, settings, points, run);
    map = std::move(chosen.map);
    hint = fmt::format("there is no other direction among the first {} eigenvectors: use n_components={}",
                       chosen.looked_at, chosen.found);
  } else {
    map = embed_graph(row, affinity.affinity, settings, run);
  }
  constexpr Index kMostIndependent = 10;  // in more dimensions no point is near another
  std::vector<double> told = independence(judged(map), points, kMostIndependent, run).told;
  GraphFit fit{.embedding = {.coordinates = std::move(map.coordinates),
                             .spectrum = std::move(map.spectrum),
                             .warnings = std::move(affinity.warnings),
                             .diagnostics = std::move(affinity.diagnostics)}};
  fit.embedding.warnings.insert(fit.embedding.warnings.end(), map.warnings.begin(), map.warnings.end());
  report_solvers(map.tried, fit.embedding.spectrum.solver, fit.embedding);
  report_independence(std::move(told), independent ? kRepeats : kHarmonic, hint, fit.embedding);
  fit.transformer = std::make_shared<const SpectralTransformer>(TransformKind::Nystrom, std::move(affinity.rows),
                                                                std::move(map.placing));
  return fit;
}

}  // namespace unroll
