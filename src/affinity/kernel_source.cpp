#include "affinity/kernel_source.h"

#include <algorithm>

#include "core/owned_points.h"
#include "core/parallel.h"

namespace unroll {
namespace {

template <class T>
double entry(const MatrixView<T>& k, Index i, Index j) {
  return static_cast<double>(k(i, j));
}
double entry(const SparseMatrix* k, Index i, Index j) {
  const auto begin = k->columns.begin() + k->offsets[static_cast<std::size_t>(i)];
  const auto end = k->columns.begin() + k->offsets[static_cast<std::size_t>(i) + 1];
  const auto found = std::lower_bound(begin, end, j);
  return found != end && *found == j ? k->values[static_cast<std::size_t>(found - k->columns.begin())] : 0;
}

template <class T>
Index points_of(const MatrixView<T>& k) {
  return k.rows;
}
Index points_of(const SparseMatrix* k) { return k->rows; }

/// K(rows, chosen) for `count` rows; row i is row_at(i).
template <class K, class RowAt>
Array2<double> entries(const K& k, Index count, const RowAt& row_at, const std::vector<Index>& chosen, const Run& run) {
  constexpr Index kRows = 256;
  Array2<double> result = Array2<double>::uninitialized(count, std::ssize(chosen));
  parallel_for(run, count, kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index c = 0; c < result.cols(); ++c) result(i, c) = entry(k, row_at(i), chosen[static_cast<std::size_t>(c)]);
  });
  return result;
}

}  // namespace

ColumnSource columns_of(const MercerKernel& kernel, PointsView points, const Run& run) {
  return {.size = points.rows(),
          .diagonal = kernel.diagonal(points, run),
          .columns =
              [&kernel, points, run](const std::vector<Index>& chosen) {
                const OwnedPoints some = copied(points, chosen);
                return kernel.rows(points, view_of(some), run);
              },
          .square =
              [&kernel, points, run](const std::vector<Index>& chosen) {
                const OwnedPoints some = copied(points, chosen);
                return kernel.rows(view_of(some), view_of(some), run);
              }};
}

ColumnSource columns_of(const KernelMatrix& kernel, const Run& run) {
  return std::visit(
      [&run, &kernel](const auto& k) {
        const Index n = points_of(k);
        return ColumnSource{.size = n,
                            .diagonal = diagonal_of(kernel),
                            .columns =
                                [k, n, run](const std::vector<Index>& chosen) {
                                  return entries(
                                      k, n, [](Index i) { return i; }, chosen, run);
                                },
                            .square =
                                [k, run](const std::vector<Index>& chosen) {
                                  const auto at = [&](Index i) { return chosen[static_cast<std::size_t>(i)]; };
                                  return entries(k, std::ssize(chosen), at, chosen, run);
                                }};
      },
      kernel);
}

std::vector<double> diagonal_of(const KernelMatrix& kernel) {
  return std::visit(
      [](const auto& k) {
        std::vector<double> diagonal;
        for (Index i = 0; i < points_of(k); ++i) diagonal.push_back(entry(k, i, i));
        return diagonal;
      },
      kernel);
}

}  // namespace unroll
