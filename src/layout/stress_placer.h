#pragma once
#include <memory>
#include <vector>

#include "layout/point_placer.h"
#include "layout/stress_objective.h"

namespace unroll {

/// Places a new point where the sum of w (delta - r)^2 over points of the fixed map is smallest: over all of them, or
/// over the nearest. delta is the distance in the data or, in a non-metric map, what the map makes of it.
class StressPlacer final : public PointPlacer {
 public:
  static constexpr std::string_view kKind = "stress";
  struct Settings {
    PairWeights weights = PairWeights::One;
    double floor = 0;  ///< of inverse weights: no distance weighs more than this one
    /// Corners of a rising line from distances to disparities; empty: disparities are the distances.
    std::vector<double> distances = {}, disparities = {};
    /// Only the nearest points count, those of the nearest one's group: w = (1 - (delta / farthest)^2)^2 / delta^2. So
    /// the place does not jump where one comes to them, nor near a point of the map.
    bool is_local = false;
    std::vector<Index> groups = {};  ///< of the points of the map; empty: there is one
  };

  StressPlacer(std::shared_ptr<const Array2<double>> map, Settings settings)
      : map_(std::move(map)), settings_(std::move(settings)) {}

  std::string_view kind() const override { return kKind; }
  bool needs_all() const override { return !settings_.is_local; }
  void place(std::span<const Index> nearest, std::span<const double> distances, double* y) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const PointPlacer> load(const ArchiveReader& archive,
                                                 std::shared_ptr<const Array2<double>> map);

 private:
  double disparity(double distance) const;
  std::vector<double> weights_of(std::span<const Index> nearest, std::span<const double> distances) const;

  std::shared_ptr<const Array2<double>> map_;
  Settings settings_;
};

}  // namespace unroll
