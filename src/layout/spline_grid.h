#pragma once
#include <array>
#include <cmath>

#include "unroll/core/types.h"

namespace unroll {

/// Numbers on a regular grid in the plane, and the smooth function that B-splines of order 6 (degree 5) make of them. A
/// map of one dimension lies on a line of the grid.
template <class T>
struct SplineGrid {
  static constexpr Index kOrder = 6;
  static constexpr Index kMargin = 3;  ///< cells around the points that splines reach into
  static constexpr Index kWidth = 8;   ///< weights along a row, the last two of them 0: a whole vector register

  std::array<double, 2> origin = {};  ///< of the node (0, 0)
  double cell = 1;
  Array2<T> values = {};  ///< a row per node along the first dimension

  /// The nodes around a place along one dimension, and the weights of the six that reach it.
  struct Reach {
    Index first;
    std::array<T, kWidth> weights;
    std::array<T, kWidth> slopes;  ///< derivatives of the weights, per cell
  };
  Reach reach(double place, Index dimension) const {
    const double u = (place - origin[static_cast<std::size_t>(dimension)]) / cell;
    const double whole = std::floor(u);
    Reach result{.first = static_cast<Index>(whole) - (kMargin - 1), .weights = {}, .slopes = {}};
    spline(static_cast<T>(u - whole), result.weights, result.slopes);
    return result;
  }

  /// Adds a charge at a place.
  void spread(const Reach& x, const Reach& y, T charge) {
    for (Index a = 0; a < kOrder; ++a) {
      T* row = values.row(x.first + a) + y.first;
      const T weight = charge * x.weights[static_cast<std::size_t>(a)];
      for (Index b = 0; b < kWidth; ++b) row[b] += weight * y.weights[static_cast<std::size_t>(b)];
    }
  }

  struct Value {
    double value;
    std::array<double, 2> slope;
  };
  /// The function at a place, and its gradient.
  Value at(const Reach& x, const Reach& y) const {
    // Rows first, column by column: eight sums at a time.
    std::array<T, kWidth> plain = {}, sloped = {};
    for (Index a = 0; a < kOrder; ++a) {
      const T* row = values.row(x.first + a) + y.first;
      const T weight = x.weights[static_cast<std::size_t>(a)], slope = x.slopes[static_cast<std::size_t>(a)];
      for (Index b = 0; b < kWidth; ++b) {
        plain[static_cast<std::size_t>(b)] += weight * row[b];
        sloped[static_cast<std::size_t>(b)] += slope * row[b];
      }
    }
    T value = 0, along_x = 0, along_y = 0;
    for (std::size_t b = 0; b < kOrder; ++b) {
      value += plain[b] * y.weights[b];
      along_x += sloped[b] * y.weights[b];
      along_y += plain[b] * y.slopes[b];
    }
    return {static_cast<double>(value), {static_cast<double>(along_x) / cell, static_cast<double>(along_y) / cell}};
  }

 private:
  /// de Boor's recursion: M_n(t + k) from M_(n-1). The derivative of order 6 is a difference of order 5.
  static void spline(T t, std::array<T, kWidth>& weights, std::array<T, kWidth>& slopes) {
    std::array<T, kOrder + 1> w = {};
    w[0] = 1 - t;
    w[1] = t;
    for (int order = 3; order <= kOrder; ++order) {
      if (order == kOrder) {
        slopes[0] = -w[0];
        for (std::size_t k = 1; k < kOrder; ++k) slopes[k] = w[k - 1] - w[k];
      }
      const T scale = T{1} / static_cast<T>(order - 1);
      for (int k = order - 1; k >= 1; --k) {
        const auto at = static_cast<std::size_t>(k);
        w[at] = scale * ((t + static_cast<T>(order - 1 - k)) * w[at - 1] + (static_cast<T>(k + 1) - t) * w[at]);
      }
      w[0] = scale * (1 - t) * w[0];
    }
    for (std::size_t k = 0; k < kOrder; ++k) weights[k] = w[k];
  }
};

}  // namespace unroll
