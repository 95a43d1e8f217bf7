#include "report/page_maps.h"

#include <cmath>
#include <utility>

#include "report/interval.h"

namespace unroll {
namespace {

constexpr double kOutside = 0.01;  // of the points, on each side of the window

/// Two numbers per row, in units of a window.
struct Shape {
  std::vector<double> at = {};
  std::array<double, 2> center = {};
  double half = 0;
};

/// The window of most values of one axis; of all, where most are equal.
Interval window_of_axis(const std::vector<double>& at, std::size_t axis) {
  std::vector<double> values;
  values.reserve(at.size() / 2);
  for (std::size_t i = axis; i < at.size(); i += 2) values.push_back(at[i]);
  const Interval most = window_of(values, kOutside);
  return most.half() > 0 ? most : window_of(std::move(values), 0);
}

/// Moves the window's middle to 0 and its edges to -1 and 1; halves, since differences may be infinite.
Shape in_window(std::vector<double> at) {
  const std::array<Interval, 2> window{window_of_axis(at, 0), window_of_axis(at, 1)};
  Shape shape{.at = std::move(at),
              .center = {window[0].middle(), window[1].middle()},
              .half = std::max(window[0].half(), window[1].half())};
  for (std::size_t i = 0; i < shape.at.size(); ++i)
    shape.at[i] = shape.half > 0 ? 2 * ((shape.at[i] / 2 - shape.center[i % 2] / 2) / shape.half) : 0;
  return shape;
}

/// Outliers do not decide how a map is turned. What is left has mean 0.
std::vector<double> for_turning(std::vector<double> at) {
  std::array<double, 2> mean{};
  for (double& x : at) x = std::clamp(x, -1.5, 1.5);
  for (std::size_t i = 0; i < at.size(); ++i) mean[i % 2] += at[i] / (static_cast<double>(at.size()) / 2);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] -= mean[i % 2];
  return at;
}

/// The two axes in their own directions or against them, as the first column of the reference runs.
Turn best_directions(const std::vector<double>& x, const std::vector<double>& y) {
  std::array<double, 2> product{};
  for (std::size_t i = 0; i < x.size(); ++i) product[i % 2] += x[i] * y[i - i % 2];
  return {product[0] < 0 ? -1.0 : 1.0, 0, 0, product[1] < 0 ? -1.0 : 1.0};
}

std::array<double, 2> turned(const Turn& turn, double x, double y) {
  return {turn[0] * x + turn[1] * y, turn[2] * x + turn[3] * y};
}

template <class Value>
std::vector<double> pairs_of(const std::vector<Index>& rows, Value&& value) {
  std::vector<double> at;
  at.reserve(2 * rows.size());
  for (const Index i : rows) {
    at.push_back(value(i, Index{0}));
    at.push_back(value(i, Index{1}));
  }
  return at;
}

/// In single precision, and finite.
float single(double value) {
  constexpr double kFar = 1e30;
  return static_cast<float>(std::clamp(value, -kFar, kFar));
}

}  // namespace

MapReference map_reference(PointsView points, const std::vector<Index>& rows) {
  return points.visit([&](auto view) {
    auto at = pairs_of(rows, [&](Index i, Index j) { return j < view.cols ? static_cast<double>(view(i, j)) : 0.0; });
    return MapReference{.at = for_turning(in_window(std::move(at)).at), .is_line = view.cols < 2};
  });
}

Turn best_turn(const std::vector<double>& x, const std::vector<double>& y) {
  std::array<double, 4> m{};  // the sum of y x^T
  for (std::size_t i = 0; i + 1 < x.size(); i += 2) {
    m[0] += y[i] * x[i], m[1] += y[i] * x[i + 1];
    m[2] += y[i + 1] * x[i], m[3] += y[i + 1] * x[i + 1];
  }
  // A turn by the angle a has the sum (m0 + m3) cos a + (m2 - m1) sin a; a reflection, (m0 - m3) cos a + (m2 + m1) sin
  // a.
  const double turn = std::hypot(m[0] + m[3], m[2] - m[1]), reflection = std::hypot(m[0] - m[3], m[2] + m[1]);
  if (turn == 0 && reflection == 0) return {1, 0, 0, 1};
  if (turn >= reflection) {
    const double c = (m[0] + m[3]) / turn, s = (m[2] - m[1]) / turn;
    return {c, -s, s, c};
  }
  const double c = (m[0] - m[3]) / reflection, s = (m[2] + m[1]) / reflection;
  return {c, s, s, -c};
}

DrawnMap drawn_map(const Array2<double>& map, const MapReference& reference, const std::vector<Index>& rows) {
  Shape shape = in_window(pairs_of(rows, [&](Index i, Index j) { return j < map.cols() ? map(i, j) : 0.0; }));
  const std::vector<double> own = for_turning(shape.at);
  const bool keeps_axes = reference.is_line || map.cols() < 2;
  const Turn turn = keeps_axes ? best_directions(own, reference.at) : best_turn(own, reference.at);
  for (std::size_t i = 0; i + 1 < shape.at.size(); i += 2) {
    const auto [x, y] = turned(turn, shape.at[i], shape.at[i + 1]);
    shape.at[i] = x, shape.at[i + 1] = y;
  }
  // A map that was turned has another window.
  const Shape whole = in_window(std::move(shape.at));
  DrawnMap drawn{.half = shape.half * whole.half, .turn = turn};
  for (const std::size_t j : {0U, 1U})
    drawn.center[j] = shape.center[j] + shape.half * (turn[j] * whole.center[0] + turn[2 + j] * whole.center[1]);
  drawn.at.reserve(whole.at.size());
  for (const double x : whole.at) drawn.at.push_back(single(x));
  return drawn;
}

std::vector<float> drawn_points(PointsView points, const std::vector<Index>& rows) {
  std::vector<float> at;
  at.reserve(rows.size() * static_cast<std::size_t>(points.cols()));
  points.visit([&](auto x) {
    std::vector<Interval> range;
    double half = 0;
    for (Index j = 0; j < x.cols; ++j) {
      range.push_back(interval_of(rows, [&](Index i) { return static_cast<double>(x(i, j)); }));
      half = std::max(half, range.back().half());
    }
    for (const Index i : rows)
      for (Index j = 0; j < x.cols; ++j) {
        const double middle = range[static_cast<std::size_t>(j)].middle();
        at.push_back(half > 0 ? single(2 * ((static_cast<double>(x(i, j)) / 2 - middle / 2) / half)) : 0.0F);
      }
  });
  return at;
}

}  // namespace unroll
