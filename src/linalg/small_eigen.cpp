#include "linalg/small_eigen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "linalg/small_products.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

void add_multiple(Index m, double factor, const double* x, double* y) {
  for (Index i = 0; i < m; ++i) y[i] += factor * x[i];
}

/// The reflection I - beta v v' that takes x to a multiple of the first unit vector. `x` becomes v. Returns that
/// multiple and beta, which is 0 if x is such a multiple already.
std::pair<double, double> reflector(Index m, double* x) {
  const double tail = dot(m - 1, x + 1, x + 1);
  if (!(tail > 0)) return {x[0], 0};
  const double length = std::sqrt(x[0] * x[0] + tail);
  const double image = x[0] > 0 ? -length : length;
  x[0] -= image;
  return {image, 2 / (x[0] * x[0] + tail)};
}

/// A = Q T Q'. T has the diagonal `d` and the off-diagonal e[0 .. m-2]. Row j of `v` keeps reflector j, which acts on
/// the coordinates after j; beta[j] is its factor.
void tridiagonalize(Index m, double* a, double* d, double* e, double* v, double* beta, double* p) {
  for (Index j = 0; j + 2 < m; ++j) {
    const Index rest = m - j - 1;
    double* u = v + j * m;
    std::copy_n(a + j * m + j + 1, rest, u);
    std::tie(e[j], beta[j]) = reflector(rest, u);
    if (beta[j] == 0) continue;
    // A - v w' - w v' with w = p - (beta v'p / 2) v, p = beta A v.
    double* block = a + (j + 1) * m + j + 1;
    std::fill_n(p, rest, 0.0);
    for (Index i = 0; i < rest; ++i) add_multiple(rest, beta[j] * u[i], block + i * m, p);
    add_multiple(rest, -beta[j] / 2 * dot(rest, u, p), u, p);
    for (Index i = 0; i < rest; ++i) {
      double* row = block + i * m;
      const double ui = u[i], pi = p[i];
      for (Index l = 0; l < rest; ++l) row[l] -= ui * p[l] + pi * u[l];
    }
  }
  if (m > 1) e[m - 2] = a[(m - 2) * m + m - 1];
  for (Index i = 0; i < m; ++i) d[i] = a[i * m + i];
}

/// Q' = (H_0 H_1 ...)', from the last reflector to the first: outside the block of a reflector Q' is still the unit
/// matrix.
void accumulate(Index m, const double* v, const double* beta, double* q, double* t, double* transposed) {
  std::fill_n(q, m * m, 0.0);
  for (Index i = 0; i < m; ++i) q[i * m + i] = 1;
  for (Index j = m - 3; j >= 0; --j) {
    if (beta[j] == 0) continue;
    const Index rest = m - j - 1;
    const double* u = v + j * m;
    double* block = q + (j + 1) * m + j + 1;
    std::fill_n(t, rest, 0.0);
    for (Index i = 0; i < rest; ++i) add_multiple(rest, u[i], block + i * m, t);
    for (Index i = 0; i < rest; ++i) add_multiple(rest, -beta[j] * u[i], t, block + i * m);
  }
  for (Index i = 0; i < m; ++i)
    for (Index l = 0; l < m; ++l) transposed[l * m + i] = q[i * m + l];
}

/// Rotates rows x and y in their plane by (c, s).
void rotate(Index m, double c, double s, double* x, double* y) {
  for (Index i = 0; i < m; ++i) {
    const double xi = x[i], yi = y[i];
    y[i] = s * xi + c * yi;
    x[i] = c * xi - s * yi;
  }
}

/// One QL step with Wilkinson's shift on the unreduced block [first, last] of T; the rows of z, of this width, are
/// rotated with it.
void ql_step(Index width, Index first, Index last, double* d, double* e, double* z) {
  double g = (d[first + 1] - d[first]) / (2 * e[first]);
  double r = std::sqrt(g * g + 1);
  g = d[last] - d[first] + e[first] / (g + std::copysign(r, g));
  double s = 1, c = 1, shift = 0;
  for (Index i = last - 1; i >= first; --i) {
    const double f = s * e[i], b = c * e[i];
    r = std::sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r == 0) {  // the block splits here
      d[i + 1] -= shift;
      e[last] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - shift;
    r = (d[i] - g) * s + 2 * c * b;
    shift = s * r;
    d[i + 1] = g + shift;
    g = c * r - b;
    rotate(width, c, s, z + i * width, z + (i + 1) * width);
  }
  d[first] -= shift;
  e[first] = g;
  e[last] = 0;
}

