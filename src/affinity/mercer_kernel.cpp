#include "affinity/mercer_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "affinity/sparse_kernel.h"
#include "core/archive.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/sparse_points.h"
#include "data/column_statistics.h"
#include "linalg/centered_points.h"
#include "simd/kernels.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kBlockSide = 128;  // side of the block computed from one packing of points: 128 KiB of values
constexpr Index kDepth = 512;      // coordinates packed at once
constexpr double kLargest = 1e150;

bool is_translation_invariant(const KernelParameters& parameters) {
  return parameters.is_local() || (parameters.kernel == Kernel::Linear && parameters.up_to_centering);
}

/// Scales the row to length one; zeros stay zeros. It is first scaled by a power of two: squares of 1e200 and 1e-200
/// leave the range.
void scale_to_unit(double* row, Index cols) {
  double largest = 0;
  for (Index j = 0; j < cols; ++j) largest = std::max(largest, std::abs(row[j]));
  if (largest == 0) return;
  const int exponent = std::ilogb(largest);
  double sum = 0;
  for (Index j = 0; j < cols; ++j) {
    row[j] = std::ldexp(row[j], -exponent);
    sum += row[j] * row[j];
  }
  const double norm = std::sqrt(sum);
  for (Index j = 0; j < cols; ++j) row[j] /= norm;
}

/// v^degree by squaring.
double power(double v, std::int64_t degree) {
  double result = 1;
  for (; degree > 0; degree /= 2, v *= v)
    if (degree % 2 == 1) result *= v;
  return result;
}

/// (u + c)^degree - c^degree without cancellation for small u: d_(m+1) = d_m (u + c) + u c^m.
double power_less_constant(double u, double c, std::int64_t degree) {
  constexpr std::int64_t kMostTerms = 64;
  if (degree > kMostTerms) return power(u + c, degree) - power(c, degree);
  double difference = 0, constant = 1;
  for (std::int64_t m = 0; m < degree; ++m, constant *= c) difference = difference * (u + c) + u * constant;
  return difference;
}

/// tanh of every entry, from tanh |u| = -e / (2 + e), e = exp(-2 |u|) - 1.
std::vector<double> tanh_all(const double* u, Index count) {
  std::vector<double> e(static_cast<std::size_t>(count));
  std::transform(u, u + count, e.begin(), [](double v) { return std::abs(v); });
  simd::kernels().tiles.expm1(e.data(), count, -2, e.data());
  std::transform(u, u + count, e.begin(), e.begin(), [](double v, double m) { return std::copysign(m / (2 + m), v); });
  return e;
}

/// tanh(u + c), or tanh(u + c) - tanh(c), by tanh a - tanh b = tanh(a - b) (1 - tanh a tanh b).
void sigmoid(double* u, Index count, double c, bool less_constant) {
  const std::vector<double> own = less_constant ? tanh_all(u, count) : std::vector<double>();
  for (Index i = 0; i < count; ++i) u[i] += c;
  const std::vector<double> sum = tanh_all(u, count);
  std::copy(sum.begin(), sum.end(), u);
  const double constant = std::tanh(c);
  for (std::size_t i = 0; i < own.size(); ++i) u[i] = own[i] * (1 - sum[i] * constant);
}

[[noreturn]] void throw_too_large(const KernelParameters& parameters) {
  throw Error(ErrorKind::InvalidData,
              fmt::format("values of kernel={} pass {:.0e}", name_of(parameters.kernel), kLargest),
              fmt::format("use scale=standardize{}",
                          parameters.kernel == Kernel::Polynomial ? ", or a smaller gamma or degree" : ""));
}

}  // namespace

MercerKernel::MercerKernel(PointsView training, const KernelParameters& parameters, const Run& run)
    : parameters_(parameters), center_(static_cast<std::size_t>(training.cols())) {
  if (training.is_sparse()) {
    check_sparse_kernel(parameters.kernel);
    if (parameters.kernel != Kernel::Cosine) scale_ = unit_scale(largest_entry(training.sparse(), run));
  } else if (parameters.kernel != Kernel::Cosine) {
    CenteredPoints z = centered(training, run);
    scale_ = z.scale;
    if (is_translation_invariant(parameters)) center_ = std::move(z.center);
  }
  learn_factor();
}

void MercerKernel::learn_factor() {
  switch (parameters_.kernel) {
    case Kernel::Cosine: factor_ = 1; break;
    case Kernel::Linear: factor_ = 1 / scale_ / scale_; break;
    case Kernel::Laplacian: factor_ = parameters_.gamma / scale_; break;
    default: factor_ = parameters_.gamma / scale_ / scale_;
  }
  factor_ = std::min(factor_, std::numeric_limits<double>::max());  // infinity times a distance of 0 would be NaN
}

