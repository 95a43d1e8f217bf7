#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "neighbors/row_distance.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// A linear map to few coordinates that keeps as much of the distances as possible and lengthens none: the leading
/// principal axes of a sample of the rows, or the rows' own coordinates when they are few. Any orthonormal axes give
/// valid bounds, so a sample is enough.
struct Sketch {
  std::vector<double> center = {};     ///< coordinates are those of y - center
  Array2<double> axes = {};            ///< one per row; empty: the features themselves
  std::vector<double> variances = {};  ///< of the sample along the axes, descending; empty: not known
  double total_variance = 0;
  Index size = 0;  ///< coordinates

  bool is_identity() const { return axes.size() == 0; }
  Index features() const { return static_cast<Index>(center.size()); }
  /// Coordinates, `size` apart, of `count` rows of differences from some origin.
  void project(const double* differences, Index count, double* out) const;
};

/// At most `size` coordinates; the features themselves where there are no more than `few_features`.
Sketch make_sketch(const MetricRows& rows, Index size, Index few_features, std::uint64_t seed, const Run& run);

/// All rows in the coordinates of a sketch, with bounds for what it misses.
struct SketchedRows {
  /// Per row: the coordinates around the center, then for every cut m a bound of what the first m miss: with rho the
  /// length of that, |y - y'|^2 >= |z - z'|^2 + (rho - rho')^2 over the first m coordinates.
  Array2<double> values = {};
  double longest = 0;  ///< length of a row around the center
  double slack = 0;    ///< by how much rounding of rho may lengthen a bound
};

/// rho counts from here on, in all rows that are compared with each other: as the root of a difference of squares it is
/// good to sqrt(eps) only where it is small against the row; max(0, rho - threshold) is as good a bound and has no such
/// places.
double rest_threshold(const Sketch& sketch, const MetricRows& rows, const Run& run);

SketchedRows sketched_rows(const Sketch& sketch, const MetricRows& rows, std::span<const Index> cuts, double threshold,
                           const Run& run);

}  // namespace unroll
