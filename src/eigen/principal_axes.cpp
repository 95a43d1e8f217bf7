#include "eigen/principal_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/memory.h"
#include "core/parallel.h"
#include "eigen/block_krylov.h"
#include "linalg/blas.h"
#include "linalg/self_products.h"
#include "linalg/symmetric_eigen.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kMaxPasses = 200;

bool is_fraction(AxesWanted wanted) { return wanted.count_or_fraction > 0 && wanted.count_or_fraction < 1; }

/// Predicted costs in floating-point operations. A dense eigensolver runs at about a quarter of the speed of a matrix
/// product.
struct Costs {
  double covariance;
  double gram;
  double pass;  ///< one pass of the randomised solver over the data
};
Costs predicted_costs(const CenteredPoints& z, AxesWanted wanted) {
  const auto n = static_cast<double>(z.rows()), d = static_cast<double>(z.cols());
  const auto dense = [](double side) { return 4 * (4.0 / 3) * side * side * side; };
  const double width = wanted.count_or_fraction + 10;
  const double entries = z.points.is_sparse() ? static_cast<double>(z.points.sparse().entries()) : n * d;
  return {.covariance = n * d * d * (z.on_grid ? 0.5 : 1) + dense(d),
          .gram = n * n * d + dense(n),
          .pass = 4 * entries * width + dense(8 * width)};
}

AxesSolver cheapest(const CenteredPoints& z, AxesWanted wanted) {
  constexpr double kUsualPasses = 12;  // typical for real spectra
  const Costs cost = predicted_costs(z, wanted);
  const bool can_randomize =
      !is_fraction(wanted) && 8 * (wanted.count_or_fraction + 10) < static_cast<double>(std::min(z.rows(), z.cols()));
  if (can_randomize && kUsualPasses * cost.pass < std::min(cost.covariance, cost.gram)) return AxesSolver::Randomized;
  return cost.covariance <= cost.gram ? AxesSolver::Covariance : AxesSolver::Gram;
}

/// The number of passes that cost as much as the direct solver: a wrong guess at most doubles the cost.
Index passes_worth_trying(const CenteredPoints& z, AxesWanted wanted) {
  const Costs cost = predicted_costs(z, wanted);
  return std::clamp(static_cast<Index>(std::min(cost.covariance, cost.gram) / cost.pass), Index{8}, kMaxPasses);
}

void check_memory(const CenteredPoints& z, AxesWanted wanted, AxesSolver solver, const Run& run) {
  const auto n = static_cast<double>(z.rows()), d = static_cast<double>(z.cols());
  MemoryPlan plan;
  constexpr const char* kAlternative = "use solver=randomized with a small n_components, or fewer features";
  if (solver == AxesSolver::Covariance) plan.add("the D x D covariance and its factors", d, d, 5 * sizeof(double));
  if (solver == AxesSolver::Gram) plan.add("the n x n Gram matrix and its factors", n, n, 5 * sizeof(double));
  if (solver == AxesSolver::Randomized)
    plan.add("the Krylov basis and its products", d, wanted.count_or_fraction + 10, sizeof(double) * 8 * 4);
  plan.require(run, kAlternative);
}

/// The number of leading eigenvalues that hold the wanted fraction of the total, or the wanted number itself.
HowMany how_many(AxesWanted wanted) {
  if (!is_fraction(wanted)) return [wanted](const auto&) { return static_cast<Index>(wanted.count_or_fraction); };
  return [wanted](const std::vector<double>& values) {
    const double total = std::accumulate(values.begin(), values.end(), 0.0);
    double sum = 0;
    Index count = 0;
    // The slack allows for rounding of the total: a fraction that k axes hold exactly must not need k + 1.
    while (count < std::ssize(values) && sum < (wanted.count_or_fraction - 1e-12) * total)
      sum += values[static_cast<std::size_t>(count++)];
    return std::max<Index>(count, 1);
  };
}

/// Eigenvalues within the error of the dense solver, a modest multiple of eps * lambda_1, are zero; returns how many
/// are not. (Not n * eps: with 10^5 points that would erase real variances.)
Index clear_rounding(std::vector<double>& values) {
  if (values.empty()) return 0;
  const double floor = 32 * std::sqrt(static_cast<double>(values.size())) * 0x1p-52 * std::max(0.0, values.front());
  Index rank = 0;
  for (double& value : values) {
    if (value <= floor) {
      value = 0;
    } else {
      ++rank;
    }
  }
  return rank;
}

