#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/reported_as.h"
#include "data/validate.h"
#include "linalg/centered_points.h"
#include "neighbors/center_search.h"
#include "unroll/neighbors/kmeans.h"

namespace unroll {
namespace {

/// For a point so far away that it overflows in the units of the centers: uses units of its own.
Index nearest_in_own_units(PointsView points, Index i, const Array2<double>& centers) {
  const Index cols = centers.cols();
  std::vector<double> row(static_cast<std::size_t>(cols)), center(row);
  points.visit([&](auto x) { std::copy_n(x.row(i), cols, row.begin()); });
  double largest = 0;
  for (const double value : row) largest = std::max(largest, std::abs(value));
  const double unit = std::ldexp(1.0, -std::min(1000, std::ilogb(largest) + 1));
  for (double& value : row) value *= unit;
  Index best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (Index c = 0; c < centers.rows(); ++c) {
    std::transform(centers.row(c), centers.row(c) + cols, center.begin(), [&](double value) { return value * unit; });
    const double distance = squared_distance(row.data(), center.data(), cols);
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  return best;
}

}  // namespace

std::vector<Index> nearest_centers(PointsView points, const Array2<double>& centers, const Run& run) {
  return reported_as("nearest_centers", [&]() -> std::vector<Index> {
    check_points(points, 0, run);
    check_points(centers, 1, run, "centers");
    if (points.cols() != centers.cols())
      throw Error(ErrorKind::InvalidData,
                  fmt::format("the points have {} features, the centers {}", points.cols(), centers.cols()),
                  "give both the same");
    // The units are those of the centers alone, so that a label does not depend on other points.
    CenteredPoints z = centered(centers, run);
    Array2<double> scaled = Array2<double>::uninitialized(centers.rows(), centers.cols());
    z.pack(0, centers.rows(), scaled.data());
    z.points = points;
    std::vector<Index> labels = assign(z, scaled, run).labels;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] < 0) labels[i] = nearest_in_own_units(points, static_cast<Index>(i), centers);
    return labels;
  });
}

}  // namespace unroll
