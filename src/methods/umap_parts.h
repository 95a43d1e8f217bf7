#pragma once
#include "affinity/fuzzy_set.h"
#include "core/method_fit.h"
#include "layout/layout_start.h"
#include "layout/umap_layout.h"
#include "layout/umap_placer.h"
#include "unroll/methods/umap.h"
#include "unroll/neighbors/components.h"

/// What the options of UMAP mean.
namespace unroll {

/// Replaces "choose for me" by the choice: neighbours, a and b, epochs, the start. Throws InvalidOption for options
/// that do not go together, InvalidData for labels or targets that are not one per point.
void resolve_umap(const Input& input, UmapOptions& options);

/// The search without its number of neighbours.
NeighborOptions umap_search(const UmapOptions& options);
/// The neighbours of every point; all entries of a sparse matrix, unless fewer are asked for.
Neighbors umap_neighbors(const Input& input, const UmapOptions& options, const Run& run);

/// The start that the options ask for, from 0 to 10 in every coordinate; none if there is a model to go on from.
StartedMap umap_start(const Input& input, const SparseMatrix& graph, const Components& components,
                      const UmapOptions& options, const Run& run);

UmapSettings umap_settings(const UmapOptions& options, std::uint64_t seed);
/// For new points: a third of the epochs, at a quarter of the learning rate.
UmapPlacer::Settings umap_placing(const UmapSettings& settings, const UmapOptions& options,
                                  const SmoothDistances& smooth);
/// The search of the neighbours by which new points are placed.
NeighborOptions umap_placing_search(const Input& input, const UmapOptions& options);

Attributes umap_attributes(const SparseMatrix& graph, const Components& components, const SearchReport& search,
                           double loss);
void add_umap_warnings(const SearchReport& search, const StartedMap& start, const Components& components,
                       MethodFit& fit);

}  // namespace unroll
