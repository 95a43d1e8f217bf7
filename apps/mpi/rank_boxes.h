#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/at.h"
#include "rank_points.h"
#include "ranks.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll::cluster {

/// The box around the points of every rank, and how near a point is to it at least.
class RankBoxes {
 public:
  /// Collective. `scale` is that of metric_rows: scaled coordinates do not overflow when squared.
  RankBoxes(const Ranks& ranks, const RankPoints& own, Metric metric, double scale);

  /// Whether the metric says how far a box is; else every bound is 0, and every rank has to be asked.
  static bool can_exclude(Metric metric);

  /// At most the length (scaled distance) from the point to any point of that rank; infinity if it has none.
  template <class T>
  double bound(const T* point, Index rank) const {
    return bound(rank, [&](Index j) {
      const double x = scale_ * static_cast<double>(point[j]);
      return Side{x, x};
    });
  }
  /// The same for all points of the other rank.
  double bound_between(Index rank, Index other) const {
    return bound(rank, [&](Index j) { return side(other, j); });
  }

 private:
  struct Side {
    double low, high;
  };
  const Side& side(Index rank, Index j) const { return sides_[at(rank * cols_ + j)]; }

  template <class Sides>
  double bound(Index rank, Sides&& others) const {
    constexpr double kRounding = 1e-9;  // far more than that of the sum
    double sum = 0;
    for (Index j = 0; j < cols_; ++j) {
      const Side here = side(rank, j), there = others(j);
      const double gap = std::max({0.0, here.low - there.high, there.low - here.high});
      if (metric_ == Metric::Euclidean) {
        sum += gap * gap;
      } else {
        // The largest difference is below every Minkowski distance.
        sum = metric_ == Metric::Manhattan ? sum + gap : std::max(sum, gap);
      }
    }
    return (metric_ == Metric::Euclidean ? std::sqrt(sum) : sum) * (1 - kRounding);
  }

  Metric metric_;
  double scale_;
  Index cols_;
  std::vector<Side> sides_;  ///< rank after rank
};

}  // namespace unroll::cluster
