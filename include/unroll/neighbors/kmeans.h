#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/options.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

struct KMeansOptions {
  static constexpr std::string_view method_name = "kmeans";

  std::int64_t n_clusters = 8;
  std::int64_t n_init = 10;
  std::int64_t max_iter = 300;
  double tol = 1e-4;
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

struct KMeans {
  std::vector<Index> labels = {};  ///< per point: its nearest center, the first of equally near ones
  Array2<double> centers = {};     ///< one per row
  double inertia = 0;       ///< weighted sum of squared distances from points to their centers, times inertia_unit^2
  double inertia_unit = 1;  ///< not 1 if the sum leaves the range of double
  std::vector<double> history = {};  ///< inertia of the start and after every iteration, in the same unit
  Index iterations = 0;
  bool converged = false;
  std::vector<Warning> warnings = {};
};

/// Lloyd's algorithm (1957, 1982) from greedy k-means++ starts (Arthur & Vassilvitskii 2007), Euclidean. A cluster that
/// loses all its points takes the point that is farthest from its own center. Labels equal those of nearest_centers.
/// `weights`: how often every point counts, not negative; empty: once. Points of weight 0 get labels, and nothing else.
UNROLL_API KMeans kmeans(PointsView points, const KMeansOptions& options = {}, const Run& run = {},
                         std::span<const double> weights = {});
/// The same from these centers, once; n_clusters and n_init do not count.
UNROLL_API KMeans kmeans(PointsView points, const Array2<double>& start, const KMeansOptions& options = {},
                         const Run& run = {}, std::span<const double> weights = {});

/// The nearest center of every point, the first of equally near ones. A point's label does not depend on other points.
UNROLL_API std::vector<Index> nearest_centers(PointsView points, const Array2<double>& centers, const Run& run = {});

}  // namespace unroll
