#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/parallel.h"
#include "core/reported_as.h"
#include "data/feature_scaler.h"
#include "neighbors/pair_distance.h"
#include "quality/neighborhoods.h"
#include "unroll/quality/distance_measures.h"

namespace unroll {
namespace {

/// Sums over pairs of points, in the units of the two spaces.
struct ProductSums {
  double dd = 0, de = 0, ee = 0;

  void add(const ProductSums& other) { dd += other.dd, de += other.de, ee += other.ee; }
  /// sum (d - s e)^2 / sum d^2; rounding may leave less than nothing.
  double share_left(double s) const { return std::max(0.0, dd - 2 * s * de + s * s * ee) / dd; }
};

ProductSums sums_of(Index i, const PairDistance& high, const PairDistance& low, Index n) {
  ProductSums sums;
  for (Index j = 0; j < n; ++j) {
    if (j == i) continue;
    const double d = high.scaled(i, j), e = low.scaled(i, j);
    sums.add({d * d, d * e, e * e});
  }
  return sums;
}

}  // namespace

std::vector<double> point_stress(PointsView given, PointsView low, const QualityOptions& options, const Run& run) {
  return reported_as("point_stress", [&]() -> std::vector<double> {
    constexpr Index kRowsPerBlock = 8;
    check_rows(given, low, options, run);
    const ScaledPoints scaled(given, options.scale, run);
    const PairDistance in_high(scaled.view(), high_search(options), run), in_low(low, low_search(options), run);
    std::vector<ProductSums> points(at(low.rows()));
    parallel_for(
        run, low.rows(), kRowsPerBlock,
        [&](Index begin, Index end) {
          for (Index i = begin; i < end; ++i) points[at(i)] = sums_of(i, in_high, in_low, low.rows());
        },
        "stress of points");
    ProductSums all;
    for (const ProductSums& point : points) all.add(point);
    const double scale = all.ee > 0 ? all.de / all.ee : 0;
    std::vector<double> stress;
    for (const ProductSums& point : points) stress.push_back(std::sqrt(point.share_left(scale)));
    return stress;
  });
}

}  // namespace unroll
