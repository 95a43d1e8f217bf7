#include "layout/distance_constraints.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/at.h"
#include "core/parallel.h"

namespace unroll {
namespace {

constexpr Index kConstraintsPerBlock = 4096, kDualRows = 512;

}  // namespace

DistanceConstraints::DistanceConstraints(Index points, const NeighborPairs& pairs, Components components)
    : points_(points),
      components_(std::move(components)),
      first_(pairs.first),
      second_(pairs.second),
      squared_(pairs.distances),
      pattern_{points, points, std::vector<Index>(at(points) + 1), {}, {}} {
  double squares = 0;
  for (double& b : squared_) b *= b, squares += b * b;
  norm_ = std::sqrt(squares);
  // Pairs ascend, so that in every row first those with a lower point come, then the diagonal, then the others.
  std::vector<Index>& offsets = pattern_.offsets;
  for (Index i = 0; i < points; ++i) ++offsets[at(i) + 1];
  for (Index e = 0; e < size(); ++e) ++offsets[at(first_[at(e)]) + 1], ++offsets[at(second_[at(e)]) + 1];
  for (Index i = 0; i < points; ++i) offsets[at(i) + 1] += offsets[at(i)];
  pattern_.columns.resize(at(offsets.back()));
  constraints_.resize(at(offsets.back()));
  std::vector<Index> next(offsets.begin(), offsets.end() - 1);
  const auto put = [&](Index row, Index column, Index constraint) {
    const Index place = next[at(row)]++;
    pattern_.columns[at(place)] = column;
    constraints_[at(place)] = constraint;
  };
  for (Index e = 0; e < size(); ++e) put(second_[at(e)], first_[at(e)], e);
  for (Index i = 0; i < points; ++i) put(i, i, -1);
  for (Index e = 0; e < size(); ++e) put(first_[at(e)], second_[at(e)], e);
}

double DistanceConstraints::digest() const {
  constexpr std::uint64_t kStart = 0xcbf29ce484222325, kFactor = 0x100000001b3;  // FNV-1a, of whole numbers
  constexpr int kExact = 52;                                                     // bits that a double keeps
  std::uint64_t hash = kStart;
  const auto add = [&](std::uint64_t value) {
    hash = (hash ^ value) * kFactor;
    hash ^= hash >> 32;
  };
  for (Index e = 0; e < size(); ++e) {
    add(static_cast<std::uint64_t>(first_[at(e)]));
    add(static_cast<std::uint64_t>(second_[at(e)]));
    add(std::bit_cast<std::uint64_t>(squared_[at(e)]));
  }
  return static_cast<double>(hash >> (64 - kExact));
}

void DistanceConstraints::residuals(const Array2<double>& y, std::vector<double>& result, const Run& run) const {
  result.resize(squared_.size());
  const Index dims = y.cols();
  parallel_for(run, size(), kConstraintsPerBlock, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      const double *a = y.row(first_[at(e)]), *b = y.row(second_[at(e)]);
      double sum = 0;
      for (Index d = 0; d < dims; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
      result[at(e)] = sum - squared_[at(e)];
    }
  });
}

void DistanceConstraints::dual_product(const std::vector<double>& mu, const Array2<double>& y, Array2<double>& result,
                                       const Run& run) const {
  const Index dims = y.cols();
  parallel_for(run, points_, kDualRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double* to = result.row(i);
      const double* own = y.row(i);
      for (Index d = 0; d < dims; ++d) to[d] = -own[d];
      for (Index p = pattern_.offsets[at(i)]; p < pattern_.offsets[at(i) + 1]; ++p) {
        if (constraints_[at(p)] < 0) continue;
        const double weight = mu[at(constraints_[at(p)])];
        const double* other = y.row(pattern_.columns[at(p)]);
        for (Index d = 0; d < dims; ++d) to[d] += weight * (own[d] - other[d]);
      }
    }
  });
}

