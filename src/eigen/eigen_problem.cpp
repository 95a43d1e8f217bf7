#include "eigen/eigen_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "eigen/eigen_cost.h"
#include "eigen/eigen_solvers.h"
#include "linalg/symmetric_eigen.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kLanczosProducts = 3000;
constexpr Index kLastLanczosProducts = 6000;  // when a factorisation has failed
constexpr Index kRandomizedProducts = 200;

void check(const SymmetricOperator& a, const EigenProblem& problem) {
  const Index n = a.size(), known = problem.known.rows();
  if (problem.count < 0 || problem.count > n - known)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{} eigenvectors were asked for, but a matrix of size {} with {} known ones has {} more",
                            problem.count, n, known, std::max<Index>(0, n - known)),
                "use fewer components");
  if (known > 0 && problem.known.cols() != n)
    throw Error(ErrorKind::Internal,
                fmt::format("known vectors of length {} for a matrix of size {}", problem.known.cols(), n));
}

/// |A v - lambda v| / norm for each pair, and the products, one per row.
std::vector<double> residuals(const SymmetricOperator& a, const FoundPairs& found, Array2<double>& products,
                              const Run& run) {
  const Index n = a.size(), count = found.vectors.rows();
  Array2<double> x = Array2<double>::uninitialized(n, count), y = Array2<double>::uninitialized(n, count);
  for (Index k = 0; k < count; ++k)
    for (Index i = 0; i < n; ++i) x(i, k) = found.vectors(k, i);
  a.apply(x, y, run);
  std::vector<double> sums(found.values.size());
  const double norm = found.norm > 0 ? found.norm : 1;
  for (Index i = 0; i < n; ++i)
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const auto column = static_cast<Index>(k);
      const double r = (y(i, column) - found.values[k] * x(i, column)) / norm;
      sums[k] += r * r;
    }
  products = Array2<double>::uninitialized(count, n);
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < count; ++k) products(k, i) = y(i, k);
  for (double& sum : sums) sum = std::sqrt(sum);
  return sums;
}

/// The number of leading pairs that meet the tolerance; a NaN residual does not.
Index proven(const std::vector<double>& residuals, double tolerance) {
  return std::find_if(residuals.begin(), residuals.end(), [&](double r) { return !(r <= tolerance); }) -
         residuals.begin();
}

/// The values and one more at the far end, the scale on which eigenvalues count as equal: the operator's norm, or under
/// relative_accuracy their own size.
std::vector<double> with_scale(const FoundPairs& found, const EigenProblem& problem) {
  std::vector<double> values = found.values;
  const double last = problem.relative_accuracy ? 2 * std::abs(values.back()) : found.norm;
  values.push_back(problem.end == SpectrumEnd::Smallest ? last : -last);
  return values;
}

/// Keeps the pairs that complete the last group of equal eigenvalues, but only a few: an eigenvalue may be repeated n
/// times.
void drop_spare(FoundPairs& found, const EigenProblem& problem) {
  constexpr Index kSpare = 8;
  const std::vector<double> values = with_scale(found, problem);
  Index last = 0;
  while (last < problem.count) last = end_of_group(values, last);
  last = std::min({last, found.vectors.rows(), problem.count + kSpare});
  Array2<double> kept = Array2<double>::uninitialized(last, found.vectors.cols());
  std::copy_n(found.vectors.data(), kept.size(), kept.data());
  found.vectors = std::move(kept);
  found.values.resize(static_cast<std::size_t>(last));
}

/// Restores the vectors of every group whose canonical basis misses the tolerance: by the measure of this problem its
/// eigenvalues are not equal.
void restore_unproven_groups(const FoundPairs& found, const std::vector<double>& values,
                             const std::vector<double>& proof, double tolerance, Array2<double>& vectors) {
  const Index rows = vectors.rows(), n = vectors.cols();
  for (Index first = 0; first < rows;) {
    const Index last = std::min(rows, end_of_group(values, first));
    if (!std::all_of(proof.begin() + first, proof.begin() + last, [&](double r) { return r <= tolerance; }))
      std::copy_n(found.vectors.row(first), (last - first) * n, vectors.row(first));
    first = last;
  }
  canonicalize_signs(vectors);
}