void MercerKernel::pack(const Range& range, Index first_col, Index col_count, double* out) const {
  range.points.visit([&](auto x) {
    using T = std::remove_cvref_t<decltype(*x.data)>;
    if (parameters_.kernel == Kernel::Cosine) {  // needs whole rows
      std::vector<double> row(static_cast<std::size_t>(x.cols));
      for (Index i = 0; i < range.count; ++i) {
        std::copy_n(x.row(range.first + i), x.cols, row.data());
        scale_to_unit(row.data(), x.cols);
        std::copy_n(row.data() + first_col, col_count, out + i * col_count);
      }
    } else {
      simd::kernels().of<T>().pack(x.row(range.first) + first_col, x.stride, range.count, col_count, scale_,
                                   center_.data() + first_col, out);
    }
  });
}

/// Adds the sums over coordinates of all pairs of an x and a y; rows of `sums` are padded to whole panels.
void MercerKernel::add_sums(const Range& x, const Range& y, Array2<double>& sums) const {
  if (x.points.is_sparse()) return add_sparse_sums(x, y, sums);
  const simd::TileKernels& tiles = simd::kernels().tiles;
  const auto add = parameters_.kernel == Kernel::Rbf         ? tiles.add_squared_differences
                   : parameters_.kernel == Kernel::Laplacian ? tiles.add_differences
                                                             : tiles.add_products;
  const Index cols = x.points.cols(), width = std::min(cols, kDepth), panels = sums.cols() / simd::kPanel;
  Array2<double> rows = Array2<double>::uninitialized(std::max(x.count, y.count), width);
  Array2<double> panelled(panels * width, simd::kPanel);
  for (Index col = 0; col < cols; col += width) {
    const Index depth = std::min(width, cols - col);
    pack(y, col, depth, rows.data());
    for (Index i = 0; i < y.count; ++i)
      for (Index j = 0; j < depth; ++j)
        panelled(i / simd::kPanel * depth + j, i % simd::kPanel) = rows.data()[i * depth + j];
    pack(x, col, depth, rows.data());
    add({.depth = depth,
         .rows = x.count,
         .row = rows.data(),
         .panels = panels,
         .points = panelled.data(),
         .out = sums.data(),
         .stride = sums.cols()});
  }
}

void MercerKernel::to_values(double* v, Index count) const {
  const simd::TileKernels& tiles = simd::kernels().tiles;
  switch (parameters_.kernel) {
    case Kernel::Rbf:
    case Kernel::Laplacian: (parameters_.up_to_centering ? tiles.expm1 : tiles.exp)(v, count, -factor_, v); return;
    case Kernel::Sigmoid:
      for (Index i = 0; i < count; ++i) v[i] *= factor_;
      sigmoid(v, count, parameters_.coef0, parameters_.up_to_centering);
      return;
    case Kernel::Polynomial:
      for (Index i = 0; i < count; ++i)
        v[i] = parameters_.up_to_centering ? power_less_constant(factor_ * v[i], parameters_.coef0, parameters_.degree)
                                           : power(factor_ * v[i] + parameters_.coef0, parameters_.degree);
      break;
    default:
      for (Index i = 0; i < count; ++i) v[i] *= factor_;
  }
  if (!std::all_of(v, v + count, [](double value) { return std::abs(value) <= kLargest; }))
    throw_too_large(parameters_);
}

/// k(x, y) for all pairs, in rows padded to whole panels.
Array2<double> MercerKernel::tile(const Range& x, const Range& y) const {
  Array2<double> values(x.count, block_count(y.count, simd::kPanel) * simd::kPanel);
  add_sums(x, y, values);
  to_values(values.data(), values.size());
  return values;
}

template <class T>
Array2<T> MercerKernel::matrix(PointsView points, const Run& run) const {
  const Index n = points.rows();
  std::vector<std::pair<Index, Index>> corners;
  for (Index a = 0; a < n; a += kBlockSide)
    for (Index b = a; b < n; b += kBlockSide) corners.emplace_back(a, b);
  Array2<T> k = Array2<T>::uninitialized(n, n);
  const auto rounded = [](double value) { return static_cast<T>(value); };
  parallel_for(
      run, std::ssize(corners), 1,
      [&](Index task, Index) {
        const auto [a, b] = corners[static_cast<std::size_t>(task)];
        const Index rows = std::min(kBlockSide, n - a), cols = std::min(kBlockSide, n - b);
        const Array2<double> values = tile({points, a, rows}, {points, b, cols});
        for (Index i = 0; i < rows; ++i) std::transform(values.row(i), values.row(i) + cols, k.row(a + i) + b, rounded);
        if (a == b) return;
        for (Index part = 0; part < cols; part += simd::kPanel)  // a cache line of every row at a time
          for (Index i = 0; i < rows; ++i)
            for (Index j = part; j < std::min(part + simd::kPanel, cols); ++j) k(b + j, a + i) = rounded(values(i, j));
      },
      "kernel matrix");
  return k;
}

template Array2<double> MercerKernel::matrix(PointsView, const Run&) const;
template Array2<float> MercerKernel::matrix(PointsView, const Run&) const;

