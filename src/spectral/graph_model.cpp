#include "spectral/graph_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "spectral/independence.h"
#include "spectral/spectral_embedding.h"

namespace unroll {
namespace {

/// More eigenvectors are looked at than are wanted, where those that repeat others are to be skipped.
Index looked_at(const Recipe& row, const GraphSettings& settings, bool independent, const Components& components) {
  const Index wanted = settings.n_components;
  if (!independent) return wanted;
  const Index most = most_coordinates(row, components, settings.separate && components.count() > 1);
  return std::max(wanted, std::min(2 * wanted + 10, most));
}

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

/// On a long strip the second eigenvector is a function of the first, cos(2x) of cos(x): Goldberg et al. 2008.
void report_independence(std::uint64_t seed, bool independent, Embedding& embedding, const Run& run) {
  const std::vector<double> told = independence(embedding.coordinates, seed, run);
  std::vector<std::string> repeated;
  for (std::size_t k = 1; k < told.size(); ++k)
    if (told[k] < kRepeats) repeated.push_back(fmt::format("{}", k + 1));
  embedding.diagnostics.emplace_back("independence", told);
  if (repeated.empty()) return;
  embedding.warnings.push_back(
      {"repeated-direction",
       fmt::format("coordinate {} is a function of those before it, as on a long strip", fmt::join(repeated, ", ")),
       independent ? "there are no other directions among the eigenvectors looked at: use fewer n_components"
                   : "use independent=true to skip such coordinates"});
}

}  // namespace

GraphFit fit_graph(const Recipe& row, AffinityFit affinity, GraphSettings settings, bool independent, const Run& run) {
  const Index wanted = settings.n_components;
  settings.n_components = looked_at(row, settings, independent, affinity.affinity.components);
  settings.dimension = affinity.dimension;
  settings.unit = affinity.unit;
  GraphEmbedding map = embed_graph(row, affinity.affinity, settings, run);
  if (settings.n_components > wanted)
    keep_pairs(independent_coordinates(map.coordinates, wanted, settings.seed, run), map);
  GraphFit fit{.embedding = {.coordinates = std::move(map.coordinates),
                             .spectrum = std::move(map.spectrum),
                             .warnings = std::move(affinity.warnings),
                             .diagnostics = std::move(affinity.diagnostics)}};
  fit.embedding.warnings.insert(fit.embedding.warnings.end(), map.warnings.begin(), map.warnings.end());
  report_solvers(map.tried, fit.embedding.spectrum.solver, fit.embedding);
  report_independence(settings.seed, independent, fit.embedding, run);
  fit.transformer = std::make_shared<const GraphTransformer>(std::move(affinity.rows), std::move(map.placing));
  return fit;
}

}  // namespace unroll
