#include "layout/unfolding_curvature.h"

#include <algorithm>
#include <utility>

#include "core/at.h"

namespace unroll {
namespace {

constexpr double kShift = 2;

std::vector<double> diagonal_of(const SparseMatrix& matrix) {
  std::vector<double> diagonal(at(matrix.rows));
  for (Index i = 0; i < matrix.rows; ++i)
    for (Index p = matrix.offsets[at(i)]; p < matrix.offsets[at(i) + 1]; ++p)
      if (matrix.columns[at(p)] == i) diagonal[at(i)] = matrix.values[at(p)];
  return diagonal;
}

Array2<double> some_columns(const Array2<double>& a, Index first, Index last) {
  Array2<double> part = Array2<double>::uninitialized(a.rows(), last - first);
  for (Index i = 0; i < a.rows(); ++i) std::copy(a.row(i) + first, a.row(i) + last, part.row(i));
  return part;
}

/// 2 lambda, or of it what is positive.
std::vector<double> doubled(const std::vector<double>& lambda, bool only_positive) {
  std::vector<double> weights = lambda;
  for (double& weight : weights) weight = 2 * (only_positive ? std::max(weight, 0.0) : weight);
  return weights;
}

}  // namespace

/// Unless its factor takes more operations than that, or there is none.
UnfoldingCurvature::Added UnfoldingCurvature::add_block(Block block, double most_flops, const Run& run) {
  blocks_.push_back(std::make_unique<Block>(std::move(block)));
  Block& own = *blocks_.back();
  own.factor = std::make_unique<SparseCholesky>(own.matrix, 1, run);
  const bool is_cheap = own.factor->flops() <= most_flops;
  if (is_cheap && own.factor->factorize(kShift, run)) return Added::Yes;
  blocks_.pop_back();
  return is_cheap ? Added::Indefinite : Added::TooCostly;
}

UnfoldingCurvature::UnfoldingCurvature(const DistanceConstraints& constraints, const Array2<double>& y,
                                       const std::vector<double>& lambda, double stiffness, const Effort& effort,
                                       const Run& run)
    : constraints_(constraints) {
  constexpr double kFewEntries = 6e5, kMostEntries = 2e6;
  const auto dims = static_cast<double>(y.cols());
  is_coupled_ = static_cast<double>(2 * constraints.size() + constraints.points()) * dims * dims <=
                (effort.is_small_effort ? kFewEntries : kMostEntries);
  // Multipliers that are far from the solution may make it indefinite: then only the positive ones count.
  for (const bool only_positive : {false, true}) {
    if (!is_coupled_) break;
    const std::vector<double> weights = doubled(lambda, only_positive);
    const Added added =
        add_block({0, y.cols(), constraints.coupled_laplacian(weights, 4 * stiffness, y)}, effort.coupled_flops, run);
    if (added == Added::Yes) return;
    is_coupled_ = added == Added::Indefinite;
  }
  is_coupled_ = false;
  for (Index first = 0; first < y.cols();) {
    const Index last = first < effort.alone ? first + 1 : y.cols();
    add_columns(first, last, y, lambda, stiffness, effort.flops, run);
    first = last;
  }
}

void UnfoldingCurvature::add_columns(Index first, Index last, const Array2<double>& y,
                                     const std::vector<double>& lambda, double stiffness, double most_flops,
                                     const Run& run) {
  const Array2<double> part = some_columns(y, first, last);
  DistanceConstraints::Line line;
  constraints_.along(part, part, line, run);
  const auto matrix = [&](bool only_positive) {
    std::vector<double> weights = doubled(lambda, only_positive);
    for (std::size_t e = 0; e < weights.size(); ++e)
      weights[e] += 4 * stiffness * line.quadratic[e] / static_cast<double>(last - first);
    return constraints_.laplacian(weights);
  };
  Added added = add_block({first, last, matrix(false)}, most_flops, run);
  if (added == Added::Indefinite) added = add_block({first, last, matrix(true)}, most_flops, run);
  if (added == Added::Yes) return;
  blocks_.push_back(std::make_unique<Block>(Block{first, last}));
  blocks_.back()->diagonal = diagonal_of(matrix(true));
  for (double& value : blocks_.back()->diagonal) value += kShift;
}

void UnfoldingCurvature::divide(Array2<double>& gradient, const Run& run) const {
  if (is_coupled_) {
    Array2<double> right(gradient.size(), 1), solution(gradient.size(), 1);
    std::copy_n(gradient.data(), gradient.size(), right.data());
    blocks_.front()->factor->solve(right, solution, run);
    std::copy_n(solution.data(), gradient.size(), gradient.data());
    return;
  }
  for (const std::unique_ptr<Block>& block : blocks_) {
    if (block->factor) {
      const Array2<double> part = some_columns(gradient, block->first, block->last);
      Array2<double> solution = Array2<double>::uninitialized(part.rows(), part.cols());
      block->factor->solve(part, solution, run);
      for (Index i = 0; i < part.rows(); ++i) std::copy_n(solution.row(i), part.cols(), gradient.row(i) + block->first);
      continue;
    }
    for (Index i = 0; i < gradient.rows(); ++i)
      for (Index d = block->first; d < block->last; ++d) gradient(i, d) /= block->diagonal[at(i)];
  }
  constraints_.center(gradient);  // division by a diagonal leaves a mean, and the trace is that of centred rows
}

}  // namespace unroll