/// Makes the vectors canonical and proves their residuals by a product with A itself.
EigenSolution prove(const SymmetricOperator& a, const EigenProblem& problem, FoundPairs found, const Run& run) {
  found.norm = std::max(found.norm, problem.norm);
  drop_spare(found, problem);
  const std::vector<double> values = with_scale(found, problem);
  FoundPairs unique = found;
  canonicalize(values, unique.vectors);
  Array2<double> products;
  std::vector<double> proof = residuals(a, unique, products, run);
  if (proven(proof, problem.tolerance) < problem.count) {
    restore_unproven_groups(found, values, proof, problem.tolerance, unique.vectors);
    proof = residuals(a, unique, products, run);
  }
  const Index count = proven(proof, problem.tolerance);
  if (count < problem.count) {
    const auto worst = std::max_element(proof.begin(), proof.begin() + problem.count);
    throw Error(ErrorKind::NotConverged, fmt::format("{} of {} pairs are proven, the worst residual is {:.1e} of the "
                                                     "norm",
                                                     count, problem.count, *worst));
  }
  EigenSolution solution{
      .values = std::move(unique.values),
      .residuals = std::move(proof),
      .last_group_is_cut = found.vectors.rows() > problem.count,  // drop_spare kept the rest of the group
      .iterations = unique.iterations};
  solution.values.resize(static_cast<std::size_t>(problem.count));
  solution.residuals.resize(static_cast<std::size_t>(problem.count));
  solution.norm = unique.norm;
  solution.vectors = Array2<double>::uninitialized(problem.count, a.size());
  std::copy_n(unique.vectors.data(), solution.vectors.size(), solution.vectors.data());
  solution.products = Array2<double>::uninitialized(problem.count, a.size());
  std::copy_n(products.data(), solution.products.size(), solution.products.data());
  return solution;
}

/// Tries the solvers one after the other; holds what they share.
class Chain {
 public:
  Chain(const SymmetricOperator& a, const EigenProblem& problem, const Run& run)
      : a_(a), problem_(problem), run_(run) {}

  EigenSolution solve() {
    std::vector<EigenSolver> solvers{problem_.solver};
    if (problem_.solver == EigenSolver::Auto) solvers = order();
    for (const EigenSolver solver : solvers) {
      try {
        EigenSolution solution = prove(a_, problem_, found_by(solver), run_);
        solution.solver = solver;
        solution.tried = std::move(tried_);
        return solution;
      } catch (const Error& error) {
        // A lack of memory is final: with another solver the bits would depend on what else runs on the machine.
        if (error.kind() != ErrorKind::NotConverged) throw;
        tried_.push_back(fmt::format("{}: {}", name_of(solver), error.problem()));
      }
    }
    throw Error(ErrorKind::NotConverged,
                fmt::format("no solver reached a residual of {:.0e}: {}", problem_.tolerance, fmt::join(tried_, "; ")),
                "use fewer components or another eigen_solver");
  }

 private:
  /// The cheapest solver by prediction, then those that may succeed if it fails.
  std::vector<EigenSolver> order() {
    const Index n = a_.size();
    std::vector<EigenSolver> solvers;
    const double dense = predicted_dense_cost(n), lanczos = predicted_lanczos_cost(a_, problem_);
    const bool is_large_share = 5 * problem_.count > n;
    if (n <= kSmallMatrix || (is_large_share && n <= kLargestDense)) {
      solvers = {EigenSolver::Dense, EigenSolver::Lanczos};
    } else if (a_.sparse() == nullptr) {
      if (predicted_randomized_cost(a_, problem_) < dense && problem_.end == SpectrumEnd::Largest)
        solvers.push_back(EigenSolver::Randomized);
      solvers.insert(solvers.end(), {EigenSolver::Lanczos, EigenSolver::Dense});
    } else if (problem_.dimension.value_or(2) < kFilling &&
               predicted_shift_invert_cost(factor(), n, problem_) <= lanczos) {
      solvers = {EigenSolver::ShiftInvert, EigenSolver::Lanczos, EigenSolver::Dense};
    } else {
      solvers = {EigenSolver::Lanczos, EigenSolver::ShiftInvert, EigenSolver::Dense};
    }
    if (n > kLargestDense) std::erase(solvers, EigenSolver::Dense);
    return solvers;
  }

  SparseCholesky& factor() {
    if (problem_.factor != nullptr) return *problem_.factor;
    if (!factor_) factor_ = std::make_unique<SparseCholesky>(*a_.sparse(), factor_sign(problem_.end), run_);
    return *factor_;
  }

  FoundPairs found_by(EigenSolver solver) {
    switch (solver) {
      case EigenSolver::Dense: return solve_dense(a_, problem_, run_);
      case EigenSolver::Lanczos:
        return solve_lanczos(a_, problem_, tried_.empty() ? kLanczosProducts : kLastLanczosProducts, run_);
      case EigenSolver::Randomized: return solve_randomized(a_, problem_, kRandomizedProducts, run_);
      default: return shift_invert();
    }
  }

  FoundPairs shift_invert() {
    if (a_.sparse() == nullptr)
      throw Error(ErrorKind::Unsupported, "eigen_solver=shift_invert needs a sparse matrix",
                  "use eigen_solver=auto, lanczos or randomized");
    return solve_shift_invert(a_, problem_, factor(), run_);
  }

  static constexpr double kFilling = 6;  // from this dimension on factors are nearly full and not even analysed

  const SymmetricOperator& a_;
  const EigenProblem& problem_;
  const Run& run_;
  std::unique_ptr<SparseCholesky> factor_;
  std::vector<std::string> tried_;
};

}  // namespace

EigenSolution solve_eigenproblem(const SymmetricOperator& a, const EigenProblem& problem, const Run& run) {
  check(a, problem);
  if (problem.count == 0) return {.vectors = Array2<double>(0, a.size())};
  return Chain(a, problem, run).solve();
}

}  // namespace unroll