void DistanceConstraints::along(const Array2<double>& y, const Array2<double>& direction, Line& line,
                                const Run& run) const {
  line.linear.resize(squared_.size());
  line.quadratic.resize(squared_.size());
  const Index dims = y.cols();
  parallel_for(run, size(), kConstraintsPerBlock, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      const Index i = first_[at(e)], j = second_[at(e)];
      const double *yi = y.row(i), *yj = y.row(j), *di = direction.row(i), *dj = direction.row(j);
      double linear = 0, quadratic = 0;
      for (Index d = 0; d < dims; ++d) {
        const double moved = di[d] - dj[d];
        linear += (yi[d] - yj[d]) * moved;
        quadratic += moved * moved;
      }
      line.linear[at(e)] = 2 * linear;
      line.quadratic[at(e)] = quadratic;
    }
  });
}

SparseMatrix DistanceConstraints::laplacian(const std::vector<double>& mu) const {
  SparseMatrix matrix = pattern_;
  matrix.values.resize(matrix.columns.size());
  for (Index i = 0; i < points_; ++i) {
    double sum = 0;
    Index diagonal = 0;
    for (Index p = pattern_.offsets[at(i)]; p < pattern_.offsets[at(i) + 1]; ++p) {
      if (constraints_[at(p)] < 0) {
        diagonal = p;
        continue;
      }
      const double weight = mu[at(constraints_[at(p)])];
      matrix.values[at(p)] = -weight;
      sum += weight;
    }
    matrix.values[at(diagonal)] = sum;
  }
  return matrix;
}

SparseMatrix DistanceConstraints::coupled_laplacian(const std::vector<double>& mu, double stiffness,
                                                    const Array2<double>& y) const {
  const Index dims = y.cols();
  SparseMatrix matrix{points_ * dims, points_ * dims, std::vector<Index>(at(points_ * dims) + 1), {}, {}};
  matrix.columns.resize(pattern_.columns.size() * at(dims * dims));
  matrix.values.resize(matrix.columns.size());
  std::vector<double> d(at(dims)), sum(at(dims * dims));
  for (Index i = 0; i < points_; ++i) {
    const Index begin = pattern_.offsets[at(i)], degree = pattern_.offsets[at(i) + 1] - begin;
    const auto place = [&](Index a, Index p, Index b) { return at((begin * dims + a * degree + p) * dims + b); };
    std::fill(sum.begin(), sum.end(), 0.0);
    Index diagonal = 0;
    for (Index p = 0; p < degree; ++p) {
      const Index j = pattern_.columns[at(begin + p)], e = constraints_[at(begin + p)];
      if (e < 0) diagonal = p;
      for (Index a = 0; a < dims; ++a) d[at(a)] = y(i, a) - y(j, a);
      for (Index a = 0; a < dims; ++a)
        for (Index b = 0; b < dims; ++b) {
          const double weight = e < 0 ? 0 : stiffness * d[at(a)] * d[at(b)] + (a == b ? mu[at(e)] : 0);
          matrix.columns[place(a, p, b)] = j * dims + b;
          matrix.values[place(a, p, b)] = -weight;
          sum[at(a * dims + b)] += weight;
        }
    }
    for (Index a = 0; a < dims; ++a) {
      for (Index b = 0; b < dims; ++b) matrix.values[place(a, diagonal, b)] = sum[at(a * dims + b)];
      matrix.offsets[at(i * dims + a) + 1] = (begin * dims + (a + 1) * degree) * dims;
    }
  }
  return matrix;
}

void DistanceConstraints::center(Array2<double>& y) const {
  Array2<double> means(components_.count(), y.cols());
  for (Index i = 0; i < points_; ++i)
    for (Index d = 0; d < y.cols(); ++d) means(components_.labels[at(i)], d) += y(i, d);
  for (Index c = 0; c < means.rows(); ++c)
    for (Index d = 0; d < y.cols(); ++d) means(c, d) /= static_cast<double>(components_.sizes[at(c)]);
  for (Index i = 0; i < points_; ++i)
    for (Index d = 0; d < y.cols(); ++d) y(i, d) -= means(components_.labels[at(i)], d);
}

Array2<double> DistanceConstraints::constants() const {
  Array2<double> vectors(components_.count(), points_);
  for (Index i = 0; i < points_; ++i) {
    const Index c = components_.labels[at(i)];
    vectors(c, i) = 1 / std::sqrt(static_cast<double>(components_.sizes[at(c)]));
  }
  return vectors;
}

}  // namespace unroll
