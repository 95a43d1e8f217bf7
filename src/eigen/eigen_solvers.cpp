#include "eigen/eigen_solvers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/matrix_copies.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "eigen/block_lanczos.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// Solvers search for the largest eigenvalues of direction * A.
double direction(SpectrumEnd end) { return end == SpectrumEnd::Largest ? 1 : -1; }

void add_basis(Index n, const LanczosSettings& settings, MemoryPlan& plan) {
  const auto vectors = static_cast<double>(settings.basis + 4 * settings.block);
  plan.add("the Krylov basis", static_cast<double>(n), vectors, sizeof(double));
}

FoundPairs found_by_products(const SymmetricOperator& a, const EigenProblem& problem, const LanczosSettings& settings,
                             const Run& run) {
  MemoryPlan plan;
  add_basis(a.size(), settings, plan);
  plan.require(run, "use n_landmarks or fewer points");
  const double sign = direction(problem.end);
  const BlockProduct product = [&](const Array2<double>& x, Array2<double>& y) {
    a.apply(x, y, run);
    if (sign < 0)
      for (Index i = 0; i < y.size(); ++i) y.data()[i] = -y.data()[i];
  };
  auto [pairs, norm] = leading_by_lanczos(a.size(), product, transposed(problem.known), settings,
                                          Random(problem.seed, "eigen_problem"), run);
  for (double& value : pairs.values) value *= sign;
  return {std::move(pairs.values), std::move(pairs.vectors), pairs.iterations, norm};
}

constexpr Index kRowsPerTask = 4096;

/// The largest of row(i) over all rows.
template <class Row>
double largest_of_rows(Index rows, const Run& run, const Row& row) {
  return parallel_reduce(
      run, rows, kRowsPerTask, 0.0,
      [&](Index begin, Index end) {
        double largest = 0;
        for (Index i = begin; i < end; ++i) largest = std::max(largest, row(i));
        return largest;
      },
      [](double a, double b) { return std::max(a, b); });
}

std::span<const double> entries_of(const SparseMatrix& a, Index row) {
  const auto begin = a.offsets[static_cast<std::size_t>(row)], end = a.offsets[static_cast<std::size_t>(row) + 1];
  return {a.values.data() + begin, a.values.data() + end};
}

/// An upper bound of the norm of a symmetric matrix.
double largest_row_sum(const SparseMatrix& a, const Run& run) {
  return largest_of_rows(a.rows, run, [&](Index i) {
    double sum = 0;
    for (const double value : entries_of(a, i)) sum += std::abs(value);
    return sum;
  });
}

double largest_row_sum(const Array2<double>& a) {
  double largest = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < a.cols(); ++j) sum += std::abs(a(i, j));
    largest = std::max(largest, sum);
    if (!std::isfinite(sum)) return sum;
  }
  return largest;
}

/// Bounds and sizes of sign * A that determine the shift.
struct Extent {
  double gershgorin;  ///< a lower bound of the eigenvalues
  double diagonal;    ///< mean magnitude
};
Extent extent(const SparseMatrix& a, double sign) {
  Extent result{INFINITY, 0};
  for (Index i = 0; i < a.rows; ++i) {
    double center = 0, radius = 0;
    for (Index e = a.offsets[static_cast<std::size_t>(i)]; e < a.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const double value = a.values[static_cast<std::size_t>(e)];
      if (a.columns[static_cast<std::size_t>(e)] == i) {
        center += sign * value;
      } else {
        radius += std::abs(value);
      }
    }
    result.gershgorin = std::min(result.gershgorin, center - radius);
    result.diagonal += std::abs(center) / static_cast<double>(a.rows);
  }
  return result;
}

/// Shifts that make sign * A + shift positive definite, the best first. The shift must stay outside the spectrum: at
/// sigma = 0 a Laplacian is singular, and its factor is noise (scipy #6354). But a closer shift needs fewer solves:
/// 1e-10 of the mean diagonal separates even the alignment matrices of LLE, whose wanted eigenvalues are 1e-9 to 1e-11
/// of it. The factor's condition does no harm, since the known null vectors are projected out of every solution. If
/// rounding spoils a factorisation, the next shift is tried; the last one always works.
std::vector<double> shifts(const SparseMatrix& a, const EigenProblem& problem, const Run& run) {
  const double sign = factor_sign(problem.end);
  const auto [gershgorin, diagonal] = extent(a, sign);
  const double norm = largest_row_norm(a, run), unit = diagonal > 0 ? diagonal : norm > 0 ? norm : 1;
  std::optional<double> bound = problem.end == SpectrumEnd::Smallest ? problem.lowest : problem.highest;
  if (bound) bound = *bound * sign;
  // Most matrices whose smallest pairs are wanted are semidefinite; for others the factorisation fails, and the next
  // shift is tried.
  if (!bound && problem.end == SpectrumEnd::Smallest && gershgorin < 0) bound = 0;
  std::vector<double> result;
  if (bound && *bound > gershgorin) {
    if (problem.relative_accuracy) result.push_back(1e-13 * unit - *bound);
    for (const double distance : {1e-10, 1e-8, 1e-6}) result.push_back(distance * unit - *bound);
  }
  for (const double distance : {1e-10, 1e-8}) result.push_back(distance * unit - gershgorin);
  return result;
}

/// Factorises and returns the shift.
double factorize(const SparseMatrix& a, const EigenProblem& problem, SparseCholesky& factor, const Run& run) {
  const std::vector<double> candidates = shifts(a, problem, run);
  for (const double shift : candidates)
    if (std::isfinite(shift) && factor.factorize(shift, run)) return shift;
  throw Error(ErrorKind::NotConverged,
              fmt::format("the matrix is not positive definite after a shift of {:.3g}", candidates.back()));
}

}  // namespace

