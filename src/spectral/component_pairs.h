#pragma once
#include "spectral/source.h"

namespace unroll {

/// The pairs of all points in one map: first the trivial pairs, which separate the components, then the others. An
/// eigenvector of one component is 0 on the others. Vectors are those of the row's own matrix, with canonical signs.
OperatorPairs pairs_of_all(const Recipe& row, const Source& source, const SpectralSettings& settings, const Run& run);

/// The same for the points of one component.
OperatorPairs pairs_of_component(const Recipe& row, const Source& source, const std::vector<Index>& points, Index count,
                                 const SpectralSettings& settings, const Run& run);

/// Whether trivial eigenvectors are coordinates.
inline bool keeps_trivial(const Recipe& row) {
  return row.skip == Skip::None && row.operation != OperatorRule::Centered;
}

}  // namespace unroll
