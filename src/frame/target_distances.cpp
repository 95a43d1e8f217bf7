// The distances of an input as maps of stress want them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "affinity/sparse_join.h"
#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "data/column_statistics.h"
#include "frame/pair_weights.h"
#include "frame/stress_map.h"
#include "neighbors/entry_rule.h"
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
  /// Of the first point. By the triangle inequality no other distance is more than twice as large; cosine and
  /// correlation, which do not keep it, are at most 2 anyway.
  double largest_of_first() const {
    double largest = 0;
    for (Index j = 1; j < rows_.rows(); ++j) largest = std::max(largest, distance_(0, j));
    return largest;
  }

 private:
  MetricRows rows_;
  RowDistance distance_;
};

constexpr Index kRowsAtOnce = 16;

/// The symmetric matrix, without a diagonal, of the pairs for which `is_known(i, j)`. Rows are counted, then filled.
template <class IsKnown, class Value>
SparseMatrix known_pairs(Index n, const Run& run, IsKnown&& is_known, Value&& value) {
  SparseMatrix result{.rows = n, .cols = n, .offsets = std::vector<Index>(at(n) + 1)};
  parallel_for(run, n, kRowsAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < n; ++j) result.offsets[at(i) + 1] += i != j && is_known(i, j) ? 1 : 0;
  });
  for (std::size_t i = 0; i < at(n); ++i) result.offsets[i + 1] += result.offsets[i];
  resize_large(result.columns, at(result.offsets.back()), run);
  resize_large(result.values, at(result.offsets.back()), run);
  parallel_for(
      run, n, kRowsAtOnce,
      [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          Index e = result.offsets[at(i)];
          for (Index j = 0; j < n; ++j) {
            if (i == j || !is_known(i, j)) continue;
            result.columns[at(e)] = j;
            result.values[at(e++)] = value(i, j);
          }
        }
      },
      "distances");
  return result;
}

/// The entries of both, without a diagonal; of two that differ by rounding, the mean.
SparseMatrix with_mirror_images(const SparseMatrix& matrix, const Run& run) {
  const SparseMatrix mirrored = transposed(matrix, run);
  const auto merge = [&](Index i, auto&& visit) {
    for_each_place(matrix, mirrored, i, [&](Index j, const double* there, const double* back) {
      if (i != j) visit(j, there == nullptr ? *back : back == nullptr ? *there : *there / 2 + *back / 2);
    });
  };
  SparseMatrix result{.rows = matrix.rows, .cols = matrix.cols, .offsets = std::vector<Index>(at(matrix.rows) + 1)};
  parallel_for(run, matrix.rows, kRowsAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) merge(i, [&](Index, double) { ++result.offsets[at(i) + 1]; });
  });
  for (std::size_t i = 0; i < at(matrix.rows); ++i) result.offsets[i + 1] += result.offsets[i];
  result.columns.resize(at(result.offsets.back()));
  result.values.resize(at(result.offsets.back()));
  parallel_for(run, matrix.rows, kRowsAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Index e = result.offsets[at(i)];
      merge(i, [&](Index j, double value) { result.columns[at(e)] = j, result.values[at(e++)] = value; });
    }
  });
  return result;
}

bool has_missing(PointsView full, const Run& run) {
  const auto is_missing = [](auto value) { return std::isnan(value); };
  return full.visit([&](auto x) {
    return parallel_reduce(
               run, x.rows, kRowsAtOnce, 0,
               [&](Index begin, Index end) {
                 int missing = 0;
                 for (Index i = begin; i < end; ++i) missing |= std::any_of(x.row(i), x.row(i) + x.cols, is_missing);
                 return missing;
               },
               [](int a, int b) { return a | b; }) != 0;
  });
}

/// Times the power of two that makes the largest about 1, which is returned.
double scale_to_one(std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, value);
  const double scale = power_of_two_scale(largest);
  for (double& value : values) value *= scale;
  return scale;
}

/// Some of the distances, with weights if there are any: none of those is 0.
TargetDistances some_distances(SparseMatrix known, const std::optional<PointsView>& weights, const Run& run) {
  TargetDistances targets{.known = std::move(known)};
  if (weights) {
    targets.weights.resize(targets.known.values.size());
    parallel_for(run, targets.known.rows, kRowsAtOnce, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        for (Index e = targets.known.offsets[at(i)]; e < targets.known.offsets[at(i) + 1]; ++e)
          targets.weights[at(e)] = pair_weight(*weights, i, targets.known.columns[at(e)]);
    });
    targets.weight_unit = scale_to_one(targets.weights);
  }
  targets.unit = scale_to_one(targets.known.values);
  return targets;
}

/// Those of a full matrix that are not NaN and weigh more than 0.
TargetDistances some_given(PointsView full, const std::optional<PointsView>& weights, const Run& run) {
  return full.visit([&](auto x) {
    const auto is_known = [&](Index i, Index j) {
      return !(std::isnan(x(i, j)) && std::isnan(x(j, i))) && (!weights || pair_weight(*weights, i, j) > 0);
    };
    const auto value = [&](Index i, Index j) {
      if (std::isnan(x(i, j))) return static_cast<double>(x(j, i));
      return std::isnan(x(j, i)) ? static_cast<double>(x(i, j)) : given_distance(x, i, j);
    };
    return some_distances(known_pairs(x.rows, run, is_known, value), weights, run);
  });
}

