#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "unroll/core/options.h"
#include "unroll/core/sparse.h"
#include "unroll/core/sparse_rows.h"
#include "unroll/core/types.h"

/// What a method is given beside its options. The type says what the numbers mean. These are views: the caller keeps
/// the memory.
namespace unroll {

struct Neighbors;
class Model;

/// All distances between the points: a square matrix.
struct DistancesView {
  PointsView values = {};
};
/// All similarities between the points, a square matrix: kernel values, or the weights of a graph's edges.
struct SimilaritiesView {
  PointsView values = {};
};
/// Distances between some pairs of points: the edges of a graph. A missing distance is unknown; it is not 0.
struct SparseDistances {
  explicit SparseDistances(const SparseMatrix& distances) : matrix(&distances) {}
  const SparseMatrix* matrix;
};
/// Similarities between some pairs of points; missing ones are 0.
struct SparseSimilarities {
  explicit SparseSimilarities(const SparseMatrix& similarities) : matrix(&similarities) {}
  const SparseMatrix* matrix;
};

/// In the order of the alternatives of Input::data.
enum class InputKind { Points, SparsePoints, Distances, Similarities, SparseDistances, SparseSimilarities };
constexpr auto enum_names(InputKind) {
  return std::array{Named{InputKind::Points, "points"},
                    Named{InputKind::SparsePoints, "sparse points"},
                    Named{InputKind::Distances, "distances"},
                    Named{InputKind::Similarities, "similarities"},
                    Named{InputKind::SparseDistances, "sparse distances"},
                    Named{InputKind::SparseSimilarities, "sparse similarities"}};
}

struct Input {
  // Points convert implicitly: isomap(points), pca({data, rows, cols}).
  Input(PointsView points) : data(points) {
    if (points.is_sparse()) data = points.sparse();
  }
  Input(SparseRows points) : data(points) {}
  Input(MatrixView<float> points) : data(PointsView(points)) {}
  Input(MatrixView<double> points) : data(PointsView(points)) {}
  template <class T>
  Input(const Array2<T>& points UNROLL_VIEWED) : data(PointsView(points)) {}
  template <std::integral Rows, std::integral Cols>
  Input(const float* values, Rows rows, Cols cols) : data(PointsView(values, rows, cols)) {}
  template <std::integral Rows, std::integral Cols>
  Input(const double* values, Rows rows, Cols cols) : data(PointsView(values, rows, cols)) {}
  template <std::integral Cols>
  Input(std::span<const float> values, Cols cols) : data(PointsView(values, cols)) {}
  template <std::integral Cols>
  Input(std::span<const double> values, Cols cols) : data(PointsView(values, cols)) {}
  Input(DistancesView distances) : data(distances) {}
  Input(SimilaritiesView similarities) : data(similarities) {}
  Input(SparseDistances distances) : data(distances) {}
  Input(SparseSimilarities similarities) : data(similarities) {}

  std::variant<PointsView, SparseRows, DistancesView, SimilaritiesView, SparseDistances, SparseSimilarities> data;
  /// Neighbours that were found before, nearest first and without the point itself; at least as many as the method asks
  /// for. Methods that need no neighbours ignore them.
  const Neighbors* neighbors = nullptr;
  /// Where an optimised map starts: a row per point, a column per component. Other methods refuse it.
  std::optional<PointsView> init = {};
  /// A model to go on from: of the same method, data and options, with fewer iterations done. The result is the one
  /// that all iterations at once would give, bit for bit.
  const Model* resume = nullptr;
  /// What is known of the points, one per point: a class, -1 where it is unknown; or a number. Of methods that have an
  /// option target_weight, and of those that find labels; others refuse them.
  std::span<const std::int64_t> labels = {};
  std::span<const double> targets = {};
  /// What each distance of a full matrix, or between points, counts: a symmetric matrix of a row and a column per
  /// point; 0: that distance is not known. Of methods that fit a map to distances; others refuse them.
  std::optional<PointsView> pair_weights = {};

  InputKind kind() const { return static_cast<InputKind>(data.index()); }
  /// Whether the input is rows of features, sparse or not.
  bool has_points() const { return kind() <= InputKind::SparsePoints; }
  /// Whether it is a sparse matrix of pairs.
  bool is_sparse() const { return kind() >= InputKind::SparseDistances; }
  /// The number of points. A point is a row, or in a matrix of pairs a row and a column.
  Index size() const { return is_sparse() ? sparse().rows : full().rows(); }
  /// Numbers in the row of a new point.
  Index columns() const { return is_sparse() ? sparse().cols : full().cols(); }

  /// The numbers of points, sparse ones included, or of a full matrix.
  PointsView full() const {
    if (const auto* distances = std::get_if<DistancesView>(&data)) return distances->values;
    if (const auto* similarities = std::get_if<SimilaritiesView>(&data)) return similarities->values;
    if (const auto* rows = std::get_if<SparseRows>(&data)) return *rows;
    return std::get<PointsView>(data);
  }
  /// The numbers of a sparse matrix of pairs.
  const SparseMatrix& sparse() const {
    if (const auto* distances = std::get_if<SparseDistances>(&data)) return *distances->matrix;
    return *std::get<SparseSimilarities>(data).matrix;
  }
};

}  // namespace unroll
