#include "neighbors/center_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/parallel.h"
#include "linalg/blas.h"

namespace unroll {
namespace {

double squared_norm_of(const double* row, Index size) { return std::inner_product(row, row + size, row, 0.0); }

/// Centers prepared for products with points.
class CenterSearch {
 public:
  explicit CenterSearch(const Array2<double>& centers) : centers_(centers) {
    for (Index c = 0; c < centers.rows(); ++c) {
      squares_.push_back(squared_norm_of(centers.row(c), centers.cols()));
      longest_ = std::max(longest_, std::sqrt(squares_.back()));
    }
  }

  /// scores[b * K + c] = -2 z_b . c
  void products(const double* rows, Index count, double* scores) const {
    const Index k = centers_.rows(), cols = centers_.cols();
    gemm(true, false, k, count, cols, -2.0, centers_.data(), cols, rows, cols, 0.0, scores, k);
  }

  /// The center nearest to `row` and its squared distance, given the row's products.
  std::pair<Index, double> nearest(const double* row, double* scores) const {
    const Index k = centers_.rows(), cols = centers_.cols();
    double least = std::numeric_limits<double>::infinity();
    for (Index c = 0; c < k; ++c) {
      scores[c] += squares_[static_cast<std::size_t>(c)];
      least = std::min(least, scores[c]);
    }
    // |error| <= gamma (|z| + |c|)^2 for each score and each distance, gamma = (D + 4) 2^-53. Four of them occur; the
    // bound is twice that.
    const double reach = std::sqrt(squared_norm_of(row, cols)) + longest_;
    const double limit = least + 8 * static_cast<double>(cols + 4) * 0x1p-53 * reach * reach;
    if (!std::isfinite(limit)) return {-1, 0};
    std::pair<Index, double> best{-1, std::numeric_limits<double>::infinity()};
    for (Index c = 0; c < k; ++c) {
      if (scores[c] > limit) continue;
      const double distance = squared_distance(row, centers_.row(c), cols);
      if (distance < best.second) best = {c, distance};
    }
    return best;
  }

 private:
  const Array2<double>& centers_;
  std::vector<double> squares_;
  double longest_ = 0;
};

}  // namespace

Assignment assign(const CenteredPoints& z, const Array2<double>& centers, const Run& run) {
  const SingleThreadedBlas guard;
  const Index n = z.rows(), cols = z.cols(), k = centers.rows();
  const Index grain = std::clamp<Index>((Index{1} << 16U) / std::max(k, cols), 16, 256);
  const CenterSearch search(centers);
  Assignment result{std::vector<Index>(static_cast<std::size_t>(n)), std::vector<double>(static_cast<std::size_t>(n))};
  result.inertia = parallel_reduce(
      run, n, grain, 0.0,
      [&](Index begin, Index end) {
        Array2<double> rows = Array2<double>::uninitialized(end - begin, cols);
        Array2<double> scores = Array2<double>::uninitialized(end - begin, k);
        z.pack(begin, end - begin, rows.data());
        search.products(rows.data(), end - begin, scores.data());
        double sum = 0;
        for (Index i = begin; i < end; ++i) {
          const auto [label, distance] = search.nearest(rows.row(i - begin), scores.row(i - begin));
          result.labels[static_cast<std::size_t>(i)] = label;
          result.distances[static_cast<std::size_t>(i)] = distance;
          sum += distance;
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
  return result;
}

}  // namespace unroll