/// Those of a sparse matrix that weigh more than 0.
TargetDistances some_of_sparse(const SparseMatrix& matrix, const std::optional<PointsView>& weights, const Run& run) {
  SparseMatrix known = with_mirror_images(matrix, run);
  if (!weights) return some_distances(std::move(known), weights, run);
  Index kept = 0;
  for (Index i = 0, e = 0; i < known.rows; ++i) {
    for (; e < known.offsets[at(i) + 1]; ++e) {
      if (pair_weight(*weights, i, known.columns[at(e)]) == 0) continue;
      known.columns[at(kept)] = known.columns[at(e)];
      known.values[at(kept++)] = known.values[at(e)];
    }
    known.offsets[at(i) + 1] = kept;
  }
  known.columns.resize(at(kept));
  known.values.resize(at(kept));
  return some_distances(std::move(known), weights, run);
}

TargetDistances all_given(PointsView full, const Run& run) {
  check_distances(full, run);
  TargetDistances targets;
  full.visit([&](auto x) {
    const double largest = parallel_reduce(
        run, x.rows, kRowsAtOnce, 0.0,
        [&](Index begin, Index end) {
          double own = 0;
          for (Index i = begin; i < end; ++i)
            own = std::max(own, static_cast<double>(*std::max_element(x.row(i), x.row(i) + x.cols)));
          return own;
        },
        [](double a, double b) { return std::max(a, b); });
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

/// Those between points that weigh more than 0.
TargetDistances some_of_points(const TargetDistances& all, Index n, PointsView weights, const Run& run) {
  const auto value = [&](Index i, Index j) {
    const double distance = all.distance(i, j) / all.unit;
    if (std::isfinite(distance)) return distance;
    throw Error(ErrorKind::InvalidData, "distances overflow (above 1.8e308)", "rescale the data, e.g. divide by 1024");
  };
  const auto is_known = [&](Index i, Index j) { return pair_weight(weights, i, j) > 0; };
  return some_distances(known_pairs(n, run, is_known, value), weights, run);
}

/// All of them as a full matrix, if a sparse one lacks none.
TargetDistances all_of_sparse(TargetDistances some, const Run& run) {
  TargetDistances targets{.unit = some.unit};
  const SparseMatrix& known = some.known;
  targets.own = std::make_shared<Array2<double>>(known.rows, known.rows);
  parallel_for(run, known.rows, kRowsAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index e = known.offsets[at(i)]; e < known.offsets[at(i) + 1]; ++e)
        (*targets.own)(i, known.columns[at(e)]) = known.values[at(e)] / some.unit;
  });
  targets.distance = [own = targets.own, unit = targets.unit](Index i, Index j) { return unit * (*own)(i, j); };
  return targets;
}

/// What is about to be allocated. `all`: the distances of all pairs are wanted, and none is sparse.
void plan_stress(const Input& input, bool all, const StressSettings& settings, double more_bytes, const Run& run) {
  constexpr double kArrays = 24;  // the map, its gradient, those of the last steps, copies for new points
  constexpr double kEntry = sizeof(Index) + sizeof(double), kWeight = sizeof(double);
  const Index n = input.size();
  const bool has_points = input.kind() == InputKind::Points;
  const auto count = static_cast<double>(n), padded = static_cast<double>(stress_blocks(n) * simd::kStressBlock);
  MemoryPlan plan;
  if (all) {
    const KeptAs kept = kept_as(n, has_points);
    const std::size_t entry = kept == KeptAs::Double ? sizeof(double) : kept == KeptAs::Single ? sizeof(float) : 0;
    plan.add("the distances", padded, padded / 2 + simd::kStressBlock / 2.0,
             more_bytes > 0 ? more_bytes : static_cast<double>(entry));
  } else if (input.kind() == InputKind::SparseDistances) {
    // Its mirror image, both together, and all as a full matrix if none is missing.
    const auto entries = static_cast<double>(input.sparse().values.size());
    plan.add("the distances", std::min(2 * entries, count * count), 1, 2 * kEntry + kWeight);
  } else {
    plan.add("the distances", count, count, kEntry + kWeight + sizeof(double));  // once more for the start
  }
  plan.add("the map", count, kArrays * static_cast<double>(settings.n_components), sizeof(double));
  const bool can_choose = has_points && n > 1000;
  plan.require(run, !can_choose          ? "use fewer points"
                    : input.pair_weights ? "use fewer points, or n_landmarks=1000 without the weights"
                                         : "use n_landmarks=1000, or fewer points");
}

}  // namespace

bool are_copies(const TargetDistances& targets, Index i, Index j) {
  if (targets.distance) return !(targets.distance(i, j) > 0);
  const std::optional<double> known = known_distance(targets.known, i, j);
  return known && *known == 0;
}

TargetDistances target_distances(const Input& input, const StressSettings& settings, double more_bytes,
                                 const Run& run) {
  const Index n = input.size();
  const bool is_full = input.kind() == InputKind::Distances;
  const bool all = !input.pair_weights && (input.has_points() || (is_full && !has_missing(input.full(), run)));
  plan_stress(input, all, settings, more_bytes, run);
  if (input.pair_weights) check_pair_weights(*input.pair_weights, n, run);
  if (input.kind() == InputKind::Points) {
    TargetDistances targets = of_points(input.full(), settings.metric, settings.p, run);
    return input.pair_weights ? some_of_points(targets, n, *input.pair_weights, run) : targets;
  }
  if (is_full) {
    if (all) return all_given(input.full(), run);
    check_known_distances(input.full(), run);
    return some_given(input.full(), input.pair_weights, run);
  }
  check_distances(input.sparse());
  TargetDistances targets = some_of_sparse(input.sparse(), input.pair_weights, run);
  const bool is_whole = !input.pair_weights && std::ssize(targets.known.values) == n * (n - 1);
  return is_whole ? all_of_sparse(std::move(targets), run) : targets;
}

}  // namespace unroll
