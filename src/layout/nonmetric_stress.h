#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "layout/stress_objective.h"

namespace unroll {

/// Kruskal's stress-1, squared: the sum of (r - d)^2 over all pairs, divided by the sum of r^2, with the disparities d
/// that monotone regression of r on the order of the given distances finds. Since d is the best, its own change does
/// not enter the gradient.
class NonmetricStress final : public StressObjective {
 public:
  /// A distance and the entry of the tiles where it is.
  struct OrderedPair {
    double distance;
    std::uint32_t entry;
  };

  /// What it takes per pair: 32 while they are sorted; then 8 for the order, with 16 for ranks and 16 for the start, or
  /// with 24 for the distances of the map and 4 while disparities are found.
  static constexpr double kBytesPerPair = 40;

  /// Only the order of the distances counts. `ties_differ`: pairs of one distance may have different disparities.
  NonmetricStress(Index n, const TargetTiles::Distance& distance, bool ties_differ, const Run& run);

  double evaluate(const Array2<double>& map, Array2<double>& gradient, const Run& run) override;
  const std::vector<double>& majorizer() const override { return majorizer_; }
  /// Centred, with a mean square distance from the centre of 1.
  void normalize(Array2<double>& map) const override;
  double usual_distance() const override { return 1; }

  /// The ranks of the distances, from 1 to n (n - 1) / 2; of equal ones the mean, also of
  /// distances of 0, which any other rule in the same order might make 1. If all distances are 0, so are the ranks.
  Array2<double> ranks() const;
  /// Corners of the line from distances to the disparities of the map that was evaluated last: distances that rise, and
  /// their disparities.
  std::pair<std::vector<double>, std::vector<double>> corners(const TargetTiles::Distance& distance) const;

 private:
  void prepare(const Run& run);
  void set_order(const std::vector<OrderedPair>& pairs);
  std::pair<Index, Index> pair_at(std::uint32_t entry) const;
  void order_ties_as_in_map(const Run& run);
  void find_disparities(const Run& run);

  Index n_;
  bool ties_differ_;
  bool is_one_place_;                    ///< all distances are 0
  std::vector<std::uint32_t> order_;     ///< entries of the tiles, by distance
  std::vector<std::uint32_t> groups_;    ///< where runs of equal distances begin in the order, and its end
  std::vector<double> tiles_;            ///< distances of the map, then disparities
  std::vector<double> sorted_, fitted_;  ///< both, in the order
  std::vector<double> majorizer_;
};

}  // namespace unroll
