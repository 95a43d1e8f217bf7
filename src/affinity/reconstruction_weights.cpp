#include "affinity/reconstruction_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "affinity/local_geometry.h"
#include "core/at.h"
#include "linalg/blas.h"

namespace unroll {
namespace {

/// A pivot below this part of its diagonal entry is rounding.
double least_pivot(Index m) { return 4 * std::numeric_limits<double>::epsilon() * static_cast<double>(m); }

/// A x = 1 for a matrix of many rows, by LAPACK's blocked Cholesky. False: not positive definite to rounding.
bool solve_ones_blocked(const std::vector<double>& a, Index m, std::vector<double>& factor, std::vector<double>& x) {
  factor = a;
  x.assign(at(m), 1);
  const SingleThreadedBlas guard;
  if (!solve_definite(m, factor.data(), m, 1, x.data(), m)) return false;
  for (Index i = 0; i < m; ++i) {
    const double root = factor[at(i * m + i)];
    if (!(root * root > least_pivot(m) * a[at(i * m + i)])) return false;
  }
  return true;
}

/// L L' x = 1 for the rows and columns `set` of `a` (side m), L in `factor`. False: not positive definite to rounding.
bool solve_ones(const std::vector<double>& a, Index m, const std::vector<Index>& set, std::vector<double>& factor,
                std::vector<double>& x) {
  constexpr Index kMany = 48;  // from here on LAPACK is faster
  const Index s = std::ssize(set);
  if (s == m && m >= kMany) return solve_ones_blocked(a, m, factor, x);
  factor.resize(at(s * s));
  x.assign(at(s), 1);
  for (Index i = 0; i < s; ++i) {
    const double* from = a.data() + set[at(i)] * m;
    double* row = factor.data() + i * s;
    double right = 1;
    for (Index j = 0; j <= i; ++j) {
      const double* other = factor.data() + j * s;
      double sum = from[set[at(j)]];
      for (Index k = 0; k < j; ++k) sum -= row[k] * other[k];
      if (j < i) {
        row[j] = sum / other[j];
        right -= row[j] * x[at(j)];
      } else {
        if (!(sum > least_pivot(m) * from[set[at(i)]])) return false;
        row[i] = std::sqrt(sum);
        x[at(i)] = right / row[i];
      }
    }
  }
  for (Index i = s; i-- > 0;) {
    x[at(i)] /= factor[at(i * s + i)];
    for (Index j = 0; j < i; ++j) x[at(j)] -= factor[at(i * s + j)] * x[at(i)];
  }
  return true;
}

/// Minimises u' A u / 2 - 1' u over u >= 0 (Lawson & Hanson 1974, chapter 23); scaled to sum 1, u are the weights. The
/// set of positive entries grows by the steepest one and shrinks by those that would turn negative. Every set is better
/// than the one before, so that no set occurs twice.
bool solve_nonnegative(const std::vector<double>& a, Index m, WeightsScratch& scratch, std::vector<double>& u) {
  constexpr double kRounding = 1e-13;
  std::vector<Index>& set = scratch.active;
  set.clear();
  u.assign(at(m), 0);
  for (Index round = 0; round < 3 * m; ++round) {
    Index steepest = -1;
    double slope = kRounding;
    for (Index j = 0; j < m; ++j) {
      if (std::find(set.begin(), set.end(), j) != set.end()) continue;
      double gradient = 1;
      for (Index i = 0; i < m; ++i) gradient -= a[at(j * m + i)] * u[at(i)];
      if (gradient > slope) slope = gradient, steepest = j;
    }
    if (steepest < 0) break;
    set.push_back(steepest);
    for (;;) {
      if (!solve_ones(a, m, set, scratch.factor, scratch.vector)) return false;
      double step = 1;
      for (std::size_t i = 0; i < set.size(); ++i)
        if (scratch.vector[i] <= 0) step = std::min(step, u[at(set[i])] / (u[at(set[i])] - scratch.vector[i]));
      const bool is_inside = step == 1;
      for (std::size_t i = 0; i < set.size(); ++i) {
        double& value = u[at(set[i])];
        value = is_inside ? scratch.vector[i] : value + step * (scratch.vector[i] - value);
      }
      if (is_inside) break;
      const auto left = [&](Index j) { return !(u[at(j)] > kRounding * *std::max_element(u.begin(), u.end())); };
      for (const Index j : set)
        if (left(j)) u[at(j)] = 0;
      std::erase_if(set, [&](Index j) { return u[at(j)] == 0; });
      if (set.empty()) return false;
    }
  }
  return !set.empty();
}

}  // namespace

bool solve_weights(const Array2<double>& gram, const WeightsOptions& options, std::span<double> weights,
                   WeightsScratch& scratch) {
  const Index m = gram.rows();
  double trace = 0;
  for (Index a = 0; a < m; ++a) trace += gram(a, a);
  if (!(trace > 0)) {  // all members coincide with the point
    std::fill(weights.begin(), weights.end(), 1 / static_cast<double>(m));
    return true;
  }
  // The scale of the system is free: it is divided by reg if that is above 1, since reg may be 1e308.
  const double unit = std::max(1.0, options.reg);
  scratch.matrix.assign(gram.data(), gram.data() + gram.size());
  if (unit > 1)
    for (double& value : scratch.matrix) value /= unit;
  for (Index a = 0; a < m; ++a) scratch.matrix[at(a * m + a)] += options.reg / unit * trace;
  std::vector<double>& solution = options.nonnegative ? scratch.solution : scratch.vector;
  if (options.nonnegative) {
    // In units of the mean diagonal, to which kRounding is relative.
    for (double& value : scratch.matrix) value *= static_cast<double>(m) / trace;
    if (!solve_nonnegative(scratch.matrix, m, scratch, solution)) return false;
  } else {
    scratch.active.resize(at(m));
    for (Index a = 0; a < m; ++a) scratch.active[at(a)] = a;
    if (!solve_ones(scratch.matrix, m, scratch.active, scratch.factor, solution)) return false;
  }
  double sum = 0;
  for (const double value : solution) sum += value;
  if (!(std::abs(sum) > 0) || !std::isfinite(sum)) return false;
  for (Index a = 0; a < m; ++a) weights[at(a)] = solution[at(a)] / sum;
  return true;
}

WeightsOutcome solve_any_weights(Array2<double>& gram, const WeightsOptions& options, std::span<double> weights,
                                 WeightsScratch& scratch) {
  if (solve_weights(gram, options, weights, scratch)) return WeightsOutcome::Solved;
  if (options.reg == 0) return WeightsOutcome::Singular;
  make_semidefinite(gram);
  return solve_weights(gram, options, weights, scratch) ? WeightsOutcome::Corrected : WeightsOutcome::Singular;
}

}  // namespace unroll
