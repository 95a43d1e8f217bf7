#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/options.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbor_graph.h"

/// The one entry to neighbour search: k nearest, all within a radius, or both, under any metric, exact or approximate.
namespace unroll {

enum class Metric {
  Euclidean,
  Manhattan,
  Chebyshev,
  Minkowski,    ///< (sum |x-y|^p)^(1/p)
  Cosine,       ///< 1 - x.y / |x||y|; a zero row is at distance 1 from all others, at 0 from another zero row
  Correlation,  ///< cosine of the rows minus their means
  Hamming,      ///< share of features that differ
  Jaccard,      ///< of the sets of features that are not zero: 1 - |A and B| / |A or B|; 0 for two empty sets
  Haversine,    ///< great-circle distance on the unit sphere; features are latitude and longitude in radians
  Precomputed,  ///< the input is the matrix of distances
};
constexpr auto enum_names(Metric) {
  return std::array{Named{Metric::Euclidean, "euclidean"}, Named{Metric::Manhattan, "manhattan"},
                    Named{Metric::Chebyshev, "chebyshev"}, Named{Metric::Minkowski, "minkowski"},
                    Named{Metric::Cosine, "cosine"},       Named{Metric::Correlation, "correlation"},
                    Named{Metric::Hamming, "hamming"},     Named{Metric::Jaccard, "jaccard"},
                    Named{Metric::Haversine, "haversine"}, Named{Metric::Precomputed, "precomputed"}};
}

enum class SearchAlgorithm {
  Auto,         ///< chosen by the data's size and dimension; `SearchReport` says which
  KdTree,       ///< exact; for few features, or data of few intrinsic dimensions
  Brute,        ///< exact: all pairs, most of them excluded by a lower bound in a few dimensions
  Approximate,  ///< near cells of a partition; the share of true neighbours found is measured
};
constexpr auto enum_names(SearchAlgorithm) {
  return std::array{Named{SearchAlgorithm::Auto, "auto"}, Named{SearchAlgorithm::KdTree, "kd_tree"},
                    Named{SearchAlgorithm::Brute, "brute"}, Named{SearchAlgorithm::Approximate, "approximate"}};
}

struct NeighborOptions {
  static constexpr std::string_view method_name = "neighbors";

  std::optional<std::int64_t> n_neighbors = {};
  std::optional<double> radius = {};
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm algorithm = SearchAlgorithm::Auto;
  double recall = 0.99;
  std::int64_t random_state = 0;
  /// Of so many points Auto compares all pairs where no tree serves, which takes about ten seconds on two cores; more
  /// are searched approximately. Methods that need no exact neighbours have a smaller number.
  std::int64_t exact_points = 100'000;

  UNROLL_API static OptionFields fields();
};

/// How a graph was found.
struct SearchReport {
  SearchAlgorithm algorithm = SearchAlgorithm::Brute;  ///< never Auto
  bool exact = true;
  double recall = 1;  ///< share of the true neighbours found; measured on a sample if the search is not exact
  Index recall_sample = 0;
  std::vector<Warning> warnings = {};
};

struct Neighbors {
  NeighborGraph graph = {};
  SearchReport report = {};
};

/// A user's distance between two rows. It must be symmetric and finite, and is called from several threads at once.
using DistanceFunction = std::function<double(std::span<const double>, std::span<const double>)>;

/// The neighbours of each point among the others. With `metric = precomputed` the points are a square matrix of
/// distances.
UNROLL_API Neighbors neighbors(PointsView points, const NeighborOptions& options = {}, const Run& run = {});
/// The same for a caller's own metric; `options.metric` is ignored.
UNROLL_API Neighbors neighbors_by(PointsView points, const DistanceFunction& distance,
                                  const NeighborOptions& options = {}, const Run& run = {});
/// The same from a sparse matrix of distances: pairs without an entry are no neighbours. Without n_neighbors and radius
/// all entries are neighbours.
UNROLL_API Neighbors neighbors(const SparseMatrix& distances, const NeighborOptions& options = {}, const Run& run = {});

}  // namespace unroll