/// Axes Z^T u / |Z^T u| of the Gram matrix's eigenvectors u (rows); axes of zero eigenvalues are zero.
Array2<double> axes_from_gram(const CenteredPoints& z, const Array2<double>& u, Index rank, const Run& run) {
  const SingleThreadedBlas guard;
  const Index n = z.rows(), cols = z.cols(), count = u.rows(), used = std::min(rank, count);
  Array2<double> axes(count, cols);
  constexpr Index kCols = 1024;
  parallel_for(run, cols, kCols, [&](Index begin, Index end) {
    Array2<double> block = Array2<double>::uninitialized(n, end - begin);
    z.pack(0, n, begin, end - begin, block.data());
    gemm(false, false, end - begin, used, n, 1.0, block.data(), end - begin, u.data(), n, 0.0, axes.data() + begin,
         cols);
  });
  orthonormalize_rows(axes, used);
  return axes;
}

PrincipalAxes from_pairs(EigenPairs pairs, Index wanted, const CenteredPoints& z, AxesSolver solver) {
  PrincipalAxes result{.values = std::move(pairs.values), .iterations = pairs.iterations, .solver = solver};
  result.rank = clear_rounding(result.values);
  canonicalize(result.values, pairs.vectors);
  if (result.rank < pairs.vectors.rows()) complete_orthonormal(pairs.vectors, result.rank);
  result.axes = Array2<double>::uninitialized(wanted, z.cols());
  std::copy_n(pairs.vectors.data(), result.axes.size(), result.axes.data());
  result.residuals.assign(pairs.residuals.begin(), pairs.residuals.begin() + wanted);
  return result;
}

PrincipalAxes solve_dense(const CenteredPoints& z, AxesWanted wanted, AxesSolver solver, const Run& run) {
  const bool covariance = solver == AxesSolver::Covariance;
  const Array2<double> product = covariance ? scatter_matrix(z, run) : gram_matrix(z, run);
  const HowMany count = how_many(wanted);
  EigenPairs pairs = leading_eigenpairs(product, count, run);
  const Index wanted_count = count(pairs.values);
  double total = 0;
  for (Index i = 0; i < product.rows(); ++i) total += product(i, i);
  if (!covariance) {
    std::vector<double> values = pairs.values;
    pairs.vectors = axes_from_gram(z, pairs.vectors, clear_rounding(values), run);
  }
  PrincipalAxes result = from_pairs(std::move(pairs), wanted_count, z, solver);
  result.values.resize(static_cast<std::size_t>(std::min(z.rows(), z.cols())));
  result.total = total;
  return result;
}

PrincipalAxes solve_randomized(const CenteredPoints& z, AxesWanted wanted, std::uint64_t seed, Index max_passes,
                               const Run& run) {
  const auto count = static_cast<Index>(wanted.count_or_fraction);
  EigenPairs pairs = leading_by_block_krylov(
      z.cols(), count, [&](const Array2<double>& q) { return scatter_product(z, q, run); },
      Random(seed, "principal_axes"), max_passes, run);
  PrincipalAxes result = from_pairs(std::move(pairs), count, z, AxesSolver::Randomized);
  result.values.resize(static_cast<std::size_t>(count));
  result.rank = std::min(result.rank, count);
  result.total = squared_norm(z, run);
  return result;
}

}  // namespace

PrincipalAxes principal_axes(const CenteredPoints& z, AxesWanted wanted, AxesSolver solver, std::uint64_t seed,
                             const Run& run) {
  const bool choose = solver == AxesSolver::Auto;
  if (choose) solver = cheapest(z, wanted);
  check_memory(z, wanted, solver, run);
  if (solver != AxesSolver::Randomized) return solve_dense(z, wanted, solver, run);
  if (is_fraction(wanted))
    throw Error(ErrorKind::InvalidOption,
                fmt::format("n_components={} is a fraction of the variance, which solver=randomized cannot count off",
                            wanted.count_or_fraction),
                "use solver=auto, covariance or gram");
  try {
    return solve_randomized(z, wanted, seed, choose ? passes_worth_trying(z, wanted) : kMaxPasses, run);
  } catch (const Error& error) {
    if (!choose || error.kind() != ErrorKind::NotConverged) throw;
    // The spectrum is flat: the direct solver costs more but always converges.
    solver = z.cols() <= z.rows() ? AxesSolver::Covariance : AxesSolver::Gram;
    check_memory(z, wanted, solver, run);
    return solve_dense(z, wanted, solver, run);
  }
}

void keep_leading(Index count, PrincipalAxes& axes) {
  if (count >= axes.axes.rows()) return;
  Array2<double> kept(count, axes.axes.cols());
  std::copy_n(axes.axes.data(), kept.size(), kept.data());
  axes.axes = std::move(kept);
  axes.residuals.resize(static_cast<std::size_t>(count));
}

}  // namespace unroll
