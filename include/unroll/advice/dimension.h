#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/input.h"
#include "unroll/core/options.h"
#include "unroll/core/run.h"
#include "unroll/data/scaling.h"
#include "unroll/neighbors/correlation_dimension.h"
#include "unroll/neighbors/intrinsic_dimension.h"
#include "unroll/neighbors/neighbors.h"

/// How many coordinates data need: five estimates of different kinds, and which of them to believe.
namespace unroll {

struct DimensionOptions {
  static constexpr std::string_view method_name = "dimension";

  std::optional<std::int64_t> n_neighbors = {};
  Metric metric = Metric::Euclidean;
  double p = 2;
  SearchAlgorithm neighbors_algorithm = SearchAlgorithm::Auto;
  Scaling scale = Scaling::None;
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// How variance is spread over principal axes.
struct VarianceSpectrum {
  std::vector<double> shares = {};  ///< of the variance, per axis, descending; they add up to 1
  /// (sum of variances)^2 / (sum of their squares): the number of axes if all had the same variance.
  double participation = 0;
  Index axes_for_95 = 0;  ///< the fewest axes that hold 95 % of the variance
  /// Axes before the largest ratio of a variance to the next, if it is at least 2. An axis after 99 % of the variance
  /// does not count: there curvature, rounding and constant features make the ratios.
  std::optional<Index> gap = {};
};

/// From variances in descending order, negative ones by rounding.
UNROLL_API VarianceSpectrum variance_spectrum(const std::vector<double>& variances);

/// Maximum likelihood with so many neighbours.
struct DimensionAtScale {
  Index n_neighbors = 0;
  double dimension = 0;
};

struct DimensionReport {
  /// The estimate to believe, and the nearest whole number: likelihood with n_neighbors, or with another number of
  /// neighbours where noise or a fold spoils that. 0: there is none.
  double dimension = 0;
  Index coordinates = 0;
  /// What the estimates say together, in sentences: whether they agree, which to believe and why.
  std::vector<std::string> verdict = {};

  IntrinsicDimension nearest = {};            ///< maximum likelihood, per point too, and TwoNN; with n_neighbors
  std::vector<DimensionAtScale> scales = {};  ///< n_neighbors times 1/2, 1, 2 and 4
  std::optional<CorrelationDimension> correlation = {};  ///< none: a sparse matrix of distances
  /// Of all points, or of 2000 if there are more. None: distances have no axes.
  std::optional<VarianceSpectrum> global = {};
  /// The mean over 1000 points at most of the spectra of 3 n_neighbors neighbours. None: distances have no axes.
  std::optional<VarianceSpectrum> local = {};
  /// 1 - r^2 of path lengths and distances in maps by Isomap, for 1, 2, ... coordinates (Tenenbaum, de Silva & Langford
  /// 2000), on 5000 points if there are more. Empty: Isomap failed, and a warning says why.
  std::vector<double> residual_variance = {};
  std::optional<Index> elbow = {};  ///< the last of them that halves it
  Index n_points = 0;
  std::vector<Warning> warnings = {};
};

/// All estimates. Points, or distances with metric = precomputed, full or sparse.
UNROLL_API DimensionReport estimate_dimension(const Input& input, const DimensionOptions& options = {},
                                              const Run& run = {});

}  // namespace unroll
