#pragma once
#include <memory>
#include <vector>

#include "layout/target_tiles.h"
#include "unroll/core/sparse.h"

namespace unroll {

/// What a map of distances makes small: a number without a unit, so that rules about it do not depend on the scale of
/// the data. Coordinates are in a unit in which the largest distance is about 1.
class StressObjective {
 public:
  StressObjective() = default;
  StressObjective(const StressObjective&) = delete;
  StressObjective& operator=(const StressObjective&) = delete;
  virtual ~StressObjective() = default;

  /// The value at a map, and its gradient.
  virtual double evaluate(const Array2<double>& map, Array2<double>& gradient, const Run& run) = 0;
  /// Per point m_i, so that the map y_i - gradient_i / m_i is no worse: it minimises a quadratic function that lies
  /// above the value and touches it at y.
  virtual const std::vector<double>& majorizer() const = 0;
  /// Takes a map to the one of the same value that stands for all of them.
  virtual void normalize(Array2<double>& /*map*/) const {}
  /// The root of the mean square of the target distances.
  virtual double usual_distance() const = 0;
};

/// What pairs weigh.
enum class PairWeights {
  One,  ///< metric scaling
  /// 1 / distance: Sammon's mapping. A distance of 0 weighs as much as the smallest other, and none weighs more than
  /// kLeastCounted of the usual distance.
  Inverse,
};

/// The sum of w (delta - r)^2 over pairs, as a part of the sum of w delta^2.
class Stress : public StressObjective {
 public:
  const std::vector<double>& majorizer() const override { return majorizer_; }
  /// Centred.
  void normalize(Array2<double>& map) const override;
  double usual_distance() const override;
  /// The sum of w delta^2: of one, the sum of the squares; of inverse weights, that of the distances.
  double total() const { return total_; }
  /// Of inverse weights: the distance that weighs most.
  double floor() const { return floor_; }

  /// Of the usual distance. Nearer points count as if they were that far apart, or a single pair would hold its points
  /// so firmly together that nothing could move them.
  static constexpr double kLeastCounted = 1e-4;

 protected:
  /// From the smallest distance above 0.
  void set_floor(double smallest);

  double total_ = 0, squares_ = 0;  ///< sums over pairs of w delta^2, and of delta^2
  double pairs_ = 0, floor_ = 0;
  std::vector<double> majorizer_ = {};
};

/// Of all pairs.
std::unique_ptr<Stress> full_stress(std::unique_ptr<const TargetTiles> targets, PairWeights weights, const Run& run);

/// Of some pairs: `known` is symmetric and must outlive the stress. `entry_weights` are those of its entries; none: 1.
std::unique_ptr<Stress> partial_stress(const SparseMatrix& known, std::vector<double> entry_weights,
                                       PairWeights weights);

}  // namespace unroll
