#include "sources/graph_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "quality/independence.h"
#include "sources/graph_source.h"
#include "spectral/embedding.h"
#include "spectral/transformer.h"

namespace unroll {
namespace {

/// The points by which coordinates are judged. If every component has its own map, these are points of the largest, as
/// for the spectrum.
std::vector<Index> judging_points_of(const Components& components, const SpectralSettings& settings) {
  if (!settings.separate || components.count() == 1)
    return judging_points(std::ssize(components.labels), settings.seed);
  const auto largest = std::max_element(components.sizes.begin(), components.sizes.end());
  const std::vector<Index> members =
      ComponentPoints(components).members[static_cast<std::size_t>(largest - components.sizes.begin())];
  std::vector<Index> points = judging_points(*largest, settings.seed);
  for (Index& point : points) point = members[static_cast<std::size_t>(point)];
  return points;
}

/// The vectors that are judged: the axes of new points. They equal the coordinates without the square roots of degrees
/// of the symmetric Laplacian, which would be noise, and without the offsets of maps side by side.
const Array2<double>& judged(const SpectralFit& fit) { return fit.placing.axes; }

struct IndependentMap {
  SpectralFit fit = {};
  Index looked_at = 0;  ///< eigenvectors
  Index found = 0;      ///< independent ones among them; if these are too few, others follow
};

/// Judges some more eigenvectors than are wanted; if too few of them are independent, all that can be judged.
IndependentMap embed_independent(const Recipe& row, const Source& source, SpectralSettings settings,
                                 const std::vector<Index>& points, const Run& run) {
  const Components& components = source.components();
  const Index wanted = settings.n_components;
  const Index most = most_coordinates(row, components, settings.separate && components.count() > 1);
  const Index last = std::max(wanted, std::min(most_judged(points), most));
  settings.n_components = std::min(2 * wanted + 10, last);
  SpectralFit fit = embed(row, source, settings, run);
  std::vector<Index> chosen = independence(judged(fit), points, wanted, run).independent;
  if (std::ssize(chosen) < wanted && settings.n_components < last) {
    settings.n_components = last;
    fit = embed(row, source, settings, run);
    chosen = independence(judged(fit), points, wanted, run).independent;
  }
  const Index found = std::ssize(chosen);
  for (Index k = 0; std::ssize(chosen) < wanted; ++k)
    if (std::find(chosen.begin(), chosen.end(), k) == chosen.end()) chosen.push_back(k);
  select_columns(chosen, true, fit);
  return {.fit = std::move(fit), .looked_at = settings.n_components, .found = found};
}

/// Reports the novelty of every coordinate, and warns of those that repeat the ones before them.
void report_independence(std::vector<double> novelty, double least, const std::string& hint, Embedding& embedding) {
  std::vector<std::string> repeated;
  for (std::size_t k = 1; k < novelty.size(); ++k)
    if (novelty[k] < least) repeated.push_back(fmt::format("{}", k + 1));
  embedding.attributes.emplace_back("independence", std::move(novelty));
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

MethodFit fit_graph(const Recipe& row, AffinityFit affinity, SpectralSettings settings, bool independent,
                    const Run& run) {
  settings.unit = affinity.unit;
  settings.given_weights = affinity.given;
  GraphSource source(row, affinity.affinity, settings.alpha, run);
  source.set_dimension(affinity.dimension);
  const std::vector<Index> points = judging_points_of(affinity.affinity.components, settings);
  SpectralFit map;
  std::string hint =
      "independent=true skips such coordinates; on branching data they may tell branches apart: compare both maps";
  if (independent) {
    IndependentMap chosen = embed_independent(row, source, settings, points, run);
    map = std::move(chosen.fit);
    hint = fmt::format("there is no other direction among the first {} eigenvectors: use n_components={}",
                       chosen.looked_at, chosen.found);
  } else {
    map = embed(row, source, settings, run);
  }
  constexpr Index kMostIndependent = 10;  // in more dimensions points have no near neighbours
  std::vector<double> novelty = independence(judged(map), points, kMostIndependent, run).novelty;
  MethodFit fit = graph_fit(std::move(affinity), std::move(map));
  report_independence(std::move(novelty), independent ? kRepeats : kHarmonic, hint, fit.embedding);
  return fit;
}

MethodFit graph_fit(AffinityFit affinity, SpectralFit map) {
  MethodFit fit = spectral_fit(TransformKind::Nystrom, std::move(affinity.rows), std::move(map));
  Embedding& embedding = fit.embedding;
  embedding.warnings.insert(embedding.warnings.begin(), affinity.warnings.begin(), affinity.warnings.end());
  embedding.attributes.insert(embedding.attributes.begin(), affinity.attributes.begin(), affinity.attributes.end());
  return fit;
}

}  // namespace unroll
