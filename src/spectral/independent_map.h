#pragma once
#include <vector>

#include "spectral/embedding.h"

/// The step after the fit for rows whose coordinates can repeat each other: eigenvectors that all have the same length
/// say nothing of importance, and on a long strip the second is a harmonic of the first (quality/independence.h).
/// Coordinates of length sqrt(lambda) are not judged: they are sorted by how much of the distances they explain.
namespace unroll {

/// Drops all coordinates but these: columns[c] of map c. `maps` has the map of every point; empty: there is one. The
/// spectrum stays; the warning of repeated eigenvalues is renewed.
void select_columns(const std::vector<std::vector<Index>>& columns, const std::vector<Index>& maps, SpectralFit& fit);

/// Runs the row, and warns of coordinates that repeat those before them. With `independent` every map skips such
/// coordinates and takes later ones. The attribute `independence` is the novelty of the coordinates, in the map whose
/// spectrum is reported.
SpectralFit embed_judged(const Recipe& row, const Source& source, const SpectralSettings& settings, bool independent,
                         const Run& run);

}  // namespace unroll
