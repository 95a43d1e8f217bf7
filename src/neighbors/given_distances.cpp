#include "neighbors/given_distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/sparse_check.h"
#include "data/validate.h"
#include "neighbors/asymmetry.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kMatrixRows = 16;

/// What is wrong with a distance, and what to do.
struct Fault {
  std::string what;
  std::string advice = {};
};

[[noreturn]] void throw_bad_distance(Index i, Index j, double value, const Fault& fault) {
  throw Error(ErrorKind::InvalidData,
              fmt::format("the distance between points {} and {} is {}, {}", i + 1, j + 1, value, fault.what),
              fault.advice);
}

constexpr const char* kInfinite = "which is not a finite number";
constexpr const char* kNegative = "but all distances must be positive or zero";
constexpr const char* kIfSimilarities =
    "if these are similarities, use weights=precomputed or kernel=precomputed instead, of a method that has it";

Fault negative() { return {kNegative, kIfSimilarities}; }

Fault not_from_itself() { return {"but a point has no distance from itself", kIfSimilarities}; }

void require_symmetry(const Asymmetry& worst, bool is_float) {
  if (worst.is_rounding(is_float)) return;
  throw_bad_distance(worst.row, worst.col, worst.there,
                     {fmt::format("but {} the other way: the array must be symmetric", worst.back),
                      "average it with its transpose if that is what you mean"});
}

/// The entry of row i and column j; nullptr: there is none.
const double* find_entry(const SparseMatrix& m, Index i, Index j) {
  const auto begin = m.columns.begin() + m.offsets[static_cast<std::size_t>(i)];
  const auto end = m.columns.begin() + m.offsets[static_cast<std::size_t>(i) + 1];
  const auto found = std::lower_bound(begin, end, j);
  return found != end && *found == j ? m.values.data() + (found - m.columns.begin()) : nullptr;
}

template <class T>
void check_row(const MatrixView<T>& x, Index i, Asymmetry& worst) {
  for (Index j = 0; j < x.cols; ++j) {
    const auto there = static_cast<double>(x(i, j));
    if (there < 0) throw_bad_distance(i, j, there, negative());
    if (std::isinf(there)) throw_bad_distance(i, j, there, {kInfinite});
    worst.compare(i, j, there, static_cast<double>(x(j, i)));
  }
  if (x(i, i) < 0 || x(i, i) > 0) throw_bad_distance(i, i, static_cast<double>(x(i, i)), not_from_itself());
}

/// Two rows in double, as the caller's function takes them.
class DoubleRows {
 public:
  explicit DoubleRows(PointsView points) : points_(points), rows_(2, std::vector<double>(size())) {}

  std::span<const double> row(Index i, std::size_t slot) {
    points_.visit([&](auto x) { std::copy_n(x.row(i), x.cols, rows_[slot].begin()); });
    return rows_[slot];
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(points_.cols()); }
  PointsView points_;
  std::vector<std::vector<double>> rows_;
};

double checked_call(const DistanceFunction& distance, std::span<const double> x, std::span<const double> y, Index i,
                    Index j) {
  const double value = distance(x, y);
  if (!std::isfinite(value)) throw_bad_distance(i, j, value, {"by the function given: it must be a finite number"});
  if (value < 0) throw_bad_distance(i, j, value, {kNegative});
  return value;
}

}  // namespace

void throw_negative_distance(Index row, Index column, double distance) {
  throw Error(ErrorKind::InvalidData, Error::Parts{.problem = fmt::format("has the distance {} in column {}, {}",
                                                                          distance, column + 1, kNegative),
                                                   .row = row});
}

void check_distances(PointsView distances, const Run& run) {
  check_square_distances(distances.rows(), distances.cols());
  check_points(distances, 2, run);
  check_known_distances(distances, run);
}

void check_known_distances(PointsView distances, const Run& run) {
  check_square_distances(distances.rows(), distances.cols());
  const Asymmetry worst = distances.visit([&](auto x) {
    return parallel_reduce(
        run, x.rows, kMatrixRows, Asymmetry{},
        [&](Index begin, Index end) {
          Asymmetry own;
          for (Index i = begin; i < end; ++i) check_row(x, i, own);
          return own;
        },
        [](const Asymmetry& before, const Asymmetry& next) { return before.or_later(next); });
  });
  require_symmetry(worst, distances.is_float());
}

