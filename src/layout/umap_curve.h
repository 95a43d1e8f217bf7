#pragma once
#include <optional>

namespace unroll {

/// Membership of a pair of points in a map, 1 / (1 + a d^2b).
struct UmapCurve {
  double a = 1;
  double b = 1;
};

/// The curve nearest to 1 up to min_dist and exp(-(d - min_dist) / spread) beyond: least squares at 300 distances from
/// 0 to 3 spread, as umap-learn has it.
UmapCurve fit_umap_curve(double min_dist, double spread);

/// The curve of these options: a and b, or without them that of min_dist and spread. Throws InvalidOption if a or b
/// comes alone, or min_dist is larger than spread.
UmapCurve chosen_umap_curve(std::optional<double> a, std::optional<double> b, double min_dist, double spread);

}  // namespace unroll
