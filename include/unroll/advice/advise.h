#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/options.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/data/scaling.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/report/comparison.h"

/// Which method and which number of neighbours: some are tried, and the maps decide.
namespace unroll {

struct AdviceOptions {
  static constexpr std::string_view method_name = "advise";

  /// As ComparisonOptions::methods; empty: those that take seconds for a few thousand points.
  std::vector<std::string> methods = {};
  std::int64_t n_components = 2;
  Metric metric = Metric::Euclidean;
  double p = 2;
  Scaling scale = Scaling::None;
  std::int64_t max_points = 2000;
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// One map that was tried.
struct TriedMap {
  ComparedMethod run = {};  ///< the method with its options, seconds, coordinates and warnings, or why it failed
  /// The area under R_NX over log K (quality/co_ranking.h): how much of all neighbourhoods, small and large, it keeps.
  /// None: it failed.
  std::optional<double> area = {};
  /// The number of neighbours that it looks at, or the perplexity; none: the method has no such number.
  std::optional<double> size = {};
};

/// The graph of so many nearest neighbours of every point.
struct GraphFinding {
  Index n_neighbors = 0;
  Index components = 0;      ///< parts that no edge joins
  Index short_circuits = 0;  ///< edges that leave the surface on which the points lie
};

/// The recommended map beside one that differs in one thing.
struct Agreement {
  std::string label = {};  ///< of the other map
  double area = 0;         ///< of the other map
  /// The area under R_NX between both maps: 1 if they have the same neighbourhoods of every size, 0 by chance.
  double agreement = 0;
};

struct Advice {
  std::size_t best = 0;              ///< the recommended map, an index of `tried`
  std::vector<TriedMap> tried = {};  ///< the best first; those that failed last
  std::vector<GraphFinding> graphs = {};
  std::optional<Index> smallest_connecting_k = {};  ///< none: more than a hundred neighbours are needed
  double dimension = 0;                             ///< of the data near a point, by maximum likelihood; 0: not known
  std::vector<Agreement> sizes = {};                ///< the next smaller and larger number of neighbours
  std::vector<Agreement> seeds = {};                ///< other seeds, if the method is random
  Index n_points = 0;
  Index sample = 0;                        ///< points that were tried
  std::vector<std::string> evidence = {};  ///< why this method and this number, in sentences
  std::vector<std::string> reading = {};   ///< what may be read from its map, and what may not
  std::vector<std::string> notes = {};     ///< what was not tried, and why
};

/// Tries methods as they are, then those that are nearly best with other numbers of neighbours, then the best of all
/// with other seeds. More than max_points points are represented by a random sample. Points, or with metric =
/// precomputed a full matrix of distances; at least 20 of them.
UNROLL_API Advice advise(PointsView points, const AdviceOptions& options = {}, const Run& run = {});

}  // namespace unroll
