#include "affinity/local_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "affinity/shared_columns.h"
#include "core/at.h"
#include "data/column_statistics.h"
#include "linalg/small_products.h"
#include "linalg/symmetric_eigen.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// G = R' R for R with a row per feature: the innermost loop runs over members, which are contiguous.
void multiply(const std::vector<double>& rows, Index features, Index m, Array2<double>& gram) {
  reshape(gram, m, m);
  std::fill_n(gram.data(), gram.size(), 0.0);
  for (Index f = 0; f < features; ++f) {
    const double* r = rows.data() + f * m;
    for (Index a = 0; a < m; ++a) {
      double* out = gram.row(a);
      const double own = r[a];
      for (Index b = 0; b <= a; ++b) out[b] += own * r[b];
    }
  }
  for (Index a = 0; a < m; ++a)
    for (Index b = 0; b < a; ++b) gram(b, a) = gram(a, b);
}

/// (d_cj^2 + d_ck^2 - d_jk^2) / 2; `from` holds d_c^2.
void about_point(const double* from, const std::vector<double>& squares, Index m, Array2<double>& gram) {
  reshape(gram, m, m);
  for (Index a = 0; a < m; ++a)
    for (Index b = 0; b < m; ++b) gram(a, b) = 0.5 * (from[a] + from[b] - squares[at(a * m + b)]);
}

/// Subtracts its mean from every row of `rows`, m members each, and appends the means.
void center_rows(std::vector<double>& rows, Index features, Index m) {
  rows.resize(at(features * (m + 1)));
  for (Index f = 0; f < features; ++f) {
    double* r = rows.data() + f * m;
    double mean = 0;
    for (Index a = 0; a < m; ++a) mean += r[a];
    mean /= static_cast<double>(m);
    for (Index a = 0; a < m; ++a) r[a] -= mean;
    rows[at(features * m + f)] = mean;
  }
}

