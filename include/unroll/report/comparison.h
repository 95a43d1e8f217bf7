#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/options.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/data/scaling.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/quality/co_ranking.h"
#include "unroll/quality/quality.h"

/// Several methods on one set of points, side by side. figures.h reads the result, page.h draws it.
namespace unroll {

/// Every method gets those options that it has.
struct ComparisonOptions {
  static constexpr std::string_view method_name = "compare";

  /// Names, each with options of its own if it has some: {"pca", "kernel_pca:kernel=poly,degree=3", "isomap:k=20"}. k,
  /// d and seed are short for n_neighbors, n_components and random_state. A name may occur more than once.
  std::vector<std::string> methods = {};
  std::int64_t n_components = 2;
  std::vector<std::int64_t> n_neighbors = {};
  std::int64_t quality_neighbors = 10;
  std::optional<std::int64_t> n_clusters = {};
  Metric metric = Metric::Euclidean;
  double p = 2;
  Scaling scale = Scaling::None;
  std::int64_t max_points = 10'000;
  std::int64_t random_state = 0;
  /// Eigenvalues to list of methods whose maps are nested, to see their gaps; none: no more than there are coordinates.
  std::optional<std::int64_t> n_eigenvalues = {};

  UNROLL_API static OptionFields fields();
};

/// What one method did.
struct ComparedMethod {
  std::string name = {};
  std::string label = {};  ///< the name, with what tells it from others of that name: "isomap:k=20"
  std::string title = {};
  OptionValues options = {};                ///< as given to it
  double seconds = 0;                       ///< of the fit
  Array2<double> coordinates = {};          ///< no rows: it failed
  std::vector<double> eigenvalues = {};     ///< as the method reads them; empty: it has none
  std::vector<std::int64_t> clusters = {};  ///< of a method that ends in clusters, one per point
  /// The quality of a map. None: the method failed, finds clusters, or there are too few points to compare
  /// neighbourhoods.
  std::optional<Quality> quality = {};
  /// Of the cluster that is separated worst from the others, in the graph of the nearest points: one graph for all.
  std::optional<double> conductance = {};
  std::optional<double> rand_index = {};  ///< how far the clusters agree with the labels, where these are known
  std::vector<Warning> warnings = {};
  std::optional<Error> error = {};  ///< why it failed
};

/// How much of neighbourhoods of every size the maps keep, in the order of the methods.
struct RankCurves {
  std::vector<Index> k = {};                                  ///< sizes, about equally spaced in log k
  std::vector<std::vector<double>> r_nx = {};                 ///< R_NX at these; empty: there is no map
  std::vector<std::optional<NeighborhoodMeasure>> area = {};  ///< below the curve over log k, 1 at best
};

struct Comparison {
  Index n_points = 0;
  Index n_features = 0;
  std::int64_t n_neighbors = 0;              ///< for the measures: as asked for, or fewer if there are few points
  Index measured_points = 0;                 ///< points of which trustworthiness and continuity were measured
  Index planned = 0;                         ///< rows to come; more than there are methods: it was stopped
  std::vector<ComparedMethod> methods = {};  ///< the cheapest first, or in the order of the options
  std::vector<std::string> notes = {};       ///< which methods were not run, and why
  /// Of a map that puts the points anywhere: what chance keeps. Its labels->accuracy_high is that of the data
  /// themselves. None: no method makes a map, or there are too few points.
  std::optional<Quality> random = {};
  std::optional<RankCurves> curves = {};  ///< none: not measured
};

/// Runs every method and measures its map. A method that fails has its error in its place and does not stop the others.
/// Only errors that concern all throw: wrong options, points or truth, and cancelling.
UNROLL_API Comparison compare(PointsView points, const GroundTruth& known = {}, const ComparisonOptions& options = {},
                              const Run& run = {});

/// The same one method after the other, for programs that show what is finished and keep it when they are stopped.
class UNROLL_API Comparer {
 public:
  /// The views in `points` and `known` are kept.
  Comparer(PointsView points, const GroundTruth& known, const ComparisonOptions& options, const Run& run);
  Comparer(const Comparer&) = delete;
  Comparer& operator=(const Comparer&) = delete;
  ~Comparer();

  /// The labels of all rows, before any is finished.
  std::vector<std::string> labels() const;
  bool has_clusters() const;  ///< whether one of them finds clusters
  /// Runs one more method; false: there is none. If it throws Cancelled, the result has the methods before it.
  bool next();
  /// Measures the curves of all maps that are finished, on a sample of the points if there are many.
  void measure_curves();
  const Comparison& result() const;
  /// The result itself; there is none afterwards.
  Comparison take();

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace unroll
