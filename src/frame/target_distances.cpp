// The distances of an input as maps of stress want them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/at.h"
#include "data/column_statistics.h"
#include "data/validate.h"
#include "frame/stress_map.h"
#include "neighbors/asymmetry.h"
#include "neighbors/given_distances.h"
#include "neighbors/row_distance.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// Distances between points, computed whenever they are asked for.
class PointPairs {
 public:
  PointPairs(PointsView points, Metric metric, double p, const Run& run)
      : rows_(metric_rows(points, metric, metric_scale(points, run), run)), distance_(rows_, rows_, metric, p) {}
  PointPairs(const PointPairs&) = delete;
  PointPairs& operator=(const PointPairs&) = delete;

  double operator()(Index i, Index j) const { return distance_(i, j); }
  /// Of the first point: no other distance is much larger.
  double largest_of_first() const {
    double largest = 0;
    for (Index j = 1; j < rows_.rows(); ++j) largest = std::max(largest, distance_(0, j));
    return largest;
  }

 private:
  MetricRows rows_;
  RowDistance distance_;
};

/// An entry of a matrix that need not be there.
struct KnownEntry {
  Index row, col;
  double value;
};

/// A symmetric matrix of entries that may lack their mirror images; of two that differ by rounding, the mean.
SparseMatrix symmetric_matrix(Index n, std::vector<KnownEntry> entries) {
  const std::size_t count = entries.size();
  for (std::size_t e = 0; e < count; ++e) entries.push_back({entries[e].col, entries[e].row, entries[e].value});
  std::sort(entries.begin(), entries.end(), [](const KnownEntry& a, const KnownEntry& b) {
    return std::tie(a.row, a.col, a.value) < std::tie(b.row, b.col, b.value);
  });
  SparseMatrix result{.rows = n, .cols = n, .offsets = std::vector<Index>(at(n) + 1)};
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const bool has_image =
        e + 1 < entries.size() && entries[e].row == entries[e + 1].row && entries[e].col == entries[e + 1].col;
    result.columns.push_back(entries[e].col);
    result.values.push_back(has_image ? entries[e].value / 2 + entries[e + 1].value / 2 : entries[e].value);
    ++result.offsets[at(entries[e].row) + 1];
    if (has_image) ++e;
  }
  for (std::size_t i = 0; i < at(n); ++i) result.offsets[i + 1] += result.offsets[i];
  return result;
}

std::vector<KnownEntry> entries_between(const SparseMatrix& matrix) {
  std::vector<KnownEntry> entries;
  for (Index i = 0; i < matrix.rows; ++i)
    for (Index e = matrix.offsets[at(i)]; e < matrix.offsets[at(i) + 1]; ++e)
      if (matrix.columns[at(e)] != i) entries.push_back({i, matrix.columns[at(e)], matrix.values[at(e)]});
  return entries;
}

/// The entries of a full matrix that are not NaN.
SparseMatrix known_entries(PointsView full) {
  SparseMatrix result{.rows = full.rows(), .cols = full.cols()};
  full.visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i) {
      for (Index j = 0; j < x.cols; ++j)
        if (const auto value = static_cast<double>(x(i, j)); !std::isnan(value)) {
          result.columns.push_back(j);
          result.values.push_back(value);
        }
      result.offsets.push_back(std::ssize(result.columns));
    }
  });
  return result;
}

bool has_missing(PointsView full) {
  return full.visit([](auto x) {
    for (Index i = 0; i < x.rows; ++i)
      if (std::any_of(x.row(i), x.row(i) + x.cols, [](auto value) { return std::isnan(value); })) return true;
    return false;
  });
}

void check_pair_weights(PointsView weights, Index n, const Run& run) {
  if (weights.rows() != n || weights.cols() != n)
    throw Error(ErrorKind::InvalidData,
                fmt::format("the weights of pairs have {} rows and {} columns, but there are {} points", weights.rows(),
                            weights.cols(), n),
                "give one row and one column per point");
  check_points(weights, 1, run, "weights");
  Asymmetry worst;
  weights.visit([&](auto w) {
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        if (w(i, j) < 0)
          throw Error(ErrorKind::InvalidData, fmt::format("the weight of points {} and {} is {}, below 0", i + 1, j + 1,
                                                          static_cast<double>(w(i, j))));
        worst.compare(i, j, static_cast<double>(w(i, j)), static_cast<double>(w(j, i)));
      }
  });
  if (!worst.is_rounding(weights.is_float()))
    throw Error(ErrorKind::InvalidData,
                fmt::format("the weight of points {} and {} is {}, but {} the other way: the array must be symmetric",
                            worst.row + 1, worst.col + 1, worst.there, worst.back));
}

