#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "layout/umap_curve.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// How densMAP makes the map as dense as the data.
struct DensitySettings {
  double strength = 0;                 ///< lambda: what the correlation of radii counts beside the cross-entropy
  double fraction = 0;                 ///< of the epochs, the last ones, in which it counts
  double shift = 0.1;                  ///< is added to the variance of the map's radii
  std::vector<double> log_radii = {};  ///< of the data, see log_radii; empty: no densMAP
};

/// A map with its edges, by places, as the optimiser has them.
struct EdgesOfMap {
  Index dims = 0;
  std::span<const float> map = {};
  std::span<const Index> offsets = {};
  std::span<const std::int32_t> targets = {};
  std::span<const std::uint32_t> rates = {};
};

/// densMAP (Narayan, Berger & Cho 2021) adds lambda times the correlation of the local radii of data and map to what
/// UMAP descends. The radius of a point in the map is the mean of the squared lengths d^2 of its edges, weighted by v =
/// 1 / (1 + a d^2b); radii are compared by their logarithms r. The derivative of the correlation by r_i is
///     c_i = (R_i - cov(r, R) (r_i - mean r) / s^2) / (n s),   s^2 = var r + shift,
/// where R are the radii of the data, with mean 0 and deviation 1; and that of r_i by d^2 of one of its edges is
///     v / sum_i v ((1 - b (1 - v)) / exp(r_i) + a b d^(2b-2) / (1 + a d^2b)),
/// of which both directions of the edge give half.
class UmapDensity {
 public:
  /// The radii of the data, by places.
  UmapDensity(std::vector<double> log_radii, double strength, double shift);

  /// Looks at the map, before an epoch.
  void look_at(const EdgesOfMap& edges, const UmapCurve& curve, const Run& run);
  /// Per point c_i / (2 exp(r_i) sum_i v) and c_i / (2 sum_i v), without n and s.
  const std::vector<float>& factors() const { return factors_; }
  /// lambda / (n s), times the sum of all rates: an edge takes part by its rate, and is divided by it.
  float strength() const { return strength_now_; }
  /// Of the radii of the data with those of the map that it has looked at.
  double correlation() const;

 private:
  void find_factors(double rates);

  std::vector<double> log_radii_, standard_;  ///< of the data; the same with mean 0 and deviation 1
  double strength_, shift_;
  std::vector<double> of_map_, weights_;
  std::vector<float> factors_;
  float strength_now_ = 0;
};

}  // namespace unroll
