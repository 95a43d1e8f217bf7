#include "sources/graph_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "eigen/operators.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kRows = 1024;

/// The point of each row of the matrix, and the row of each point.
class RowOrder {
 public:
  explicit RowOrder(const std::vector<Index>& points) : points_(points), rows_(points.size()) {
    for (std::size_t k = 0; k < points.size(); ++k) rows_[at(points[k])] = static_cast<Index>(k);
  }
  Index point(Index row) const { return points_.empty() ? row : points_[at(row)]; }
  Index row(Index point) const { return points_.empty() ? point : rows_[at(point)]; }

  /// Values of the points in the order of the rows.
  std::vector<double> by_row(std::vector<double> of_points) const {
    if (points_.empty() || of_points.empty()) return of_points;
    std::vector<double> result(of_points.size());
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = of_points[at(points_[k])];
    return result;
  }

 private:
  const std::vector<Index>& points_;  // empty: row k belongs to point k
  std::vector<Index> rows_;
};

/// Prefetches a row of W: it may be anywhere in memory.
void fetch_row(const SparseMatrix& w, Index i) {
  constexpr Index kPerCacheLine = 8;
  for (Index e = w.offsets[at(i)]; e < w.offsets[at(i + 1)]; e += kPerCacheLine) {
    __builtin_prefetch(w.columns.data() + e);
    __builtin_prefetch(w.values.data() + e);
  }
}

/// The combination as a sparse matrix, which can be factorised. Symmetric to the last bit: s_i s_j is rounded first.
SparseMatrix combined(const SparseMatrix& w, const Combination& of_points, const RowOrder& order, const Run& run) {
  constexpr Index kAhead = 8;
  const Index n = w.rows;
  const Combination c{order.by_row(of_points.diagonal), order.by_row(of_points.s), of_points.sign};
  SparseMatrix a{.rows = n, .cols = n};
  a.offsets.resize(w.offsets.size());
  std::vector<char> has_diagonal(at(n));  // of a point, in W
  parallel_for(run, n, kRows, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const auto begin = w.columns.begin() + w.offsets[at(i)], end = w.columns.begin() + w.offsets[at(i + 1)];
      has_diagonal[at(i)] = std::binary_search(begin, end, i) ? 1 : 0;
      a.offsets[at(order.row(i)) + 1] = (end - begin) + (has_diagonal[at(i)] != 0 ? 0 : 1);
    }
  });
  std::partial_sum(a.offsets.begin(), a.offsets.end(), a.offsets.begin());
  resize_large(a.columns, at(a.offsets.back()), run);
  resize_large(a.values, at(a.offsets.back()), run);
  parallel_for(run, n, kRows, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      if (k + kAhead < end) fetch_row(w, order.point(k + kAhead));
      const Index i = order.point(k);
      std::size_t out = at(a.offsets[at(k)]);
      bool pending = has_diagonal[at(i)] == 0;
      const auto put = [&](Index l, double value) {
        a.columns[out] = l;
        a.values[out++] = value;
      };
      for (auto e = at(w.offsets[at(i)]); e < at(w.offsets[at(i + 1)]); ++e) {
        const Index j = w.columns[e], l = order.row(j);
        if (pending && j > i) {
          put(k, c.diagonal[at(k)]);
          pending = false;
        }
        put(l, c.sign * (c.factor(k) * c.factor(l)) * w.values[e] + (k == l ? c.diagonal[at(k)] : 0));
      }
      if (pending) put(k, c.diagonal[at(k)]);
    }
  });
  return a;
}

/// The combination of a full W, by products.
class CombinedOperator : public SymmetricOperator {
 public:
  CombinedOperator(Similarities w, Combination c) : w_(w), c_(std::move(c)) {}
  Index size() const override { return w_.size(); }
  void apply(const Array2<double>& x, Array2<double>& y, const Run& run) const override {
    Array2<double> scaled = x;
    for (Index i = 0; i < x.rows(); ++i)
      for (Index k = 0; k < x.cols(); ++k) scaled(i, k) *= c_.factor(i);
    multiply(w_, scaled, y, run);
    for (Index i = 0; i < x.rows(); ++i)
      for (Index k = 0; k < x.cols(); ++k) y(i, k) = c_.diagonal[at(i)] * x(i, k) + c_.sign * c_.factor(i) * y(i, k);
  }
  double cost() const override { return product_cost(w_); }