/// The block [first, last] in the opposite order.
void turn(Index width, Index first, Index last, double* d, double* e, double* z) {
  std::reverse(d + first, d + last + 1);
  std::reverse(e + first, e + last);
  for (; first < last; ++first, --last) std::swap_ranges(z + first * width, z + (first + 1) * width, z + last * width);
}

/// QL steps find the eigenvalues at the top of a block first. They are fast if entries grow downwards, and crawl if
/// they shrink: such a block is turned (LAPACK's dsteqr changes to QR steps). An off-diagonal entry below the rounding
/// of the whole matrix counts as zero (EISPACK's tql2): where the rank is low, entries are rounding alone.
void diagonalize(Index m, Index width, double* d, double* e, double* z) {
  const Index most_steps = 30 * m;  // as LAPACK; two per eigenvalue are usual
  double norm = 0;
  e[m - 1] = 0;
  for (Index i = 0; i < m; ++i) norm = std::max(norm, std::abs(d[i]) + std::abs(e[i]));
  const double rounding = std::numeric_limits<double>::epsilon() * norm;
  Index steps = 0;
  for (Index first = 0; first < m; ++first) {
    for (Index block_end = first;;) {
      Index last = first;
      while (last + 1 < m && std::abs(e[last]) > rounding) ++last;
      if (last == first) break;
      if (last != block_end && std::abs(d[first]) > std::abs(d[last])) turn(width, first, last, d, e, z);
      block_end = last;
      if (++steps > most_steps)
        throw Error(
            ErrorKind::NotConverged,
            fmt::format("eigenvalue {} of a matrix of side {} did not converge in {} QL steps", first, m, steps));
      ql_step(width, first, last, d, e, z);
    }
  }
}

void sort_descending(Index m, Index width, double* values, double* vectors) {
  for (Index i = 0; i + 1 < m; ++i) {
    const Index top = std::max_element(values + i, values + m) - values;
    if (top == i) continue;
    std::swap(values[i], values[top]);
    std::swap_ranges(vectors + i * width, vectors + (i + 1) * width, vectors + top * width);
  }
}

void find_pairs(Index m, bool with_vectors, std::span<double> matrix, std::span<double> values,
                SmallEigenScratch& scratch) {
  if (m == 0) return;
  const auto side = static_cast<std::size_t>(m), area = side * side;
  if (scratch.vector.size() < 2 * side) {
    scratch.reflectors.resize(area);
    scratch.basis.resize(area);
    scratch.off_diagonal.resize(side);
    scratch.vector.resize(2 * side);
  }
  // In units of a power of two, squares of entries neither overflow nor vanish.
  double largest = 0;
  for (std::size_t i = 0; i < area; ++i) largest = std::max(largest, std::abs(matrix[i]));
  const int exponent = largest > 0 ? std::ilogb(largest) : 0;
  const double unit = std::ldexp(1.0, -exponent);
  for (std::size_t i = 0; i < area; ++i) matrix[i] *= unit;
  double* d = values.data();
  double* e = scratch.off_diagonal.data();
  double* beta = scratch.vector.data();
  tridiagonalize(m, matrix.data(), d, e, scratch.reflectors.data(), beta, beta + m);
  if (with_vectors) accumulate(m, scratch.reflectors.data(), beta, scratch.basis.data(), beta + m, matrix.data());
  const Index width = with_vectors ? m : 0;
  diagonalize(m, width, d, e, matrix.data());
  sort_descending(m, width, d, matrix.data());
  for (Index i = 0; i < m; ++i) d[i] = std::ldexp(d[i], exponent);
}

}  // namespace

void small_symmetric_eigen(Index m, std::span<double> matrix, std::span<double> values, SmallEigenScratch& scratch) {
  find_pairs(m, true, matrix, values, scratch);
}

void small_symmetric_eigenvalues(Index m, std::span<double> matrix, std::span<double> values,
                                 SmallEigenScratch& scratch) {
  find_pairs(m, false, matrix, values, scratch);
}

}  // namespace unroll
