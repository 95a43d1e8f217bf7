#include "layout/stress_placer.h"

#include <algorithm>
#include <cmath>

#include "core/archive.h"
#include "data/column_statistics.h"
#include "layout/small_descent.h"

namespace unroll {
namespace {

constexpr double kLeastShare = 1e-6;  // if all points are equally far, each counts

/// Half of the mean of (target - r)^2 by weight, for one point: a step of length 1 along its gradient majorises it.
struct PointStress {
  const Array2<double>& map;
  double unit;  ///< of the places: unit * map
  std::span<const Index> points;
  std::vector<double> targets, weights;  ///< in this unit; the weights sum to 1

  double operator()(const std::vector<double>& y, std::vector<double>& slope) const {
    double value = 0;
    std::fill(slope.begin(), slope.end(), 0.0);
    for (std::size_t e = 0; e < points.size(); ++e) {
      const double* there = map.row(points[e]);
      double squared = 0;
      for (std::size_t d = 0; d < y.size(); ++d) squared += (y[d] - unit * there[d]) * (y[d] - unit * there[d]);
      const double r = std::sqrt(squared);
      value += 0.5 * weights[e] * (targets[e] - r) * (targets[e] - r);
      if (r == 0) continue;
      const double pull = weights[e] * (1 - targets[e] / r);
      for (std::size_t d = 0; d < y.size(); ++d) slope[d] += pull * (y[d] - unit * there[d]);
    }
    return value;
  }

  /// The mean of the `count` nearest points.
  std::vector<double> mean(std::size_t count) const {
    std::vector<double> place(static_cast<std::size_t>(map.cols()));
    for (std::size_t e = 0; e < count; ++e)
      for (std::size_t d = 0; d < place.size(); ++d)
        place[d] += unit * map.row(points[e])[d] / static_cast<double>(count);
    return place;
  }
};

}  // namespace

double StressPlacer::disparity(double distance) const {
  const std::vector<double>&x = settings_.distances, &y = settings_.disparities;
  if (x.empty()) return distance;
  // Beyond the corners the line goes through the origin, or on from it through the last corner.
  if (distance >= x.back()) return x.back() > 0 ? y.back() * (distance / x.back()) : y.back();
  const auto after = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), distance) - x.begin());
  if (after == 0) return x.front() > 0 ? y.front() * (distance / x.front()) : y.front();
  const double share = (distance - x[after - 1]) / (x[after] - x[after - 1]);
  return y[after - 1] + share * (y[after] - y[after - 1]);
}

/// Relative to the nearest, or the weights of 1e300 would vanish.
std::vector<double> StressPlacer::weights_of(std::span<const Index> nearest, std::span<const double> distances) const {
  std::vector<double> weights(nearest.size(), 1.0);
  if (settings_.weights == PairWeights::Inverse)
    for (std::size_t e = 0; e < nearest.size(); ++e)
      weights[e] = std::max(distances.front(), settings_.floor) / std::max(distances[e], settings_.floor);
  if (!settings_.is_local) return weights;
  const auto group = [&](std::size_t e) {
    return settings_.groups.empty() ? Index{0} : settings_.groups[static_cast<std::size_t>(nearest[e])];
  };
  for (std::size_t e = 0; e < nearest.size(); ++e) {
    const double share = distances.back() > 0 ? distances[e] / distances.back() : 0;
    const double ratio = distances[e] > 0 ? distances.front() / distances[e] : 1;
    const double fall = std::max(1 - share * share, kLeastShare);
    weights[e] = group(e) == group(0) ? fall * fall * ratio * ratio : 0;
  }
  return weights;
}

void StressPlacer::place(std::span<const Index> nearest, std::span<const double> distances, double* y) const {
  constexpr int kMostSteps = 300;
  constexpr double kTolerance = 1e-9;  // of the largest target
  const auto dims = static_cast<std::size_t>(map_->cols());
  PointStress stress{*map_, 1, nearest, std::vector<double>(nearest.size()), weights_of(nearest, distances)};
  double largest = 0, total = 0;
  for (std::size_t e = 0; e < nearest.size(); ++e) {
    stress.targets[e] = disparity(distances[e]);
    largest = std::max(largest, stress.targets[e]);
    total += stress.weights[e];
  }
  stress.unit = power_of_two_scale(largest);
  for (std::size_t e = 0; e < nearest.size(); ++e) stress.targets[e] *= stress.unit, stress.weights[e] /= total;
  // From two places, since there may be several minima.
  std::vector<double> best, slope(dims);
  double lowest = 0;
  for (const std::size_t count : {std::size_t{1}, std::min<std::size_t>(nearest.size(), 10)}) {
    std::vector<double> place = stress.mean(count);
    descend(stress, place, kMostSteps, kTolerance);
    const double value = stress(place, slope);
    if (best.empty() || value < lowest) best = place, lowest = value;
  }
  for (std::size_t d = 0; d < dims; ++d) y[d] = best[d] / stress.unit;
}

void StressPlacer::save(ArchiveWriter& archive) const {
  archive.put("layout.floor", settings_.floor);
  archive.put("layout.inverse_weights", std::int64_t{settings_.weights == PairWeights::Inverse});
  archive.put("layout.distances", settings_.distances);
  archive.put("layout.disparities", settings_.disparities);
  if (!settings_.is_local) return;
  archive.put("layout.is_local", std::int64_t{1});
  archive.put("layout.groups", std::vector<std::int64_t>(settings_.groups));
}

std::shared_ptr<const PointPlacer> StressPlacer::load(const ArchiveReader& archive,
                                                      std::shared_ptr<const Array2<double>> map) {
  Settings settings{.weights = archive.flag("layout.inverse_weights") ? PairWeights::Inverse : PairWeights::One,
                    .floor = archive.real("layout.floor"),
                    .distances = archive.reals("layout.distances"),
                    .disparities = archive.reals("layout.disparities")};
  if (archive.has("layout.is_local")) {
    settings.is_local = archive.flag("layout.is_local");
    settings.groups = archive.integers("layout.groups");
    if (!settings.groups.empty() && std::ssize(settings.groups) != map->rows())
      archive.fail("layout.groups", "are not as many as the coordinates");
  }
  if (settings.floor < 0 || (settings.weights == PairWeights::Inverse && settings.floor == 0))
    archive.fail("layout.floor", "must be above 0");
  const auto rises = [](const std::vector<double>& values, bool strictly) {
    for (std::size_t k = 1; k < values.size(); ++k)
      if (values[k] < values[k - 1] || (strictly && values[k] == values[k - 1])) return false;
    return values.empty() || values.front() >= 0;
  };
  if (!rises(settings.distances, true)) archive.fail("layout.distances", "must rise from 0 or more");
  if (settings.disparities.size() != settings.distances.size() || !rises(settings.disparities, false))
    archive.fail("layout.disparities", "must be as many as the distances, and must not fall");
  return std::make_shared<const StressPlacer>(std::move(map), std::move(settings));
}

}  // namespace unroll
