#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/archive.h"
#include "core/owned_points.h"
#include "unroll/core/options.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/neighbor_graph.h"
#include "unroll/neighbors/neighbors.h"

/// Sections of a model file that several methods have.
namespace unroll {

/// Saves points in their own scalar type.
void save_points(ArchiveWriter& archive, std::string_view name, PointsView points);
/// Fails unless there is a point and they have that many features.
OwnedPoints load_points(const ArchiveReader& archive, std::string_view name, Index features);
/// The same for a matrix that is never sparse.
DensePoints load_matrix(const ArchiveReader& archive, std::string_view name, Index columns);

/// Fails unless they are in [0, bound).
std::vector<Index> load_indices(const ArchiveReader& archive, std::string_view name, Index bound);

/// Saves a graph as three sections, `name`.offsets and so on.
void save_graph(ArchiveWriter& archive, std::string_view name, const NeighborGraph& graph);
/// Fails unless it is a graph of `size` points with distances of 0 or more.
NeighborGraph load_graph(const ArchiveReader& archive, std::string_view name, Index size);

void save_joining(ArchiveWriter& archive, std::string_view name, const std::vector<JoiningEdge>& edges);
/// Fails unless they join points of [0, size).
std::vector<JoiningEdge> load_joining(const ArchiveReader& archive, std::string_view name, Index size);

/// Saves the options that an index of `size` points needs, as sections `name`.metric and so on.
void save_neighbor_options(ArchiveWriter& archive, std::string_view name, const NeighborOptions& options);
NeighborOptions load_neighbor_options(const ArchiveReader& archive, std::string_view name, Index size);

}  // namespace unroll
