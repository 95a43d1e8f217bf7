#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "data/generators_common.h"

/// Points whose neighbour graph is a textbook graph with a spectrum in closed form. They are the same for every seed.
namespace unroll {

/// A regular polygon with sides of length 1. Its graph of 2 nearest neighbours is the cycle.
struct CycleGraphOptions {
  static constexpr std::string_view kName = "cycle_graph";
  static constexpr std::string_view kTitle = "Cycle graph: a regular polygon; 2 neighbours join it to a cycle";

  static OptionFields fields() { return {}; }
};
Dataset generate(Index n_samples, std::uint64_t seed, const CycleGraphOptions& options);

/// The points 0, 1, 2, ... of the line. Their graph of radius 1 is the path. The graph of 1 nearest neighbour is the
/// path, too, if ties go to the lower index. 2 nearest neighbours add an edge at each end, where both neighbours of a
/// point are on one side.
struct PathGraphOptions {
  static constexpr std::string_view kName = "path_graph";
  static constexpr std::string_view kTitle = "Path graph: whole numbers on a line; a radius of 1 joins them to a path";

  static OptionFields fields() { return {}; }
};
Dataset generate(Index n_samples, std::uint64_t seed, const PathGraphOptions& options);

/// The points (row, column) of a lattice, row by row. Their graph of radius 1 is the grid graph.
struct GridOptions {
  static constexpr std::string_view kName = "grid";
  static constexpr std::string_view kTitle = "Grid: a lattice of rows and columns";

  std::optional<std::int64_t> columns = {};

  static OptionFields fields() {
    return {
        field<&GridOptions::columns>(
            "columns", at_least(1),
            "Points per row, a divisor of n_samples; auto: the lattice nearest to a square, at most 4 times as long "
            "as it is wide."),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const GridOptions& options);

}  // namespace unroll
