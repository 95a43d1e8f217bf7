#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "neighbors/row_distance.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// A linear map to few coordinates that keeps as much of the distances as possible and lengthens none: the leading
/// principal axes of a sample of the rows, or the features themselves if they are few. Any orthonormal axes give valid
/// bounds, so a sample is enough.
struct Sketch {
  std::vector<double> center = {};     ///< subtracted from y before the map
  Array2<double> axes = {};            ///< one per row; empty: the features themselves
  std::vector<double> variances = {};  ///< of the sample along the axes, descending; empty: not known
  double total_variance = 0;
  Index size = 0;  ///< coordinates

  bool is_identity() const { return axes.size() == 0; }
  Index features() const { return static_cast<Index>(center.size()); }
  /// The coordinates of `count` rows of differences from some origin; `out` has `size` numbers per row.
  void project(const double* differences, Index count, double* out) const;
};

/// A sketch of at most `size` coordinates; the features themselves if there are no more than `few_features`.
Sketch make_sketch(const MetricRows& rows, Index size, Index few_features, std::uint64_t seed, const Run& run);

/// All rows in the coordinates of a sketch, with bounds for the part that it misses.
struct SketchedRows {
  /// Per row: the coordinates around the center, then for every cut m the length rho of the part that the first m miss:
  /// |y - y'|^2 >= |z - z'|^2 + (rho - rho')^2 over the first m coordinates.
  Array2<double> values = {};
  double longest = 0;  ///< length of a row around the center
  double slack = 0;    ///< the most by which the rounding of rho lengthens a bound
};

/// The threshold of rho, the same for all rows that are compared. rho is the root of a difference of squares, so its
/// error is sqrt(eps) where it is small beside the row. max(0, rho - threshold) is also a bound, and does not have such
/// errors.
double rest_threshold(const Sketch& sketch, const MetricRows& rows, const Run& run);

SketchedRows sketched_rows(const Sketch& sketch, const MetricRows& rows, std::span<const Index> cuts, double threshold,
                           const Run& run);

}  // namespace unroll
