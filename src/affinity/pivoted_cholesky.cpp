#include "affinity/pivoted_cholesky.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "core/random.h"
#include "linalg/blas.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kFactorRows = 512;  // of F at once
// A remaining diagonal below this share of the entry is rounding.
constexpr double kNegligibleShare = 1e-12;
constexpr double kNegative = 1e-8;

double product_of_rows(const double* x, const double* y, Index n) { return std::inner_product(x, x + n, y, 0.0); }

/// Whether a proposal becomes a pivot; `left` is its diagonal entry after the pivots accepted before it.
using Accept = std::function<bool(Index proposal, double left)>;

/// F F^T grown block by block.
class GrowingFactor {
 public:
  GrowingFactor(const ColumnSource& a, Index rank, const Run& run)
      : a_(a), run_(run), left_(a.diagonal), factor_(Array2<double>::uninitialized(a.size, rank)) {
    for (Index i = 0; i < a.size; ++i)
      if (left(i) < 0) throw_indefinite(i);
    result_.trace = std::accumulate(left_.begin(), left_.end(), 0.0);
  }

  Index count() const { return std::ssize(result_.pivots); }
  Index room() const { return factor_.cols() - count(); }
  /// The diagonal of A - F F^T.
  const std::vector<double>& left() const { return left_; }
  double left(Index i) const { return left_[static_cast<std::size_t>(i)]; }
  bool is_negligible(Index i, double left) const {
    return left <= kNegligibleShare * a_.diagonal[static_cast<std::size_t>(i)];
  }

  /// Appends the proposals that are accepted; returns how many.
  Index add(const std::vector<Index>& proposals, const Accept& accept) {
    std::vector<Index> accepted;
    const Array2<double> triangle = thinned(proposals, accept, accepted);
    if (!accepted.empty()) append(accepted, triangle);
    return std::ssize(accepted);
  }

  PivotedCholesky finished() && {
    result_.remaining = std::accumulate(left_.begin(), left_.end(), 0.0);
    result_.columns = std::move(factor_);
    return std::move(result_);
  }

 private:
  [[noreturn]] void throw_indefinite(Index i) const {
    throw Error(ErrorKind::InvalidData,
                fmt::format("the kernel is not positive semidefinite (seen at point {}), as it must be", i + 1),
                "use all points (leave out n_landmarks), or another kernel");
  }

  /// F(chosen, :).
  Array2<double> rows_of_factor(const std::vector<Index>& chosen) const {
    Array2<double> rows = Array2<double>::uninitialized(std::ssize(chosen), count());
    for (Index i = 0; i < rows.rows(); ++i)
      std::copy_n(factor_.row(chosen[static_cast<std::size_t>(i)]), count(), rows.row(i));
    return rows;
  }

  /// The Cholesky factor L of (A - F F^T)(proposals, proposals), row by row, without the rows that are not accepted.
  Array2<double> thinned(const std::vector<Index>& proposals, const Accept& accept, std::vector<Index>& accepted) {
    const Array2<double> square = a_.square(proposals), known = rows_of_factor(proposals);
    const auto b = std::ssize(proposals);
    Array2<double> lower(b, b);
    std::vector<Index> kept;  // places of the accepted among the proposals
    for (Index p = 0; p < b; ++p) {
      const Index at = proposals[static_cast<std::size_t>(p)], row = std::ssize(kept);
      const auto residual = [&](Index q) {
        return square(p, q) - product_of_rows(known.row(p), known.row(q), count());
      };
      for (Index k = 0; k < row; ++k)
        lower(row, k) =
            (residual(kept[static_cast<std::size_t>(k)]) - product_of_rows(lower.row(row), lower.row(k), k)) /
            lower(k, k);
      const double left = residual(p) - product_of_rows(lower.row(row), lower.row(row), row);
      if (row == 0 && is_negligible(at, left)) left_[static_cast<std::size_t>(at)] = 0;  // not to be proposed again
      if (row >= room() || is_negligible(at, left) || !accept(p, left)) continue;
      lower(row, row) = std::sqrt(left);
      kept.push_back(p);
      accepted.push_back(at);
    }
    Array2<double> triangle(std::ssize(kept), std::ssize(kept));
    for (Index i = 0; i < triangle.rows(); ++i) std::copy_n(lower.row(i), i + 1, triangle.row(i));
    return triangle;
  }

