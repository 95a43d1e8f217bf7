#pragma once
#include <cstdint>
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
#include "unroll/quality/quality.h"

/// Several methods on one set of points, side by side. page.h draws the result.
namespace unroll {

/// Every method gets those options that it has.
struct ComparisonOptions {
  static constexpr std::string_view method_name = "compare";

  std::vector<std::string> methods = {};
  std::int64_t n_components = 2;
  std::optional<std::int64_t> n_neighbors = {};
  std::optional<std::int64_t> n_clusters = {};
  Metric metric = Metric::Euclidean;
  double p = 2;
  Scaling scale = Scaling::None;
  std::int64_t max_points = 10'000;
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// What one method did.
struct ComparedMethod {
  std::string name = {};
  std::string title = {};
  OptionValues options = {};                ///< as given to it
  double seconds = 0;                       ///< of the fit
  Array2<double> coordinates = {};          ///< no rows: it failed
  std::vector<std::int64_t> clusters = {};  ///< of a method that ends in clusters, one per point
  /// The quality of a map. None: the method failed, finds clusters, or there are too few points to compare
  /// neighbourhoods.
  std::optional<Quality> quality = {};
  std::optional<double> conductance = {};  ///< of the cluster that is separated worst from the others
  std::optional<double> rand_index = {};   ///< how far the clusters agree with the labels, where these are known
  std::vector<Warning> warnings = {};
  std::optional<Error> error = {};  ///< why it failed
};

struct Comparison {
  Index n_points = 0;
  Index n_features = 0;
  std::int64_t n_neighbors = 0;              ///< for the measures: as asked for, or fewer if there are few points
  Index measured_points = 0;                 ///< points of which trustworthiness and continuity were measured
  std::vector<ComparedMethod> methods = {};  ///< in the order of the registry, or of the options
  std::vector<std::string> notes = {};       ///< which methods were not run, and why
};

/// Runs every method and measures its map. A method that fails has its error in its place and does not stop the others.
/// Only errors that concern all throw: wrong options, points or truth, and cancelling.
UNROLL_API Comparison compare(PointsView points, const GroundTruth& known = {}, const ComparisonOptions& options = {},
                              const Run& run = {});

/// One column of the table of a comparison.
struct Figure {
  std::string name = {};     ///< "true_distance_pearson", as in reports of quality
  std::string title = {};    ///< "distance r", for people
  std::string heading = {};  ///< the same in 8 characters at most
  std::string meaning = {};  ///< one sentence
  int decimals = 4;
  bool more_is_better = true;
  std::vector<std::optional<double>> values = {};  ///< per method; none: it failed, or has no such value
  /// The value of a method for people to read; a value that is not zero is not shown as zero. Empty: there is none.
  UNROLL_API std::string text(std::size_t method) const;
  /// The best value; none if there are fewer than two.
  UNROLL_API std::optional<double> best() const;
};

/// The columns: seconds; for maps trustworthiness, continuity, label_accuracy, true_distance_pearson and affine_r2 (of
/// the true coordinate that is explained worst); for clusters conductance and adjusted_rand_index. A column without
/// values is left out.
UNROLL_API std::vector<Figure> figures(const Comparison& comparison);

}  // namespace unroll
