#pragma once
#include <cmath>

#include "core/random.h"
#include "support/matrices.h"
#include "unroll/core/types.h"

/// Point sets that are hard on a neighbour search.
namespace unroll {

inline Array2<double> scaled_by(Array2<double> x, double factor) {
  for (Index i = 0; i < x.size(); ++i) x.data()[i] *= factor;
  return x;
}

inline Array2<double> shifted_by(Array2<double> x, double shift) {
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += shift;
  return x;
}

/// Small whole numbers: ties everywhere, and nothing rounds.
inline Array2<double> lattice(Index rows, Index cols, Index side, std::uint64_t seed) {
  const Random random(seed, "test.lattice");
  Array2<double> x(rows, cols);
  for (Index i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<double>(random.below(static_cast<std::uint64_t>(side), static_cast<std::uint64_t>(i)));
  return x;
}

/// Normal points of which only every `copies`-th is new; the copies are spread over the rows.
inline Array2<double> with_duplicates(Index rows, Index cols, Index copies, std::uint64_t seed) {
  const Array2<double> base = normal_matrix((rows + copies - 1) / copies, cols, seed);
  Array2<double> x(rows, cols);
  for (Index i = 0; i < rows; ++i) std::copy_n(base.row(i % base.rows()), cols, x.row(i));
  return x;
}

inline Array2<double> on_a_line(Index rows, Index cols, std::uint64_t seed) {
  const Array2<double> direction = normal_matrix(1, cols, seed), place = normal_matrix(rows, 1, seed + 1);
  Array2<double> x(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) x(i, j) = place(i, 0) * direction(0, j);
  return x;
}

/// `first` points around the origin, the others around a place `apart` away, all within about `spread`.
inline Array2<double> two_clusters(Index first, Index second, Index cols, double spread, double apart,
                                   std::uint64_t seed) {
  Array2<double> x = scaled_by(normal_matrix(first + second, cols, seed), spread);
  for (Index i = first; i < x.rows(); ++i)
    for (Index j = 0; j < cols; ++j) x(i, j) += apart / std::sqrt(static_cast<double>(cols)) * (1 + 0.1 * std::sin(j));
  return x;
}

inline Array2<double> with_outlier(Array2<double> x, double size) {
  for (Index j = 0; j < x.cols(); ++j) x(x.rows() / 2, j) = size;
  return x;
}

/// Features of units from 10^-decades to 10^decades.
inline Array2<double> mixed_units(Index rows, Index cols, double decades, std::uint64_t seed) {
  Array2<double> x = normal_matrix(rows, cols, seed);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      x(i, j) *= std::pow(10.0, decades * (2 * static_cast<double>(j) / static_cast<double>(std::max<Index>(1, cols - 1)) - 1));
  return x;
}

}  // namespace unroll