  /// Appends the new columns G = (A(:, T) - F F(T, :)^T) L^-T and updates the diagonal.
  void append(const std::vector<Index>& accepted, const Array2<double>& triangle) {
    const SingleThreadedBlas guard;
    const Index b = triangle.rows(), first = count(), stride = factor_.cols();
    const Array2<double> known = rows_of_factor(accepted);
    Array2<double> columns = a_.columns(accepted);
    // BLAS sees a row-major matrix as its transpose.
    const Index indefinite = parallel_reduce(
        run_, a_.size, kFactorRows, Index{-1},
        [&](Index begin, Index end) {
          double* g = columns.row(begin);
          gemm(true, false, b, end - begin, first, -1.0, known.data(), std::max<Index>(first, 1), factor_.row(begin),
               stride, 1.0, g, b);
          solve_upper(true, b, end - begin, triangle.data(), b, g, b);
          for (Index i = begin; i < end; ++i) std::copy_n(columns.row(i), b, factor_.row(i) + first);
          return take_off(columns, begin, end);
        },
        [](Index a, Index later) { return a >= 0 ? a : later; });
    if (indefinite >= 0) throw_indefinite(indefinite);
    for (const Index pivot : accepted) left_[static_cast<std::size_t>(pivot)] = 0;
    result_.pivots.insert(result_.pivots.end(), accepted.begin(), accepted.end());
  }

  /// Subtracts the squares of the new columns from the diagonal; returns the first point where it became negative, or
  /// -1.
  Index take_off(const Array2<double>& columns, Index begin, Index end) {
    Index indefinite = -1;
    for (Index i = begin; i < end; ++i) {
      double& left = left_[static_cast<std::size_t>(i)];
      left -= product_of_rows(columns.row(i), columns.row(i), columns.cols());
      if (indefinite < 0 && left < -kNegative * a_.diagonal[static_cast<std::size_t>(i)]) indefinite = i;
      if (is_negligible(i, left)) left = 0;
    }
    return indefinite;
  }

  const ColumnSource& a_;
  const Run& run_;
  std::vector<double> left_;
  Array2<double> factor_;
  PivotedCholesky result_;
};

/// Indices drawn with probabilities proportional to the weights.
std::vector<Index> drawn(const std::vector<double>& weights, const Random& random, std::uint64_t round) {
  std::vector<double> sums(weights.size());
  std::partial_sum(weights.begin(), weights.end(), sums.begin());
  std::vector<Index> chosen;
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(kPivotBlock); ++k) {
    const double at = random.uniform(round, 2 * k) * sums.back();
    const auto found = std::upper_bound(sums.begin(), sums.end(), at) - sums.begin();
    chosen.push_back(std::min<Index>(found, std::ssize(sums) - 1));
  }
  return chosen;
}

}  // namespace

PivotedCholesky randomly_pivoted_cholesky(const ColumnSource& a, Index rank, std::uint64_t seed, const Run& run) {
  const Random random(seed, "affinity.pivots");
  GrowingFactor factor(a, std::min(rank, a.size), run);
  for (std::uint64_t round = 0; factor.room() > 0; ++round) {
    if (std::all_of(factor.left().begin(), factor.left().end(), [](double left) { return left == 0; })) break;
    const std::vector<Index> proposals = drawn(factor.left(), random, round);
    factor.add(proposals, [&](Index p, double left) {
      const double proposed_with = factor.left(proposals[static_cast<std::size_t>(p)]);
      return random.uniform(round, 2 * static_cast<std::uint64_t>(p) + 1) * proposed_with < left;
    });
    run.report({.stage = "pivots",
                .fraction = static_cast<double>(factor.count()) / static_cast<double>(std::min(rank, a.size))});
  }
  return std::move(factor).finished();
}

PivotedCholesky cholesky_at(const ColumnSource& a, const std::vector<Index>& pivots, const Run& run) {
  GrowingFactor factor(a, std::ssize(pivots), run);
  Index dropped = 0;
  for (Index first = 0; first < std::ssize(pivots); first += kPivotBlock) {
    const auto begin = pivots.begin() + first, end = pivots.begin() + std::min(first + kPivotBlock, std::ssize(pivots));
    const std::vector<Index> block(begin, end);
    dropped += std::ssize(block) - factor.add(block, [](Index, double) { return true; });
    run.report(
        {.stage = "landmarks", .fraction = static_cast<double>(first) / static_cast<double>(std::ssize(pivots))});
  }
  PivotedCholesky result = std::move(factor).finished();
  result.dropped = dropped;
  return result;
}

}  // namespace unroll