/// Keeps the pairs that weigh more than 0, and their weights relative to the largest.
void take_weights(PointsView weights, TargetDistances& targets) {
  SparseMatrix kept{.rows = targets.known.rows, .cols = targets.known.cols};
  double largest = 0;
  weights.visit([&](auto w) {
    for (Index i = 0; i < kept.rows; ++i) {
      for (Index e = targets.known.offsets[at(i)]; e < targets.known.offsets[at(i) + 1]; ++e) {
        const Index j = targets.known.columns[at(e)];
        const double weight = given_distance(w, i, j);
        if (weight == 0) continue;
        kept.columns.push_back(j);
        kept.values.push_back(targets.known.values[at(e)]);
        targets.weights.push_back(weight);
        largest = std::max(largest, weight);
      }
      kept.offsets.push_back(std::ssize(kept.columns));
    }
  });
  for (double& weight : targets.weights) weight *= power_of_two_scale(largest);
  targets.known = std::move(kept);
}

/// Some of the distances, as the matrix says, with weights if there are any.
TargetDistances some_distances(const SparseMatrix& matrix, const std::optional<PointsView>& weights) {
  TargetDistances targets{.known = symmetric_matrix(matrix.rows, entries_between(matrix))};
  if (weights) {
    take_weights(*weights, targets);
  } else {
    targets.weights.assign(targets.known.values.size(), 1);
  }
  double largest = 0;
  for (const double value : targets.known.values) largest = std::max(largest, value);
  targets.unit = power_of_two_scale(largest);
  for (double& value : targets.known.values) value *= targets.unit;
  return targets;
}

TargetDistances all_given(PointsView full, const Run& run) {
  check_distances(full, run);
  TargetDistances targets;
  full.visit([&](auto x) {
    double largest = 0;
    for (Index i = 0; i < x.rows; ++i)
      for (Index j = 0; j < x.cols; ++j) largest = std::max(largest, static_cast<double>(x(i, j)));
    targets.unit = power_of_two_scale(largest);
    targets.distance = [x, unit = targets.unit](Index i, Index j) { return unit * given_distance(x, i, j); };
  });
  return targets;
}

TargetDistances of_points(PointsView points, Metric metric, double p, const Run& run) {
  const auto pairs = std::make_shared<const PointPairs>(points, metric, p, run);
  const double unit = power_of_two_scale(std::min(pairs->largest_of_first(), std::numeric_limits<double>::max()));
  return {
      .unit = unit, .distance = [pairs, unit](Index i, Index j) { return unit * (*pairs)(i, j); }, .has_points = true};
}

/// All distances between points as a matrix of them, for weights that leave out some.
SparseMatrix all_entries_of(const TargetDistances& targets, Index n) {
  SparseMatrix result{.rows = n, .cols = n};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j)
      if (i != j) {
        result.columns.push_back(j);
        result.values.push_back(targets.distance(i, j) / targets.unit);
      }
    result.offsets.push_back(std::ssize(result.columns));
  }
  return result;
}

}  // namespace

TargetDistances target_distances(const Input& input, Metric metric, double p, const Run& run) {
  const Index n = input.size();
  if (input.pair_weights) check_pair_weights(*input.pair_weights, n, run);
  if (input.kind() == InputKind::Points) {
    TargetDistances targets = of_points(input.full(), metric, p, run);
    return input.pair_weights ? some_distances(all_entries_of(targets, n), input.pair_weights) : targets;
  }
  if (input.kind() == InputKind::Distances) {
    const bool is_whole = !input.pair_weights && !has_missing(input.full());
    if (is_whole) return all_given(input.full(), run);
    const SparseMatrix known = known_entries(input.full());
    check_distances(known);
    return some_distances(known, input.pair_weights);
  }
  check_distances(input.sparse());
  TargetDistances targets = some_distances(input.sparse(), input.pair_weights);
  if (input.pair_weights || std::ssize(targets.known.values) != n * (n - 1)) return targets;
  targets.own = std::make_shared<Array2<double>>(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index e = targets.known.offsets[at(i)]; e < targets.known.offsets[at(i) + 1]; ++e)
      (*targets.own)(i, targets.known.columns[at(e)]) = targets.known.values[at(e)] / targets.unit;
  targets.distance = [own = targets.own, unit = targets.unit](Index i, Index j) { return unit * (*own)(i, j); };
  targets.known = {};
  return targets;
}

}  // namespace unroll
