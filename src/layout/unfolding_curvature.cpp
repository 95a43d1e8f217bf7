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

/// False if there is no factor of at most so many operations.
bool UnfoldingCurvature::add_block(Block block, double most_flops, const Run& run) {
  blocks_.push_back(std::make_unique<Block>(std::move(block)));
  Block& own = *blocks_.back();
  own.factor = std::make_unique<SparseCholesky>(own.matrix, 1, run);
  if (own.factor->flops() <= most_flops && own.factor->factorize(kShift, run)) return true;
  blocks_.pop_back();
  return false;
}

UnfoldingCurvature::UnfoldingCurvature(const DistanceConstraints& constraints, const Array2<double>& y,
                                       const std::vector<double>& lambda, double stiffness, const Effort& effort,
                                       const Run& run) {
  constexpr double kFewEntries = 6e5, kMostEntries = 2e6, kCoupledFlops = 4e9, kFlops = 1e10;
  const auto dims = static_cast<double>(y.cols());
  // Multipliers that are far from the solution may make it indefinite: then only the positive ones count.
  is_coupled_ = static_cast<double>(2 * constraints.size() + constraints.points()) * dims * dims <=
                (effort.is_small_effort ? kFewEntries : kMostEntries);
  for (const bool only_positive : {false, true}) {
    if (!is_coupled_) break;
    const std::vector<double> weights = doubled(lambda, only_positive);
    if (add_block({0, y.cols(), constraints.coupled_laplacian(weights, 4 * stiffness, y)}, kCoupledFlops, run)) return;
  }
  is_coupled_ = false;
  for (Index first = 0; first < y.cols();) {
    const Index last = first < effort.alone ? first + 1 : y.cols();
    const Array2<double> part = some_columns(y, first, last);
    DistanceConstraints::Line line;
    constraints.along(part, part, line, run);
    bool has_factor = false;
    SparseMatrix matrix;
    for (const bool only_positive : {false, true}) {
      if (has_factor) break;
      std::vector<double> weights = doubled(lambda, only_positive);
      for (std::size_t e = 0; e < weights.size(); ++e)
        weights[e] += 4 * stiffness * line.quadratic[e] / static_cast<double>(last - first);
      matrix = constraints.laplacian(weights);
      has_factor = add_block({first, last, matrix}, kFlops, run);
    }
    if (!has_factor) {
      blocks_.push_back(std::make_unique<Block>(Block{first, last}));
      blocks_.back()->diagonal = diagonal_of(matrix);
      for (double& value : blocks_.back()->diagonal) value += kShift;
    }
    first = last;
  }
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
}

}  // namespace unroll
