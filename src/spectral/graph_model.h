#pragma once
#include <memory>

#include "affinity/affinity.h"
#include "core/transformer.h"
#include "spectral/source.h"
#include "unroll/core/model.h"

namespace unroll {

/// What a model of a graph method is made of.
struct GraphFit {
  Embedding embedding = {};
  std::shared_ptr<const Transformer> transformer = {};
};

/// Runs the row on W. Says which coordinates repeat those before them; `independent`: skips these and takes later ones.
GraphFit fit_graph(const Recipe& row, AffinityFit affinity, SpectralSettings settings, bool independent,
                   const Run& run);

}  // namespace unroll
