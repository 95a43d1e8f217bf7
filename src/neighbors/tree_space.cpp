#include "neighbors/tree_space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/parallel.h"

namespace unroll {
namespace {

constexpr Index kTreeRows = 1024;

/// The rows themselves.
Array2<double> packed(const MetricRows& rows, const Run& run) {
  auto out = Array2<double>::uninitialized(rows.rows(), rows.cols());
  parallel_for(run, rows.rows(), kTreeRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) rows.pack(i, out.row(i));
  });
  return out;
}

/// Places on the unit sphere: chords between them grow with the great-circle distance.
Array2<double> on_sphere(const MetricRows& rows, const Run& run) {
  auto out = Array2<double>::uninitialized(rows.rows(), 3);
  rows.points.visit([&](auto x) {
    parallel_for(run, x.rows, kTreeRows, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const auto latitude = static_cast<double>(x(i, 0));
        const auto longitude = static_cast<double>(x(i, 1));
        out(i, 0) = std::cos(latitude) * std::cos(longitude);
        out(i, 1) = std::cos(latitude) * std::sin(longitude);
        out(i, 2) = std::sin(latitude);
      }
    });
  });
  return out;
}

TreeNorm norm_of(Metric metric) {
  if (metric == Metric::Manhattan) return TreeNorm::Manhattan;
  if (metric == Metric::Chebyshev) return TreeNorm::Chebyshev;
  return TreeNorm::Squared;
}

/// The Euclidean length is at most this times the p-norm.
double euclidean_per_minkowski(double p, Index features) {
  return p <= 2 ? 1 : std::pow(static_cast<double>(features), 0.5 - 1 / p);
}

/// Fewer values than this are summed in order by RowDistance and by the tree alike (see simd::RowKernels).
constexpr Index kSummedInOrder = 8;

}  // namespace

bool TreeMap::exists(Metric metric, Index features) {
  if (is_euclidean(metric) || metric == Metric::Haversine) return true;
  const bool is_norm = metric == Metric::Manhattan || metric == Metric::Chebyshev || metric == Metric::Minkowski;
  return is_norm && features <= kMostFeatures;
}

bool TreeMap::holds_most(const MetricRows& rows, std::uint64_t seed, const Run& run) {
  constexpr double kEnoughVariance = 0.999;
  if (rows.cols() <= kMostFeatures) return true;
  const Sketch sketch = make_sketch(rows, kMostFeatures - 1, kMostFeatures, seed, run);
  const double held = std::accumulate(sketch.variances.begin(), sketch.variances.begin() + sketch.size, 0.0);
  return held >= kEnoughVariance * sketch.total_variance;
}

TreeMap::TreeMap(const MetricRows& rows, Metric metric, double p, std::uint64_t seed, const Run& run)
    : metric_(metric), p_(p) {
  if (!is_euclidean(metric) || rows.cols() <= kMostFeatures) return;
  sketch_ = make_sketch(rows, kMostFeatures - 1, kMostFeatures, seed, run);
  threshold_ = rest_threshold(*sketch_, rows, run);
}

TreeSpace TreeMap::space(const MetricRows& rows, const Run& run) const {
  // The rounding of angles and of their differences is proportional to their size.
  if (metric_ == Metric::Haversine)
    return {.coordinates = on_sphere(rows, run), .slack = 1e-15 * std::max(1.0, 2 / metric_scale(rows.points, run))};
  if (sketch_) {
    SketchedRows sketched = sketched_rows(*sketch_, rows, std::array{sketch_->size}, threshold_, run);
    // Coordinates are sums of D products, each off by at most eps times the row's length.
    return {.coordinates = std::move(sketched.values), .slack = 4 * sketched.slack};
  }
  TreeSpace space{.coordinates = packed(rows, run), .norm = norm_of(metric_)};
  if (metric_ == Metric::Minkowski) space.factor = euclidean_per_minkowski(p_, rows.cols());
  space.direct = rows.cols() < kSummedInOrder &&
                 (metric_ == Metric::Euclidean || metric_ == Metric::Manhattan || metric_ == Metric::Chebyshev);
  if (metric_ == Metric::Cosine || metric_ == Metric::Correlation) space.slack = 1e-15;
  return space;
}

}  // namespace unroll
