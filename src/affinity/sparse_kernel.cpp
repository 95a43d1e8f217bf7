#include "affinity/sparse_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "affinity/mercer_kernel.h"
#include "core/at.h"
#include "core/sparse_points.h"
#include "linalg/centered_points.h"
#include "linalg/sparse_table.h"
#include "unroll/core/error.h"

/// The sums over coordinates of pairs of sparse rows, from their inner products.
namespace unroll {
namespace {

/// |scale x|^2 of every row.
std::vector<double> squared_lengths(const SparseRows& rows, Index first, Index count, double scale) {
  std::vector<double> squares(at(count));
  rows.visit([&](const auto& x) {
    for (Index i = 0; i < count; ++i)
      for (Index e = x.begin(first + i); e < x.end(first + i); ++e) {
        const double own = scale * static_cast<double>(x.values[e]);
        squares[at(i)] += own * own;
      }
  });
  return squares;
}

/// Per row the power of two that brings its largest entry near 1: squares of 1e200 and 1e-200 leave the range.
std::vector<double> row_scales(const SparseRows& rows, Index first, Index count) {
  std::vector<double> scales(at(count));
  for (Index i = 0; i < count; ++i) {
    const double largest = largest_entry(rows.slice(first + i, 1), {.threads = 1});
    scales[at(i)] = largest == 0 ? 0 : std::ldexp(1.0, -std::clamp(std::ilogb(largest), -1000, 1000));
  }
  return scales;
}

std::vector<double> scaled_lengths(const SparseRows& rows, Index first, const std::vector<double>& scales) {
  std::vector<double> lengths;
  for (std::size_t i = 0; i < scales.size(); ++i)
    lengths.push_back(std::sqrt(squared_lengths(rows, first + static_cast<Index>(i), 1, scales[i]).front()));
  return lengths;
}

/// sum (scale x - scale y)^2 without cancellation: 0 for equal rows.
double squared_difference(const SparseRows& x, Index i, const SparseRows& y, Index j, double scale) {
  double sum = 0;
  x.visit([&](const auto& a) {
    y.visit([&](const auto& b) {
      merge_rows(a, i, b, j, [&](double u, double v) { sum += (scale * u - scale * v) * (scale * u - scale * v); });
    });
  });
  return sum;
}

}  // namespace

void check_sparse_kernel(Kernel kernel) {
  if (kernel != Kernel::Laplacian) return;
  throw Error(ErrorKind::Unsupported,
              {.problem = fmt::format("kernel={} is not for sparse points", name_of(kernel)),
               .advice = "use kernel=rbf, or reduce the points first with the option pca, e.g. pca=50",
               .option = "kernel"});
}

double fitting_sparse_gamma(PointsView points, Kernel kernel, const Run& run) {
  check_sparse_kernel(kernel);
  const CenteredPoints z = centered(points, run);
  const double gamma = static_cast<double>(points.rows()) / (4 * squared_norm(z, run)) * z.scale * z.scale;
  return std::isnormal(gamma) ? gamma : 1 / static_cast<double>(points.cols());
}

void MercerKernel::add_sparse_sums(const Range& x, const Range& y, Array2<double>& sums) const {
  const SparseRows &rows = x.points.sparse(), &others = y.points.sparse();
  const bool is_cosine = parameters_.kernel == Kernel::Cosine, is_rbf = parameters_.kernel == Kernel::Rbf;
  const std::vector<double> own = is_cosine ? row_scales(rows, x.first, x.count) : std::vector<double>();
  const std::vector<double> other = is_cosine ? row_scales(others, y.first, y.count) : std::vector<double>();
  const auto lengths = [&](const SparseRows& of, const Range& range, const std::vector<double>& scales) {
    return is_cosine ? scaled_lengths(of, range.first, scales) : squared_lengths(of, range.first, range.count, scale_);
  };
  const std::vector<double> left = lengths(rows, x, own), right = lengths(others, y, other);
  SparseTable table(rows.cols());
  std::vector<double> products;
  for (Index b = 0; b < y.count; b += SparseTable::kColumns) {
    const Index columns = std::min(SparseTable::kColumns, y.count - b);
    table.fill(others, y.first + b, columns, [&](Index j) { return is_cosine ? other[at(j - y.first)] : scale_; });
    table.multiply(rows, x.first, x.count, is_cosine ? 1 : scale_, products);
    for (Index i = 0; i < x.count; ++i)
      for (Index j = b; j < b + columns; ++j) {
        double sum = products[at(i * SparseTable::kColumns + j - b)];
        if (is_cosine) {
          const double both = left[at(i)] * right[at(j)];
          sum = both == 0 ? 0 : sum * own[at(i)] / both;
        }
        if (is_rbf) {
          constexpr double kCancelled = 1e-3;  // beyond, three digits or more of sixteen are lost
          const double both = left[at(i)] + right[at(j)];
          sum = both - 2 * sum;
          if (sum < kCancelled * both) sum = squared_difference(rows, x.first + i, others, y.first + j, scale_);
        }
        sums(i, j) += sum;
      }
    table.clear(others, y.first + b, columns);
  }
}

}  // namespace unroll