double largest_row_norm(const SparseMatrix& a, const Run& run) {
  const auto magnitude = [&](Index i) {
    double largest = 0;
    for (const double value : entries_of(a, i)) largest = std::max(largest, std::abs(value));
    return largest;
  };
  const double scale = largest_of_rows(a.rows, run, magnitude);
  if (!(scale > 0)) return 0;
  return scale * largest_of_rows(a.rows, run, [&](Index i) {
           double squares = 0;
           for (const double value : entries_of(a, i)) squares += (value / scale) * (value / scale);
           return std::sqrt(squares);
         });
}

FoundPairs solve_dense(const SymmetricOperator& a, const EigenProblem& problem, const Run& run) {
  const Index n = a.size(), known = problem.known.rows();
  MemoryPlan plan;
  plan.add("the full matrix and its factors", static_cast<double>(n), static_cast<double>(n), 5 * sizeof(double));
  plan.require(run, "use eigen_solver=lanczos");
  Array2<double> matrix = a.dense(run);
  const double norm = largest_row_sum(matrix);
  if (!std::isfinite(norm)) throw Error(ErrorKind::NotConverged, "the matrix has entries that are not finite");
  const double sign = direction(problem.end);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] *= sign;
  const double away = norm > 0 ? 2.5 * norm : 1;  // moves a known vector beyond the other end, whatever its value
  for (Index k = 0; k < known; ++k)
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) matrix(i, j) -= away * problem.known(k, i) * problem.known(k, j);
  EigenPairs pairs = leading_eigenpairs(
      matrix, [count = problem.count](const auto&) { return count; }, run);
  if (norm == 0) std::fill(pairs.values.begin(), pairs.values.end(), 0.0);  // they are the rounding of `away`
  FoundPairs found{.vectors = std::move(pairs.vectors)};
  for (Index k = 0; k < n - known; ++k)
    found.norm = std::max(found.norm, std::abs(pairs.values[static_cast<std::size_t>(k)]));
  for (Index k = 0; k < found.vectors.rows(); ++k)
    found.values.push_back(sign * pairs.values[static_cast<std::size_t>(k)]);
  return found;
}

FoundPairs solve_lanczos(const SymmetricOperator& a, const EigenProblem& problem, Index max_products, const Run& run) {
  constexpr Index kBlock = 4, kWidest = 8;
  const LanczosSettings settings{.count = problem.count,
                                 .block = std::clamp(problem.count, kBlock, kWidest),
                                 .basis = 60 + 2 * problem.count,
                                 .max_products = max_products,
                                 .tolerance = problem.tolerance,
                                 .norm = problem.norm};
  return found_by_products(a, problem, settings, run);
}

FoundPairs solve_randomized(const SymmetricOperator& a, const EigenProblem& problem, Index max_products,
                            const Run& run) {
  constexpr Index kOversampling = 4, kKept = 80;
  const Index block = problem.count + kOversampling;
  const LanczosSettings settings{.count = problem.count,
                                 .block = block,
                                 .basis = kKept + 8 * problem.count,
                                 .max_products = max_products,
                                 .tolerance = problem.tolerance,
                                 .norm = problem.norm,
                                 .eager = true,
                                 .search_missed = false};
  return found_by_products(a, problem, settings, run);
}

FoundPairs solve_shift_invert(const SymmetricOperator& a, const EigenProblem& problem, SparseCholesky& factor,
                              const Run& run) {
  // The error of a vanishing value is the square of its vector's error: one more solve takes it from 1e-21 to 1e-29.
  constexpr double kTiny = 1e-4;
  // |A v - lambda v| <= |A - sigma| |mu v - inverse v| / mu: this tolerance implies the residual that is proven later,
  // relative to a lower bound of |A|.
  const double norm = largest_row_norm(*a.sparse(), run), bound = largest_row_sum(*a.sparse(), run);
  const double own = problem.relative_accuracy ? kTiny * problem.tolerance : problem.tolerance;
  const double tolerance = own * (bound > 0 ? norm / bound : 1);
  const LanczosSettings settings{.count = problem.count,
                                 .block = shift_invert_block(problem.count),
                                 .basis = 48 + 2 * problem.count,
                                 .max_products = 100 + 4 * problem.count,
                                 .tolerance = tolerance,
                                 .relative_to_value = true,
                                 .eager = true};
  MemoryPlan plan;
  plan.add("the sparse factor", factor.bytes_to_store(), 1, 1);
  plan.add("its computation", factor.working_bytes(run), 1, 1);
  add_basis(a.size(), settings, plan);
  plan.require(run, problem.memory_advice);
  const double shift = factorize(*a.sparse(), problem, factor, run);
  const BlockProduct solve = [&](const Array2<double>& x, Array2<double>& y) { factor.solve(x, y, run); };
  EigenPairs pairs = leading_by_lanczos(a.size(), solve, transposed(problem.known), settings,
                                        Random(problem.seed, "eigen_problem"), run)
                         .pairs;
  FoundPairs found{.vectors = std::move(pairs.vectors), .iterations = pairs.iterations};
  // mu = 1 / (sign lambda + shift); small eigenvalues keep digits here that a Rayleigh quotient would lose.
  for (const double mu : pairs.values) found.values.push_back(factor_sign(problem.end) * (1 / mu - shift));
  found.norm = norm;
  return found;
}

}  // namespace unroll
