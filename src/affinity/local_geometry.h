#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "neighbors/pair_distance.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// Memory of one thread for the inner products of a neighbourhood; kept between calls.
struct GeometryScratch {
  std::vector<double> rows = {};     ///< differences of coordinates, a row per feature
  std::vector<double> squares = {};  ///< squared distances
  // Of sparse rows:
  std::vector<Index> columns = {};  ///< the features that any of them has
  std::vector<double> own = {}, other = {};
};

/// Inner products within a neighbourhood. For points with the Euclidean metric they come from differences of
/// coordinates; for any other metric, or given distances, from distances alone (Torgerson 1952):
///   about a point:    G_jk = (d_cj^2 + d_ck^2 - d_jk^2) / 2
///   about the mean:   G = -J d^2 J / 2,  J = I - 11'/m
/// All in a unit of its own, a power of two that keeps squares of 1e300 and 1e-300 in range.
class LocalGeometry {
 public:
  /// Points, or with metric = precomputed a full matrix of distances; they must outlive this.
  LocalGeometry(PointsView points, const NeighborOptions& options, const Run& run);
  /// A sparse matrix of distances; it must outlive this.
  explicit LocalGeometry(const SparseMatrix& distances);

  bool has_coordinates() const { return has_coordinates_; }
  /// The number of features; 0: there are no coordinates.
  Index features() const { return has_coordinates_ ? points_.cols() : 0; }
  /// The factor of coordinates and distances.
  double scale() const { return scale_; }

  /// `gram` becomes m x m. Throws InvalidData if a sparse matrix lacks a distance.
  void gram_about(Index center, std::span<const Index> members, Array2<double>& gram, GeometryScratch& scratch) const;
  void gram_about_mean(std::span<const Index> members, Array2<double>& gram, GeometryScratch& scratch) const;
  /// About row q of new points; `distances` to the members are used only if there are no coordinates.
  void gram_about_new(PointsView queries, Index q, std::span<const Index> members, std::span<const double> distances,
                      Array2<double>& gram, GeometryScratch& scratch) const;
  /// (x - x_anchor) . (x_j - mean of the members) for row q of new points; they vanish as the new point approaches the
  /// anchor. From distances: -J (d_x^2 - d_anchor^2) / 2.
  void products_from(Index anchor, PointsView queries, Index q, std::span<const Index> members,
                     std::span<const double> distances, std::vector<double>& products, GeometryScratch& scratch) const;
  /// Coordinates minus their mean, a row per member. Only where has_coordinates().
  void centered_rows(std::span<const Index> members, Array2<double>& rows) const;

 private:
  double distance(Index i, Index j) const;
  Index pack(std::span<const Index> members, PointsView centers, Index center, GeometryScratch& scratch) const;
  Index pack_sparse(std::span<const Index> members, const SparseRows& centers, Index center,
                    GeometryScratch& scratch) const;
  void squared_distances(std::span<const Index> members, std::vector<double>& squares) const;

  PointsView points_ = {};
  const SparseMatrix* sparse_ = nullptr;
  bool has_coordinates_ = false;
  double scale_ = 1;
  std::unique_ptr<const PairDistance> pairs_ = {};
};

/// Removes the negative eigenvalues of inner products from distances that are not Euclidean. The result is the nearest
/// matrix that can hold inner products of points.
void make_semidefinite(Array2<double>& gram);

}  // namespace unroll
