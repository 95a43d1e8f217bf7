#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string_view>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// A set of rows prepared for a metric. Euclidean, cosine and correlation distances are all Euclidean ones between
/// y = (x - shift) * factor: the factor is a power of two (so that no square overflows), or one over the row's length.
struct MetricRows {
  PointsView points = {};
  double scale = 1;                 ///< a power of two: |scale * x| <= 1
  std::vector<double> shift = {};   ///< per row (correlation); empty: none
  std::vector<double> factor = {};  ///< per row (cosine, correlation); empty: `scale` for all

  Index rows() const { return points.rows(); }
  Index cols() const { return points.cols(); }
  double shift_of(Index i) const { return shift.empty() ? 0 : shift[static_cast<std::size_t>(i)]; }
  double factor_of(Index i) const { return factor.empty() ? scale : factor[static_cast<std::size_t>(i)]; }
  /// y_i
  void pack(Index i, double* out) const;
};

/// Whether a metric has a Euclidean form: searches may then use projections, bounding boxes in rotated coordinates and
/// inner products.
bool is_euclidean(Metric metric);

/// Whether distances are in the unit of the data and scale with them.
bool has_unit(Metric metric);

/// Checks that the metric can be applied to such rows, and prepares them. `scale` is shared by all sets compared.
MetricRows metric_rows(PointsView points, Metric metric, double scale, const Run& run);
/// The number of rows whose values differ among themselves by less than rounding in what made them may be: their
/// correlations with others are those of rounding errors. Rows of equal values are not among them.
Index rows_of_rounding(PointsView points, const Run& run);
/// The scale for these points.
double metric_scale(PointsView points, const Run& run);

/// The distance between two rows, called the judge. Searches only propose candidates; the numbers computed here decide
/// which are returned, in which order and at which distance. So every exact search gives the same answer, bit for bit.
class RowDistance {
 public:
  RowDistance(const MetricRows& left, const MetricRows& right, Metric metric, double p)
      : left_(left), right_(right), metric_(metric), p_(p) {}

  /// Symmetric in its arguments, bit for bit.
  double operator()(Index i, Index j) const;

  /// Asks for the right row j to be fetched from memory: it will be needed soon.
  void prefetch(Index j) const {
    constexpr Index kCacheLine = 64;
    if (right_.points.is_sparse()) return;
    right_.points.visit([&]<class T>(MatrixView<T> x) {
      for (Index c = 0; c < x.cols; c += kCacheLine / static_cast<Index>(sizeof(T))) __builtin_prefetch(x.row(j) + c);
    });
  }

  /// Converts a distance to the length that searches compare: of y_i - y_j for Euclidean forms, of the chord for
  /// haversine, of the scaled differences for others. The length grows with the distance, and is not too short if that
  /// was rounded down to a subnormal number.
  double to_length(double distance) const {
    if (metric_ == Metric::Cosine || metric_ == Metric::Correlation) return std::sqrt(2 * distance);
    if (metric_ == Metric::Haversine) return 2 * std::sin(0.5 * std::min(distance, std::numbers::pi));
    return (distance + std::numeric_limits<double>::denorm_min()) * left_.scale;
  }
  /// The distance, given the norm of the scaled differences: the sum of squares or of absolute values, or the largest.
  double from_norm(double norm, Index i, Index j) const {
    if (metric_ != Metric::Euclidean) return norm / left_.scale;
    return norm > kVanishing ? std::sqrt(norm) / left_.scale : (*this)(i, j);
  }

 private:
  /// Below this, squares of single coordinates may have underflowed.
  static constexpr double kVanishing = 1e-280;

  double between_sparse(Index i, Index j) const;
  template <class T>
  double euclidean(const T* x, const T* y) const;
  template <class T>
  double between(const T* x, const T* y, Index i, Index j) const;

  const MetricRows& left_;
  const MetricRows& right_;
  Metric metric_;
  double p_;
};

}  // namespace unroll