double largest_value(const SparseMatrix& distances) {
  double largest = 0;
  for (const double value : distances.values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// The entry (i, j), or (j, i), or none.
const double* find_entry(const SparseMatrix& a, Index i, Index j) {
  for (const auto& [row, column] : {std::pair{i, j}, std::pair{j, i}}) {
    const auto begin = a.columns.begin() + a.offsets[at(row)], end = a.columns.begin() + a.offsets[at(row) + 1];
    const auto found = std::lower_bound(begin, end, column);
    if (found != end && *found == column) return a.values.data() + (found - a.columns.begin());
  }
  return nullptr;
}

}  // namespace

LocalGeometry::LocalGeometry(PointsView points, const NeighborOptions& options, const Run& run)
    : points_(points), has_coordinates_(options.metric == Metric::Euclidean) {
  if (has_coordinates_) {
    scale_ = metric_scale(points, run);
  } else {
    pairs_ = std::make_unique<const PairDistance>(points, options, run);
    scale_ = pairs_->factor();
  }
}

LocalGeometry::LocalGeometry(const SparseMatrix& distances)
    : sparse_(&distances), scale_(power_of_two_scale(largest_value(distances))) {}

double LocalGeometry::distance(Index i, Index j) const {
  if (i == j) return 0;
  if (pairs_) return pairs_->scaled(i, j);
  const double* there = find_entry(*sparse_, i, j);
  if (there == nullptr)
    throw Error(ErrorKind::InvalidData,
                fmt::format("rows {} and {} are neighbors of one point, but the matrix has no distance between them",
                            i + 1, j + 1),
                "use a matrix with more entries, or a smaller n_neighbors");
  const double* back = find_entry(*sparse_, j, i);
  return scale_ * (*there / 2 + *back / 2);
}

/// scale * x of the members minus that of a row of `centers`: a row per feature. Returns how many rows there are: all
/// features, or those that a sparse row has.
Index LocalGeometry::pack(std::span<const Index> members, PointsView centers, Index center,
                          GeometryScratch& scratch) const {
  if (points_.is_sparse()) return pack_sparse(members, centers.sparse(), center, scratch);
  const Index features = points_.cols(), m = std::ssize(members);
  scratch.rows.resize(at(features * m));
  centers.visit([&](auto y) {
    const auto* from = y.row(center);
    points_.visit([&](auto x) {
      for (Index a = 0; a < m; ++a) {
        const auto* row = x.row(members[at(a)]);
        for (Index f = 0; f < features; ++f)
          scratch.rows[at(f * m + a)] = scale_ * static_cast<double>(row[f]) - scale_ * static_cast<double>(from[f]);
      }
    });
  });
  return features;
}

Index LocalGeometry::pack_sparse(std::span<const Index> members, const SparseRows& centers, Index center,
                                 GeometryScratch& scratch) const {
  const SparseRows& x = points_.sparse();
  shared_columns(x, members, scratch.columns);
  add_columns(centers, center, scratch.columns);
  const Index features = std::ssize(scratch.columns), m = std::ssize(members);
  scratch.rows.resize(at(features * m));
  expand_row(centers, center, scale_, scratch.columns, scratch.other);
  for (Index a = 0; a < m; ++a) {
    expand_row(x, members[at(a)], scale_, scratch.columns, scratch.own);
    for (Index f = 0; f < features; ++f) scratch.rows[at(f * m + a)] = scratch.own[at(f)] - scratch.other[at(f)];
  }
  return features;
}

void LocalGeometry::squared_distances(std::span<const Index> members, std::vector<double>& squares) const {
  const Index m = std::ssize(members);
  squares.assign(at(m * m), 0);
  for (Index a = 0; a < m; ++a)
    for (Index b = 0; b < a; ++b) {
      const double d = distance(members[at(a)], members[at(b)]);
      squares[at(a * m + b)] = squares[at(b * m + a)] = d * d;
    }
}

void LocalGeometry::gram_about(Index center, std::span<const Index> members, Array2<double>& gram,
                               GeometryScratch& scratch) const {
  const Index m = std::ssize(members);
  if (has_coordinates_) return gram_about_new(points_, center, members, {}, gram, scratch);
  squared_distances(members, scratch.squares);
  scratch.rows.resize(at(m));
  for (Index a = 0; a < m; ++a) {
    const double d = distance(center, members[at(a)]);
    scratch.rows[at(a)] = d * d;
  }
  about_point(scratch.rows.data(), scratch.squares, m, gram);
}

void LocalGeometry::gram_about_new(PointsView queries, Index q, std::span<const Index> members,
                                   std::span<const double> distances, Array2<double>& gram,
                                   GeometryScratch& scratch) const {
  const Index m = std::ssize(members);
  if (has_coordinates_) {
    const Index features = pack(members, queries, q, scratch);
    return multiply(scratch.rows, features, m, gram);
  }
  squared_distances(members, scratch.squares);
  scratch.rows.resize(at(m));
  for (Index a = 0; a < m; ++a) {
    const double d = scale_ * distances[at(a)];
    scratch.rows[at(a)] = d * d;
  }
  about_point(scratch.rows.data(), scratch.squares, m, gram);
}

void LocalGeometry::gram_about_mean(std::span<const Index> members, Array2<double>& gram,
                                    GeometryScratch& scratch) const {
  const Index m = std::ssize(members);
  if (has_coordinates_) {
    const Index features = pack(members, points_, members.front(), scratch);
    center_rows(scratch.rows, features, m);
    return multiply(scratch.rows, features, m, gram);
  }
  squared_distances(members, scratch.squares);
  scratch.rows.assign(at(m), 0);
  double mean = 0;
  for (Index a = 0; a < m; ++a) {
    for (Index b = 0; b < m; ++b) scratch.rows[at(a)] += scratch.squares[at(a * m + b)] / static_cast<double>(m);
    mean += scratch.rows[at(a)] / static_cast<double>(m);
  }
  reshape(gram, m, m);
  for (Index a = 0; a < m; ++a)
    for (Index b = 0; b <= a; ++b)
      gram(a, b) = gram(b, a) =
          -0.5 * (scratch.squares[at(a * m + b)] - (scratch.rows[at(a)] + scratch.rows[at(b)]) + mean);
}

void LocalGeometry::products_from(Index anchor, PointsView queries, Index q, std::span<const Index> members,
                                  std::span<const double> distances, std::vector<double>& products,
                                  GeometryScratch& scratch) const {
  const Index m = std::ssize(members);
  products.assign(at(m), 0);
  if (has_coordinates_) {
    const Index features = pack(members, points_, members.front(), scratch);
    center_rows(scratch.rows, features, m);
    const auto add = [&](Index f, double own) {
      for (Index a = 0; a < m; ++a) products[at(a)] += own * scratch.rows[at(f * m + a)];
    };
    if (points_.is_sparse()) {
      expand_row(queries.sparse(), q, scale_, scratch.columns, scratch.own);
      expand_row(points_.sparse(), anchor, scale_, scratch.columns, scratch.other);
      for (Index f = 0; f < features; ++f) add(f, scratch.own[at(f)] - scratch.other[at(f)]);
    } else {
      queries.visit([&](auto y) {
        points_.visit([&](auto x) {
          for (Index f = 0; f < features; ++f)
            add(f, scale_ * static_cast<double>(y(q, f)) - scale_ * static_cast<double>(x(anchor, f)));
        });
      });
    }
    return;
  }
  double mean = 0;
  for (Index a = 0; a < m; ++a) {
    const double from_new = scale_ * distances[at(a)], from_anchor = distance(anchor, members[at(a)]);
    products[at(a)] = (from_new - from_anchor) * (from_new + from_anchor);
    mean += products[at(a)] / static_cast<double>(m);
  }
  for (double& product : products) product = -0.5 * (product - mean);
}

void LocalGeometry::centered_rows(std::span<const Index> members, Array2<double>& rows) const {
  const Index m = std::ssize(members), features = points_.cols();
  reshape(rows, m, features);
  std::vector<double> mean(at(features));
  GeometryScratch scratch;
  std::fill_n(rows.data(), rows.size(), 0.0);
  const Index packed = pack(members, points_, members.front(), scratch);
  for (Index a = 0; a < m; ++a)
    for (Index f = 0; f < packed; ++f) {
      const Index column = points_.is_sparse() ? scratch.columns[at(f)] : f;
      rows(a, column) = scratch.rows[at(f * m + a)];
      mean[at(column)] += rows(a, column);
    }
  for (Index a = 0; a < m; ++a)
    for (Index f = 0; f < features; ++f) rows(a, f) -= mean[at(f)] / static_cast<double>(m);
}

void make_semidefinite(Array2<double>& gram) {
  const Index m = gram.rows();
  const EigenPairs pairs = leading_eigenpairs(gram, [m](const auto&) { return m; }, {.threads = 1});
  std::fill_n(gram.data(), gram.size(), 0.0);
  for (Index e = 0; e < m && pairs.values[at(e)] > 0; ++e)
    for (Index a = 0; a < m; ++a)
      for (Index b = 0; b < m; ++b) gram(a, b) += pairs.values[at(e)] * pairs.vectors(e, a) * pairs.vectors(e, b);
}

}  // namespace unroll