void check_distances(const SparseMatrix& distances) {
  check_square_distances(distances.rows, distances.cols);
  check_count(distances.rows, 2);
  check_structure(distances);
  Asymmetry worst;
  for (Index i = 0; i < distances.rows; ++i)
    for (Index e = distances.offsets[static_cast<std::size_t>(i)];
         e < distances.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const double value = distances.values[static_cast<std::size_t>(e)];
      const Index j = distances.columns[static_cast<std::size_t>(e)];
      if (!std::isfinite(value)) throw_bad_distance(i, j, value, {kInfinite});
      if (value < 0) throw_bad_distance(i, j, value, negative());
      if (i == j && value != 0) throw_bad_distance(i, i, value, not_from_itself());
      if (const double* back = find_entry(distances, j, i)) worst.compare(i, j, value, *back);
    }
  require_symmetry(worst, false);
}

Array2<double> symmetric_distances(PointsView distances, const Run& run) {
  Array2<double> mean = Array2<double>::uninitialized(distances.rows(), distances.cols());
  distances.visit([&](auto x) {
    parallel_for(run, x.rows, kMatrixRows, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        for (Index j = 0; j < x.cols; ++j) mean(i, j) = given_distance(x, i, j);
    });
  });
  return mean;
}

void search_dense(PointsView distances, SearchLimits limits, NeighborGraphBuilder& out, const Run& run) {
  distances.visit([&](auto x) {
    parallel_for(
        run, x.rows, kMatrixRows,
        [&](Index begin, Index end) {
          NearestList nearest(limits);
          for (Index i = begin; i < end; ++i) {
            nearest.clear();
            for (Index j = 0; j < x.cols; ++j) {
              const auto there = static_cast<double>(x(i, j));
              if (i == j || !(there * 0.99 <= nearest.limit())) continue;  // reading (j, i) costs a cache miss
              nearest.add(given_distance(x, i, j), j);
            }
            out.set(i, nearest.sorted());
          }
        },
        "searching");
  });
}

void search_sparse(const SparseMatrix& distances, SearchLimits limits, NeighborGraphBuilder& out) {
  NearestList nearest(limits);
  for (Index i = 0; i < distances.rows; ++i) {
    nearest.clear();
    Index available = 0;
    for (Index e = distances.offsets[static_cast<std::size_t>(i)];
         e < distances.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const Index j = distances.columns[static_cast<std::size_t>(e)];
      if (i == j) continue;
      ++available;
      nearest.add(distances.values[static_cast<std::size_t>(e)], j);
    }
    if (std::isinf(limits.radius) && limits.count != SearchLimits::kAll && available < limits.count)
      throw Error(ErrorKind::InvalidData,
                  fmt::format("{} neighbors per samples are required, but some samples have only {} (point {})",
                              limits.count, available, i + 1),
                  "use a smaller n_neighbors or more distances");
    out.set(i, nearest.sorted());
  }
}

void search_by_function(PointsView points, const DistanceFunction& distance, SearchLimits limits,
                        NeighborGraphBuilder& out, const Run& run) {
  parallel_for(
      run, points.rows(), kMatrixRows,
      [&](Index begin, Index end) {
        DoubleRows rows(points);
        NearestList nearest(limits);
        for (Index i = begin; i < end; ++i) {
          nearest.clear();
          const auto own = rows.row(i, 0);
          for (Index j = 0; j < points.rows(); ++j)
            if (i != j) nearest.add(checked_call(distance, own, rows.row(j, 1), i, j), j);
          for (const Candidate& candidate : nearest.sorted()) {
            const double back = checked_call(distance, rows.row(candidate.index, 1), own, candidate.index, i);
            Asymmetry pair;
            pair.compare(i, candidate.index, candidate.distance, back);
            if (!pair.is_rounding(false))
              throw_bad_distance(i, candidate.index, candidate.distance,
                                 {fmt::format("but {} the other way: the function must be symmetric", back)});
          }
          out.set(i, nearest.sorted());
        }
      },
      "searching");
}

}  // namespace unroll
