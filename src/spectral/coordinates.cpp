#include "spectral/coordinates.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"

namespace unroll {
namespace {

/// The length of a coordinate whose eigenvector has length one (of diffusion: psi = sqrt(sum of degrees) D^-1/2 u).
double length_of(const Recipe& row, const PartSolution& solution, std::size_t k, const SpectralSettings& settings) {
  const double value = solution.values[k];
  switch (row.coordinates) {
    case CoordinateRule::SqrtEigenvalue: return std::sqrt(std::max(value, 0.0));
    case CoordinateRule::UnitVariance: return std::sqrt(static_cast<double>(solution.vectors.cols()));
    case CoordinateRule::Diffusion: {
      const auto points = static_cast<double>(solution.vectors.cols());
      const double volume =
          solution.degrees.empty() ? points : std::accumulate(solution.degrees.begin(), solution.degrees.end(), 0.0);
      return std::sqrt(volume) * diffusion_power(value, settings.time);
    }
    default: return 1;
  }
}

/// The coordinates sqrt(lambda) v are computed as A v / sqrt(lambda), as those of new points are. So transform gives a
/// training point its own coordinates, however small lambda is.
bool takes_products(const Recipe& row, const PartSolution& solution) {
  return row.coordinates == CoordinateRule::SqrtEigenvalue && row.new_point == NewPointRule::Centered &&
         solution.products.size() > 0;
}

}  // namespace

double diffusion_power(double value, double time) {
  return value >= 0 || time == std::floor(time) ? std::pow(value, time) : 0;
}

Coordinates coordinates_of(const Recipe& row, const PartSolution& solution, const SpectralSettings& settings) {
  const Array2<double>& v = solution.vectors;
  const Index n = v.cols(), count = v.rows(), rank = solution.rank.value_or(count);
  const bool is_centered = row.new_point == NewPointRule::Centered;
  Coordinates out{.y = Array2<double>(n, count), .axes = Array2<double>(n, count)};
  for (Index k = 0; k < rank; ++k) {
    const double value = solution.values[at(k)], length = length_of(row, solution, at(k), settings);
    for (Index i = 0; i < n; ++i) {
      out.y(i, k) = takes_products(row, solution) ? solution.products(k, i) / length : length * v(k, i);
      double axis = length * v(k, i);
      if (is_centered) axis = value != 0 ? axis / value : 0;
      if (row.new_point == NewPointRule::Symmetric && !solution.degrees.empty() && solution.degrees[at(i)] > 0)
        axis /= std::sqrt(solution.degrees[at(i)]);
      out.axes(i, k) = axis;
    }
  }
  if (solution.axes) {
    out.axes = *solution.axes;  // axes of the coordinates sqrt(lambda) v
    for (Index k = 0; k < rank; ++k) {
      const double root = std::sqrt(solution.values[at(k)]), length = length_of(row, solution, at(k), settings);
      for (Index j = 0; j < out.axes.rows(); ++j) out.axes(j, k) *= length / root;
    }
  }
  return out;
}

}  // namespace unroll
