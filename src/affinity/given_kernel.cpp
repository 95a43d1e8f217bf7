#include "affinity/given_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  if (worst.is_rounding(is_float)) return;
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

/// The transpose; columns ascend because rows are visited in order.
SparseMatrix transposed(const SparseMatrix& m) {
  SparseMatrix t{.rows = m.cols, .cols = m.rows};
  t.offsets.assign(static_cast<std::size_t>(t.rows) + 1, 0);
  t.columns.resize(m.columns.size());
  t.values.resize(m.values.size());
  for (const Index column : m.columns) ++t.offsets[static_cast<std::size_t>(column) + 1];
  for (std::size_t i = 1; i < t.offsets.size(); ++i) t.offsets[i] += t.offsets[i - 1];
  std::vector<Index> next(t.offsets.begin(), t.offsets.end() - 1);
  for (Index i = 0; i < m.rows; ++i)
    for (Index e = m.offsets[static_cast<std::size_t>(i)]; e < m.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(m.columns[entry])]++);
      t.columns[to] = i;
      t.values[to] = m.values[entry];
    }
  return t;
}

/// Calls visit(i, j, a_ij, b_ij) for every place where either matrix has an entry, row by row.
template <class Visit>
void for_each_place(const SparseMatrix& a, const SparseMatrix& b, Visit&& visit) {
  for (Index i = 0; i < a.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    auto x = static_cast<std::size_t>(a.offsets[row]), y = static_cast<std::size_t>(b.offsets[row]);
    const auto x_end = static_cast<std::size_t>(a.offsets[row + 1]),
               y_end = static_cast<std::size_t>(b.offsets[row + 1]);
    while (x < x_end || y < y_end) {
      const Index left = x < x_end ? a.columns[x] : a.cols, right = y < y_end ? b.columns[y] : b.cols;
      const Index j = std::min(left, right);
      visit(i, j, left == j ? a.values[x] : 0.0, right == j ? b.values[y] : 0.0);
      if (left == j) ++x;
      if (right == j) ++y;
    }
  }
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

std::optional<SparseMatrix> check_kernel(const SparseMatrix& kernel) {
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
  const SparseMatrix other = transposed(kernel);
  Asymmetry worst{.unit = largest};
  for_each_place(kernel, other, [&](Index i, Index j, double a, double b) { worst.compare(i, j, a, b); });
  check_symmetry(worst, false);
  if (worst.difference == 0) return std::nullopt;
  SparseMatrix mean{.rows = kernel.rows, .cols = kernel.cols};
  for_each_place(kernel, other, [&](Index i, Index j, double a, double b) {
    mean.columns.push_back(j);
    mean.values.push_back(a / 2 + b / 2);
    mean.offsets.resize(static_cast<std::size_t>(i) + 2, std::ssize(mean.values) - 1);
    mean.offsets.back() = std::ssize(mean.values);
  });
  mean.offsets.resize(static_cast<std::size_t>(kernel.rows) + 1, std::ssize(mean.values));
  return mean;
}

GivenKernel::GivenKernel(const Input& input, const Run& run) {
  if (input.is_sparse()) {
    sparse = check_kernel(input.sparse());
    matrix = sparse ? &*sparse : &input.sparse();
  } else {
    full = check_kernel(input.full(), run);
    matrix = (full ? PointsView(*full) : input.full()).visit([](auto view) { return KernelMatrix(view); });
  }
}

}  // namespace unroll