Array2<double> MercerKernel::rows(PointsView x, PointsView y, const Run& run) const {
  const Index columns = block_count(y.rows(), kBlockSide);
  Array2<double> k = Array2<double>::uninitialized(x.rows(), y.rows());
  parallel_for(run, block_count(x.rows(), kBlockSide) * columns, 1, [&](Index task, Index) {
    const Index a = task / columns * kBlockSide, b = task % columns * kBlockSide;
    const Index rows = std::min(kBlockSide, x.rows() - a), cols = std::min(kBlockSide, y.rows() - b);
    const Array2<double> values = tile({x, a, rows}, {y, b, cols});
    for (Index i = 0; i < rows; ++i) std::copy_n(values.row(i), cols, k.row(a + i) + b);
  });
  return k;
}

std::vector<double> MercerKernel::diagonal(PointsView points, const Run& run) const {
  std::vector<double> values(static_cast<std::size_t>(points.rows()), parameters_.up_to_centering ? 0.0 : 1.0);
  if (parameters_.is_local()) return values;
  parallel_for(run, points.rows(), simd::kPanel, [&](Index begin, Index end) {
    const Range range{points, begin, end - begin};
    const Array2<double> square = tile(range, range);
    for (Index i = begin; i < end; ++i) values[static_cast<std::size_t>(i)] = square(i - begin, i - begin);
  });
  return values;
}

double MercerKernel::suggested_gamma(PointsView points) const {
  constexpr std::uint64_t kPairs = 1000;
  const Random random(0, "affinity.suggested_gamma");
  const auto n = static_cast<std::uint64_t>(points.rows());
  std::vector<double> sums;
  for (std::uint64_t p = 0; p < kPairs; ++p) {
    const auto i = static_cast<Index>(random.below(n, p, 0)), j = static_cast<Index>(random.below(n, p, 1));
    Array2<double> sum(1, simd::kPanel);
    add_sums({points, i, 1}, {points, j, 1}, sum);
    if (sum(0, 0) > 0) sums.push_back(sum(0, 0));
  }
  if (sums.empty()) return 0;
  std::nth_element(sums.begin(), sums.begin() + std::ssize(sums) / 2, sums.end());
  const double median = sums[sums.size() / 2];  // over z; scale_ converts it to x
  return parameters_.kernel == Kernel::Rbf ? scale_ / median * scale_ / 2 : scale_ / median;
}

void MercerKernel::save(ArchiveWriter& archive) const {
  archive.put("kernel.name", name_of(parameters_.kernel));
  archive.put("kernel.gamma", parameters_.gamma);
  archive.put("kernel.degree", parameters_.degree);
  archive.put("kernel.coef0", parameters_.coef0);
  archive.put("kernel.up_to_centering", std::int64_t{parameters_.up_to_centering ? 1 : 0});
  archive.put("kernel.scale", scale_);
  archive.put("kernel.center", center_);
}

MercerKernel MercerKernel::load(const ArchiveReader& archive, Index n_features) {
  KernelParameters parameters{.kernel = load_choice<Kernel>(archive, "kernel.name"),
                              .gamma = archive.real("kernel.gamma"),
                              .degree = archive.integer("kernel.degree"),
                              .coef0 = archive.real("kernel.coef0"),
                              .up_to_centering = archive.flag("kernel.up_to_centering")};
  if (parameters.kernel == Kernel::Precomputed) archive.fail("kernel.name", "is no function of two points");
  if (parameters.gamma <= 0) archive.fail("kernel.gamma", "must be positive");
  if (parameters.degree < 1) archive.fail("kernel.degree", "must be positive");
  MercerKernel kernel(parameters);
  kernel.scale_ = archive.real("kernel.scale");
  kernel.center_ = archive.reals("kernel.center");
  int exponent = 0;
  if (std::frexp(kernel.scale_, &exponent) != 0.5) archive.fail("kernel.scale", "must be a power of two");
  if (std::ssize(kernel.center_) != n_features)
    archive.fail("kernel.center", "has another length than there are features");
  kernel.learn_factor();
  return kernel;
}

double fitting_gamma(PointsView points, Kernel kernel, const Run& run) {
  if (points.is_sparse()) return fitting_sparse_gamma(points, kernel, run);
  const ColumnRanges ranges = column_ranges(points, run);
  const std::vector<double> deviations = column_deviations(points, ranges, column_means(points, ranges, run), run);
  double squares = 0, sum = 0;
  for (const double deviation : deviations) {
    squares += deviation * deviation;
    sum += deviation;
  }
  // The mean of |x - y|^2 is 2 var; of |x - y|, for a normal distribution, 2 / sqrt(pi) deviations.
  const double gamma = kernel == Kernel::Rbf ? 1 / (4 * squares) : std::sqrt(std::numbers::pi) / (2 * sum);
  return std::isnormal(gamma) ? gamma : 1 / static_cast<double>(points.cols());
}

}  // namespace unroll
