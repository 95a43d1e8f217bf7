#include "neighbors/spatial_order.h"

#include "neighbors/median_split.h"

namespace unroll {
namespace {

class WidestAxis {
 public:
  /// Differences from the origin are rounded to single precision. Their order is right even if the points of a node are
  /// farther from zero than from each other.
  struct Direction {
    Index axis = 0;
    double origin = 0;
  };

  explicit WidestAxis(MatrixView<double> coordinates) : x_(coordinates) {}

  /// The coordinate of largest variance, from a sample of the points.
  Direction direction(std::uint64_t, std::span<const Index> points) const {
    constexpr std::size_t kSample = 256;
    const std::size_t step = std::max<std::size_t>(1, points.size() / kSample);
    const double* origin = x_.row(points[0]);
    std::vector<double> sum(static_cast<std::size_t>(x_.cols));
    std::vector<double> squares(sum.size());
    double seen = 0;
    for (std::size_t i = 0; i < points.size(); i += step, ++seen) {
      const double* row = x_.row(points[i]);
      for (std::size_t j = 0; j < sum.size(); ++j) {
        const double value = row[j] - origin[j];
        sum[j] += value;
        squares[j] += value * value;
      }
    }
    std::size_t best = 0;
    double largest = -1;
    for (std::size_t j = 0; j < sum.size(); ++j) {
      const double variance = squares[j] - sum[j] * sum[j] / seen;
      if (variance > largest) {
        largest = variance;
        best = j;
      }
    }
    return {static_cast<Index>(best), origin[best]};
  }

  float key(const Direction& direction, Index point) const {
    return static_cast<float>(x_(point, direction.axis) - direction.origin);
  }

 private:
  MatrixView<double> x_;
};

}  // namespace

std::vector<Index> spatial_order(MatrixView<double> coordinates, Index leaf, const Run& run) {
  const WidestAxis tree(coordinates);
  return MedianSplit<WidestAxis>(coordinates.rows, leaf, tree).order(run);
}

}  // namespace unroll
