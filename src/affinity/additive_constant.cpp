#include "affinity/additive_constant.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "affinity/centered_operator.h"
#include "core/parallel.h"
#include "eigen/eigen_problem.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// v' B(c) v as a function of c, for the B of the distances d + c (where d > 0) and a v that sums to zero:
/// v'(-d^2/2)v + c v'(-d)v + c^2 v'(-1/2 [d>0])v.
struct Quadratic {
  double constant = 0, linear = 0, square = 0;

  /// The next zero above a c where the form is negative.
  double zero_above() const {
    return (-linear + std::sqrt(std::max(0.0, linear * linear - 4 * square * constant))) / (2 * square);
  }
};

Quadratic quadratic(const Array2<double>& d, double scale, double c, const double* v, const Run& run) {
  constexpr Index kRows = 16;
  return parallel_reduce(
      run, d.rows(), kRows, Quadratic{},
      [&](Index begin, Index end) {
        Quadratic sum;
        for (Index i = begin; i < end; ++i) {
          Quadratic row;
          for (Index j = 0; j < d.cols(); ++j) {
            if (d(i, j) == 0) continue;
            const double original = scale * d(i, j) - c;
            row.constant -= 0.5 * original * original * v[j];
            row.linear -= original * v[j];
            row.square -= 0.5 * v[j];
          }
          sum.constant += v[i] * row.constant;
          sum.linear += v[i] * row.linear;
          sum.square += v[i] * row.square;
        }
        return sum;
      },
      [](Quadratic a, const Quadratic& b) {
        return Quadratic{a.constant + b.constant, a.linear + b.linear, a.square + b.square};
      });
}

void shift(Array2<double>& d, double by, const Run& run) {
  parallel_for(run, d.rows(), 64, [&](Index begin, Index end) {
    for (double* entry = d.row(begin); entry != d.row(end); ++entry)
      if (*entry > 0) *entry += by;
  });
}

bool are_copies(const Array2<double>& d, Index i, Index j) {
  constexpr double kRounding = 1e-12;
  for (Index k = 0; k < d.cols(); ++k)
    if (std::abs(d(i, k) - d(j, k)) > kRounding * std::max(d(i, k), d(j, k))) return false;
  return true;
}

}  // namespace

std::vector<Index> groups_of_copies(const Array2<double>& distances) {
  const Index n = distances.rows();
  std::vector<Index> groups(static_cast<std::size_t>(n));
  bool all_are = true;
  for (Index i = 0; i < n; ++i) {
    Index& first = groups[static_cast<std::size_t>(i)];
    first = i;
    for (Index j = 0; j < i; ++j) {
      if (distances(i, j) != 0) continue;
      const bool is_copy = are_copies(distances, i, j);
      all_are = all_are && is_copy;
      if (is_copy) first = std::min(first, groups[static_cast<std::size_t>(j)]);
    }
  }
  return all_are ? std::vector<Index>{} : groups;
}

/// The wanted c* is the largest zero of v' B(c) v over all v. For the eigenvector v of the smallest eigenvalue of B(c)
/// the next zero lies above c and not above c*: the steps to it ascend, and converge as Newton's do.
double add_constant(Array2<double>& distances, const std::vector<Index>& copies, double scale, std::uint64_t seed,
                    const Run& run) {
  constexpr int kMostSteps = 60;
  const Index n = distances.rows();
  // What is not zero is shifted: points that are no copies get the smallest distance there is.
  for (Index i = 0; i < n && !copies.empty(); ++i)
    for (Index j = 0; j < n; ++j)
      if (distances(i, j) == 0 && copies[static_cast<std::size_t>(i)] != copies[static_cast<std::size_t>(j)])
        distances(i, j) = std::numeric_limits<double>::min();
  Array2<double> constant_vector = Array2<double>::uninitialized(1, n);
  std::fill_n(constant_vector.data(), n, 1 / std::sqrt(static_cast<double>(n)));
  double c = 0;  // scaled
  for (int step = 0; step < kMostSteps; ++step) {
    const CenteredOperator b({distances.view(), Similarities::Entries::Distances, scale});
    const EigenSolution lowest =
        solve_eigenproblem(b, {.end = SpectrumEnd::Smallest, .count = 1, .known = constant_vector, .seed = seed}, run);
    const Quadratic form = quadratic(distances, scale, c, lowest.vectors.row(0), run);
    const double next = form.square > 0 ? form.zero_above() : c;
    if (lowest.values.front() >= 0 || !(next > c * (1 + 1e-12) + 1e-14)) return c / scale;
    shift(distances, (next - c) / scale, run);
    c = next;
  }
  throw Error(ErrorKind::NotConverged,
              fmt::format("the additive constant did not converge to 1e-12 of itself within {} steps; it is above {:g}",
                          kMostSteps, c / scale),
              "leave out additive_constant, or use isomap");
}

}  // namespace unroll
