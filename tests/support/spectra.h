#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "eigen/eigen_problem.h"
#include "eigen/operators.h"
#include "support/graphs.h"
#include "support/matrices.h"

/// Spectra in closed form, and what every solution of an eigenproblem must satisfy.
namespace unroll {

inline const std::vector<EigenSolver> kEigenSolvers{EigenSolver::Dense, EigenSolver::Lanczos, EigenSolver::ShiftInvert,
                                                    EigenSolver::Randomized};

/// Failures name the solver.
inline void PrintTo(EigenSolver solver, std::ostream* out) { *out << name_of(solver); }

/// Spectra as formulas, ascending.
inline std::vector<double> spectrum(Index n, const std::function<double(Index)>& value) {
  std::vector<double> values;
  for (Index k = 0; k < n; ++k) values.push_back(value(k));
  std::sort(values.begin(), values.end());
  return values;
}
inline std::vector<double> path_spectrum(Index n) {
  return spectrum(
      n, [&](Index k) { return 2 - 2 * std::cos(std::numbers::pi * static_cast<double>(k) / static_cast<double>(n)); });
}
inline std::vector<double> normalized_path_spectrum(Index n) {
  return spectrum(
      n, [&](Index k) { return 1 - std::cos(std::numbers::pi * static_cast<double>(k) / static_cast<double>(n - 1)); });
}
inline std::vector<double> cycle_spectrum(Index n, double scale) {
  return spectrum(n, [&](Index k) {
    return scale * (1 - std::cos(2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n)));
  });
}
inline std::vector<double> grid_spectrum(Index a, Index b) {
  const std::vector<double> rows = path_spectrum(a), cols = path_spectrum(b);
  return spectrum(
      a * b, [&](Index k) { return rows[static_cast<std::size_t>(k / b)] + cols[static_cast<std::size_t>(k % b)]; });
}
inline std::vector<double> cube_spectrum(Index d) {
  return spectrum(Index{1} << d, [](Index k) { return 2.0 * std::popcount(static_cast<std::uint64_t>(k)); });
}
/// The values, each so many times.
inline std::vector<double> repeated(const std::vector<std::pair<double, Index>>& groups) {
  std::vector<double> values;
  for (const auto& [value, count] : groups) values.insert(values.end(), static_cast<std::size_t>(count), value);
  return values;
}

/// Whatever a solution must satisfy, besides the right values.
inline void expect_valid(const SymmetricOperator& a, const EigenProblem& problem, const EigenSolution& solution) {
  ASSERT_EQ(std::ssize(solution.values), problem.count);
  ASSERT_EQ(std::ssize(solution.residuals), problem.count);
  ASSERT_EQ(solution.vectors.rows(), problem.count);
  ASSERT_EQ(solution.vectors.cols(), a.size());
  for (const double residual : solution.residuals) EXPECT_LE(residual, problem.tolerance);
  for (Index k = 1; k < problem.count; ++k) {
    const double step = solution.values[static_cast<std::size_t>(k)] - solution.values[static_cast<std::size_t>(k - 1)];
    EXPECT_GE(problem.end == SpectrumEnd::Smallest ? step : -step, -1e-12);
  }
  EXPECT_LT(orthogonality_error(solution.vectors), 1e-10);
  if (problem.known.rows() == 0) return;
  EXPECT_LT(max_abs(product(solution.vectors, transposed(problem.known))), 1e-10);
}

/// The smallest pairs beyond the null space and the largest ones, against the whole spectrum in ascending order.
inline void expect_spectrum(const Graph& graph, Index components, bool normalized, const std::vector<double>& all,
                            Index count, EigenSolver solver) {
  const SparseOperator a(laplacian(graph, normalized));
  ASSERT_EQ(std::ssize(all), a.size());
  EigenProblem problem{.count = count,
                       .known = null_vectors(graph, components, normalized),
                       .lowest = 0,
                       .highest = normalized ? std::optional<double>(2) : std::nullopt,
                       .solver = solver};
  for (const SpectrumEnd end : {SpectrumEnd::Smallest, SpectrumEnd::Largest}) {
    problem.end = end;
    const EigenSolution solution = solve_eigenproblem(a, problem, {});
    EXPECT_EQ(solution.solver, solver);
    expect_valid(a, problem, solution);
    for (Index k = 0; k < count; ++k) {
      const double expected = end == SpectrumEnd::Smallest ? all[static_cast<std::size_t>(components + k)]
                                                           : all[all.size() - 1 - static_cast<std::size_t>(k)];
      EXPECT_NEAR(solution.values[static_cast<std::size_t>(k)], expected, 1e-11 * all.back())
          << name_of(solver) << ", n = " << graph.size << ", pair " << k;
    }
  }
}

/// Counts products and can spoil them.
class Watched : public SymmetricOperator {
 public:
  explicit Watched(const SymmetricOperator& a, Index healthy = 1'000'000) : a_(a), healthy_(healthy) {}
  Index size() const override { return a_.size(); }
  void apply(const Array2<double>& x, Array2<double>& y, const Run& run) const override {
    a_.apply(x, y, run);
    ++products;
    if (products > healthy_ || products <= sick_at_first) y(y.rows() / 2, 0) = std::numeric_limits<double>::quiet_NaN();
  }
  const SparseMatrix* sparse() const override { return shows_matrix ? a_.sparse() : nullptr; }
  double cost() const override { return a_.cost(); }

  mutable Index products = 0;
  Index sick_at_first = 0;
  bool shows_matrix = true;

 private:
  const SymmetricOperator& a_;
  Index healthy_;
};

}  // namespace unroll
