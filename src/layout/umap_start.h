#pragma once
#include <cstdint>
#include <optional>

#include "layout/layout_start.h"
#include "unroll/core/input.h"
#include "unroll/core/sparse.h"
#include "unroll/layout/layout_start.h"
#include "unroll/neighbors/components.h"

namespace unroll {

/// The components of a symmetric graph of weights.
Components graph_components(const SparseMatrix& graph);

/// A map by eigenvectors of the graph: one per component, side by side, each in a box of its share of the area. If the
/// eigenvectors of a component are not found within the limit of work, the start is that of PCA, or random if there are
/// no points; a warning says so.
StartedMap umap_spectral_start(const SparseMatrix& graph, const Components& components,
                               std::optional<PointsView> points, Index n_components, std::uint64_t seed,
                               const Run& run);

/// The start that is asked for, from 0 to 10 in every coordinate; none if there is a model to go on from. A warning
/// tells of several components.
StartedMap umap_start(const Input& input, const SparseMatrix& graph, const Components& components, LayoutStart kind,
                      Index n_components, std::uint64_t seed, const Run& run);

/// Every column from 0 to 10, and noise of deviation 1e-4, so that no two points coincide.
void scale_umap_start(Array2<double>& map, std::uint64_t seed);

}  // namespace unroll
