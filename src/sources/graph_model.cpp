#include "sources/graph_model.h"

#include "sources/graph_source.h"
#include "spectral/independent_map.h"
#include "spectral/transformer.h"

namespace unroll {

MethodFit fit_graph(const Recipe& row, AffinityFit affinity, SpectralSettings settings, bool independent,
                    const Run& run) {
  settings.unit = affinity.unit;
  settings.given_weights = affinity.given;
  GraphSource source(row, affinity.affinity, settings.alpha, run);
  source.set_dimension(affinity.dimension);
  SpectralFit map = embed_judged(row, source, settings, independent, run);
  return graph_fit(std::move(affinity), std::move(map));
}

MethodFit graph_fit(AffinityFit affinity, SpectralFit map) {
  MethodFit fit = spectral_fit(TransformKind::Nystrom, std::move(affinity.rows), std::move(map));
  Embedding& embedding = fit.embedding;
  embedding.warnings.insert(embedding.warnings.begin(), affinity.warnings.begin(), affinity.warnings.end());
  embedding.attributes.insert(embedding.attributes.begin(), affinity.attributes.begin(), affinity.attributes.end());
  return fit;
}

}  // namespace unroll