 private:
  Similarities w_;
  Combination c_;
};

/// `weights` scaled to length one on every component.
std::vector<double> trivial_vector(const Components& components, std::vector<double> weights) {
  std::vector<double> squares(at(components.count()));
  for (std::size_t i = 0; i < weights.size(); ++i) squares[at(components.labels[i])] += weights[i] * weights[i];
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double square = squares[at(components.labels[i])];
    weights[i] = square > 0 ? weights[i] / std::sqrt(square) : 1;  // a single point
  }
  return weights;
}

}  // namespace

Combination combination(OperatorRule rule, const std::vector<double>& degrees) {
  const auto n = degrees.size();
  std::vector<double> s(n), one(n);
  for (std::size_t i = 0; i < n; ++i) {
    s[i] = degrees[i] > 0 ? 1 / std::sqrt(degrees[i]) : 0;
    one[i] = degrees[i] > 0 ? 1 : 0;
  }
  switch (rule) {
    case OperatorRule::Laplacian: return {degrees, {}, -1};
    case OperatorRule::RandomWalkLaplacian:
    case OperatorRule::SymmetricLaplacian: return {std::move(one), std::move(s), -1};
    case OperatorRule::Markov:
      for (double& v : one) v = 1 - v;
      return {std::move(one), std::move(s), 1};
    default: throw Error(ErrorKind::Internal, fmt::format("'{}' is not of a graph", name_of(rule)));
  }
}

GraphOperator graph_operator(OperatorRule rule, const Affinity& affinity, const Run& run, std::vector<Index> order) {
  GraphOperator result{.degrees = degrees(affinity, run), .trivial_value = rule == OperatorRule::Markov ? 1.0 : 0.0};
  // Lower bounds of |A|: the largest diagonal entry of D - W; the mean eigenvalue of a normalised Laplacian; the
  // trivial eigenvalue 1 of D^-1 W.
  result.norm = rule != OperatorRule::Laplacian ? 1 : *std::max_element(result.degrees.begin(), result.degrees.end());
  const bool is_markov = rule == OperatorRule::Markov, is_plain = rule == OperatorRule::Laplacian;
  result.lowest = is_markov ? -1.0 : 0.0;
  if (!is_plain) result.highest = is_markov ? 1.0 : 2.0;
  Combination c = combination(rule, result.degrees);
  std::vector<double> root(result.degrees.size(), 1);
  if (rule != OperatorRule::Laplacian)
    std::transform(result.degrees.begin(), result.degrees.end(), root.begin(), [](double d) { return std::sqrt(d); });
  result.trivial = trivial_vector(affinity.components, std::move(root));
  if (rule == OperatorRule::RandomWalkLaplacian || rule == OperatorRule::Markov) {
    result.back = c.s;
    for (double& v : result.back)
      if (v == 0) v = 1;
  }
  if (const auto* sparse = std::get_if<SparseMatrix>(&affinity.w)) {
    result.a = std::make_unique<SparseOperator>(combined(*sparse, c, RowOrder(order), run));
    result.order = std::move(order);
  } else {
    result.a = std::make_unique<CombinedOperator>(affinity.view(), std::move(c));
  }
  return result;
}

std::vector<double> density_of(const Affinity& affinity, double alpha, const Run& run) {
  std::vector<double> density = degrees(affinity, run);
  for (double& q : density) q = q > 0 ? std::pow(q, alpha) : 1;
  return density;
}

void divide_by_density(Affinity& affinity, const std::vector<double>& density, const Run& run) {
  if (auto* sparse = std::get_if<SparseMatrix>(&affinity.w)) {
    parallel_for(run, sparse->rows, kRows, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        for (auto e = at(sparse->offsets[at(i)]); e < at(sparse->offsets[at(i + 1)]); ++e)
          sparse->values[e] /= density[at(i)] * density[at(sparse->columns[e])];
    });
    return;
  }
  auto& full = std::get<Array2<double>>(affinity.w);
  parallel_for(run, full.rows(), 16, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < full.cols(); ++j) full(i, j) /= density[at(i)] * density[at(j)];
  });
}

}  // namespace unroll
