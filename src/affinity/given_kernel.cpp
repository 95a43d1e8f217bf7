#include "affinity/given_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "affinity/sparse_join.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/sparse_check.h"
#include "data/validate.h"
#include "neighbors/asymmetry.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr double kLargestGiven = 1e150;  // squares must stay in range
constexpr Index kTileRows = 64;

void check_square(Index rows, Index cols) {
  if (rows != cols)
    throw Error(ErrorKind::InvalidData,
                fmt::format("kernel=precomputed needs a square kernel matrix; this one is {} x {}", rows, cols));
}

void check_size(double largest) {
  if (largest > kLargestGiven)
    throw Error(ErrorKind::InvalidData, fmt::format("kernel values pass {:.0e}", kLargestGiven),
                "divide them by a power of ten");
}

void check_symmetry(const Asymmetry& worst, bool is_float) {
  // A matrix that went through a text file, or through products in another order, is still meant as symmetric.
  constexpr double kTolerance = 1e-8;
  if (worst.difference <= kTolerance || worst.is_rounding(is_float)) return;
  throw Error(ErrorKind::InvalidData,
              fmt::format("the kernel of points {} and {} is {}, but {} the other way: the matrix must be symmetric",
                          worst.row + 1, worst.col + 1, worst.there, worst.back),
              "average it with its transpose if that is what you mean");
}

/// Relative to the largest entry: products of points have entries near 0 that are nothing but rounding.
template <class T>
Asymmetry worst_pair(const MatrixView<T>& k, double largest, const Run& run) {
  return parallel_reduce(
      run, k.rows, kTileRows, Asymmetry{.unit = largest},
      [&](Index begin, Index end) {
        Asymmetry worst{.unit = largest};
        for (Index tile = 0; tile < end; tile += kTileRows)  // both sides of a tile stay in a cache
          for (Index i = begin; i < end; ++i)
            for (Index j = tile; j < std::min(tile + kTileRows, i); ++j)
              worst.compare(i, j, static_cast<double>(k(i, j)), static_cast<double>(k(j, i)));
        return worst;
      },
      [](const Asymmetry& before, const Asymmetry& next) { return before.or_later(next); });
}

}  // namespace

std::optional<Array2<double>> check_kernel(PointsView kernel, const Run& run) {
  const DataSummary summary = check_points(kernel, 2, run);
  check_square(kernel.rows(), kernel.cols());
  check_size(summary.max_abs);
  return kernel.visit([&](auto k) -> std::optional<Array2<double>> {
    const Asymmetry worst = worst_pair(k, summary.max_abs, run);
    check_symmetry(worst, kernel.is_float());
    if (worst.difference == 0) return std::nullopt;
    MemoryPlan plan;
    plan.add("a symmetric copy", static_cast<double>(k.rows), static_cast<double>(k.rows), sizeof(double));
    plan.require(run, "make the matrix exactly symmetric: it is then used where it is");
    Array2<double> mean = Array2<double>::uninitialized(k.rows, k.rows);
    for (Index i = 0; i < k.rows; ++i)
      for (Index j = 0; j <= i; ++j)
        mean(i, j) = mean(j, i) = static_cast<double>(k(i, j)) / 2 + static_cast<double>(k(j, i)) / 2;
    return mean;
  });
}

std::optional<SparseMatrix> check_kernel(const SparseMatrix& kernel, const Run& run) {
  check_square(kernel.rows, kernel.cols);
  if (kernel.rows < 2)
    throw Error(ErrorKind::InvalidData, fmt::format("found {} point(s) while a minimum of 2 is required", kernel.rows));
  check_structure(kernel);
  double largest = 0;
  for (const double value : kernel.values) {
    if (!std::isfinite(value)) throw Error(ErrorKind::InvalidData, "the kernel matrix contains NaN or infinity");
    largest = std::max(largest, std::abs(value));
  }
  check_size(largest);
  const SparseMatrix other = transposed(kernel, run);
  Asymmetry worst{.unit = largest};
  for (Index i = 0; i < kernel.rows; ++i)
    for_each_place(kernel, other, i, [&](Index j, const double* there, const double* back) {
      worst.compare(i, j, value_of(there), value_of(back));
    });
  check_symmetry(worst, false);
  if (worst.difference == 0) return std::nullopt;
  const auto mean = [](const double* there, const double* back) { return value_of(there) / 2 + value_of(back) / 2; };
  return joined(kernel, other, mean, run);
}

GivenKernel::GivenKernel(const Input& input, const Run& run) {
  if (input.is_sparse()) {
    sparse = check_kernel(input.sparse(), run);
    matrix = sparse ? &*sparse : &input.sparse();
  } else {
    full = check_kernel(input.full(), run);
    matrix = (full ? PointsView(*full) : input.full()).visit([](auto view) { return KernelMatrix(view); });
  }
}

}  // namespace unroll
