#include "sources/residual_variance.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/random.h"

namespace unroll {
namespace {

constexpr Index kPairs = 2'000'000;

/// Sums of products of given distances x and those y of the map, for every number of coordinates.
struct Moments {
  double count = 0, x = 0, xx = 0;
  std::vector<double> y = {}, yy = {}, xy = {};

  explicit Moments(std::size_t dimensions = 0) : y(dimensions), yy(dimensions), xy(dimensions) {}

  void add(double given, std::size_t k, double mapped) {
    y[k] += mapped;
    yy[k] += mapped * mapped;
    xy[k] += given * mapped;
  }
  Moments& operator+=(const Moments& other) {
    count += other.count, x += other.x, xx += other.xx;
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += other.y[k], yy[k] += other.yy[k], xy[k] += other.xy[k];
    return *this;
  }
  double residual(std::size_t k) const {
    const double vx = xx - x * x / count, vy = yy[k] - y[k] * y[k] / count, cov = xy[k] - x * y[k] / count;
    return vx > 0 && vy > 0 ? std::max(0.0, 1 - cov * cov / (vx * vy)) : 1;
  }
};

}  // namespace

template <class T>
std::vector<double> residual_variance(MatrixView<T> distances, const std::vector<Index>& sources,
                                      const Array2<double>& coordinates, std::uint64_t seed, const Run& run) {
  const Index n = distances.cols, most_rows = std::min<Index>(distances.rows, 500);
  const std::vector<Index> rows = Random(seed, "residual_variance.rows").sample(distances.rows, most_rows);
  const std::vector<Index> columns =
      Random(seed, "residual_variance.columns").sample(n, std::min(n, kPairs / most_rows));
  const auto dimensions = static_cast<std::size_t>(coordinates.cols());
  // A correlation has no unit: coordinates as large as 1e200 are scaled to at most 1.
  double largest = 0;
  for (Index i = 0; i < coordinates.size(); ++i) largest = std::max(largest, std::abs(coordinates.data()[i]));
  const double unit = largest > 0 ? 1 / largest : 1;
  const Moments sums = parallel_reduce(
      run, most_rows, 8, Moments(dimensions),
      [&](Index begin, Index end) {
        Moments part(dimensions);
        for (Index r = begin; r < end; ++r) {
          const Index row = rows[static_cast<std::size_t>(r)], i = sources[static_cast<std::size_t>(row)];
          for (const Index j : columns) {
            const auto given = static_cast<double>(distances(row, j));
            if (j == i || !std::isfinite(given)) continue;
            ++part.count, part.x += given, part.xx += given * given;
            double squared = 0;
            for (std::size_t k = 0; k < dimensions; ++k) {
              const double difference =
                  (coordinates(i, static_cast<Index>(k)) - coordinates(j, static_cast<Index>(k))) * unit;
              part.add(given, k, std::sqrt(squared += difference * difference));
            }
          }
        }
        return part;
      },
      [](Moments a, const Moments& b) { return a += b; });
  std::vector<double> result;
  for (std::size_t k = 0; k < dimensions; ++k) result.push_back(sums.residual(k));
  return result;
}

std::optional<Index> elbow(const std::vector<double>& residual_variance) {
  constexpr double kElbowRatio = 2, kZeroVariance = 1e-12;
  std::optional<Index> last;
  double before = 1;
  for (std::size_t k = 0; k < residual_variance.size(); ++k) {
    const double now = std::max(residual_variance[k], kZeroVariance);
    if (before >= kElbowRatio * now) last = static_cast<Index>(k) + 1;
    before = now;
  }
  // Whether the next dimension would halve it, too, is not known.
  const bool is_last = last && *last == std::ssize(residual_variance);
  if (is_last && residual_variance.back() > kZeroVariance) return std::nullopt;
  return last;
}

template std::vector<double> residual_variance(MatrixView<float>, const std::vector<Index>&, const Array2<double>&,
                                               std::uint64_t, const Run&);
template std::vector<double> residual_variance(MatrixView<double>, const std::vector<Index>&, const Array2<double>&,
                                               std::uint64_t, const Run&);

}  // namespace unroll
