#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "simd/kernels.h"
#include "support/matrices.h"
#include "support/runnable_kernels.h"

namespace unroll {
namespace {

constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
constexpr float kFloatNan = std::numeric_limits<float>::quiet_NaN();

/// Rows and points with whole numbers as coordinates: products and sums are exact, whatever their order.
struct TileCase {
  TileCase(Index cols, Index row_groups, Index point_panels, std::uint64_t seed)
      : depth(cols), groups(row_groups), panels(point_panels) {
    const Random random(seed, "test.tile");
    const auto whole = [&](Index i, std::uint64_t sub) {
      return static_cast<float>(random.below(21, static_cast<std::uint64_t>(i), sub)) - 10;
    };
    for (Index i = 0; i < row_count() * depth; ++i) rows.push_back(whole(i, 1));
    for (Index i = 0; i < point_count() * depth; ++i) points.push_back(whole(i, 2));
    for (Index r = 0; r < row_count(); ++r) {
      row_norms.push_back(squares(row_count(), [&](Index c) { return row(r, c); }));
      row_limits.push_back(
          static_cast<float>(random.below(40 * static_cast<std::uint64_t>(depth), static_cast<std::uint64_t>(r), 3)));
    }
    for (Index p = 0; p < point_count(); ++p) {
      point_norms.push_back(squares(point_count(), [&](Index c) { return point(p, c); }));
      point_limits.push_back(
          static_cast<float>(random.below(40 * static_cast<std::uint64_t>(depth), static_cast<std::uint64_t>(p), 4)));
    }
  }

  Index row_count() const { return groups * simd::kRowGroup; }
  Index point_count() const { return panels * simd::kPanelPoints; }
  float row(Index r, Index c) const {
    return rows[static_cast<std::size_t>((r / simd::kRowGroup * depth + c) * simd::kRowGroup + r % simd::kRowGroup)];
  }
  float point(Index p, Index c) const {
    return points[static_cast<std::size_t>((p / simd::kPanelPoints * depth + c) * simd::kPanelPoints +
                                           p % simd::kPanelPoints)];
  }
  float value(Index r, Index p) const {
    float product = 0;
    for (Index c = 0; c < depth; ++c) product += row(r, c) * point(p, c);
    return row_norms[static_cast<std::size_t>(r)] + point_norms[static_cast<std::size_t>(p)] - 2 * product;
  }
  simd::Tile tile() const {
    return {depth, groups, rows.data(), row_norms.data(), panels, points.data(), point_norms.data()};
  }
  /// The pairs that select must find, by the definition.
  std::set<std::pair<Index, Index>> expected() const {
    std::set<std::pair<Index, Index>> pairs;
    for (Index r = 0; r < row_count(); ++r)
      for (Index p = 0; p < point_count(); ++p)
        if (value(r, p) <= row_limits[static_cast<std::size_t>(r)] ||
            value(r, p) <= point_limits[static_cast<std::size_t>(p)])
          pairs.emplace(r, p);
    return pairs;
  }
  std::set<std::pair<Index, Index>> selected(const simd::Kernels& kernels) const {
    std::vector<simd::TileHit> hits(static_cast<std::size_t>(row_count() * point_count()));
    const Index count = kernels.pairs.select(tile(), row_limits.data(), point_limits.data(), hits.data());
    std::set<std::pair<Index, Index>> pairs;
    for (Index h = 0; h < count; ++h)
      EXPECT_TRUE(pairs.emplace(hits[static_cast<std::size_t>(h)].row, hits[static_cast<std::size_t>(h)].point).second);
    return pairs;
  }

  Index depth, groups, panels;
  std::vector<float> rows = {}, points = {}, row_norms = {}, point_norms = {}, row_limits = {}, point_limits = {};

 private:
  template <class Coordinate>
  float squares(Index, Coordinate coordinate) const {
    float sum = 0;
    for (Index c = 0; c < depth; ++c) sum += coordinate(c) * coordinate(c);
    return sum;
  }
};

TEST(PairKernels, SelectFindsThePairsWithinTheLimits) {
  for (const simd::Kernels* kernels : runnable_kernels()) {
    std::uint64_t seed = 0;
    for (const Index depth : {1, 2, 7, 16, 65})
      for (const Index groups : {1, 2, 16})
        for (const Index panels : {1, 3, 12}) {
          const TileCase tile(depth, groups, panels, ++seed);
          EXPECT_EQ(tile.selected(*kernels), tile.expected()) << kernels->name << ' ' << depth;
        }
  }
}

TEST(PairKernels, SelectTakesNoPaddingAndAllWithinInfinity) {
  for (const simd::Kernels* kernels : runnable_kernels()) {
    TileCase tile(9, 3, 3, 77);
    for (std::size_t r = 0; r < tile.row_limits.size(); ++r) {
      if (r % 3 == 0) tile.row_limits[r] = -kFloatInfinity;
      if (r % 3 == 1) tile.row_limits[r] = kFloatInfinity;
      if (r % 5 == 0) tile.row_norms[r] = kFloatNan;
    }
    for (std::size_t p = 0; p < tile.point_limits.size(); ++p) {
      if (p % 2 == 0) tile.point_limits[p] = -kFloatInfinity;
      if (p % 7 == 0) tile.point_limits[p] = kFloatInfinity;
      if (p % 11 == 0) tile.point_norms[p] = kFloatNan;
    }
    const auto pairs = tile.selected(*kernels);
    EXPECT_EQ(pairs, tile.expected()) << kernels->name;
    for (const auto& [r, p] : pairs) EXPECT_TRUE(r % 5 != 0 && p % 11 != 0);
  }
}

TEST(PairKernels, Values) {
  for (const simd::Kernels* kernels : runnable_kernels())
    for (const Index depth : {1, 5, 33}) {
      const TileCase tile(depth, 2, 3, 5);
      std::vector<float> values(static_cast<std::size_t>(tile.row_count() * tile.point_count()));
      kernels->pairs.values(tile.tile(), values.data());
      for (Index r = 0; r < tile.row_count(); ++r)
        for (Index p = 0; p < tile.point_count(); ++p)
          ASSERT_EQ(values[static_cast<std::size_t>(r * tile.point_count() + p)], tile.value(r, p)) << kernels->name;
    }
}

TEST(PairKernels, SelectsValuesByTheLimitsOfRows) {
  for (const simd::Kernels* kernels : runnable_kernels())
    for (const Index depth : {1, 5, 33})
      for (const Index missing : {0, 1, 7, 13}) {
        const TileCase tile(depth, 2, 3, 7);
        std::vector<float> limits = tile.row_limits;
        for (Index r = tile.row_count() - missing; r < tile.row_count(); ++r)
          limits[static_cast<std::size_t>(r)] = -kFloatInfinity;
        std::vector<simd::TileValue> hits(static_cast<std::size_t>(tile.row_count() * tile.point_count()));
        hits.resize(static_cast<std::size_t>(kernels->pairs.select_values(tile.tile(), limits.data(), hits.data())));
        std::set<std::pair<Index, Index>> found, expected;
        for (const simd::TileValue& hit : hits) {
          ASSERT_EQ(hit.value, tile.value(hit.row, hit.point)) << kernels->name;
          ASSERT_TRUE(found.emplace(hit.row, hit.point).second);
        }
        for (Index r = 0; r < tile.row_count(); ++r)
          for (Index p = 0; p < tile.point_count(); ++p)
            if (tile.value(r, p) <= limits[static_cast<std::size_t>(r)]) expected.emplace(r, p);
        EXPECT_EQ(found, expected) << kernels->name << ", " << depth << " coordinates, " << missing << " rows missing";
      }
}

TEST(PairKernels, SumsOfFloats) {
  for (const simd::Kernels* kernels : runnable_kernels())
    for (const Index n : {0, 16, 32, 48, 64, 272}) {
      const Array2<double> exact = normal_matrix(3, std::max<Index>(1, n), 6);
      const Array2<float> x = as_float(exact);
      double shifted = 0, squared = 0, dot = 0, absolute = 0;
      for (Index j = 0; j < n; ++j) {
        const double a = x(0, j), b = x(1, j), s = x(2, j);
        shifted += (a - b + s) * (a - b + s);
        squared += (a - b) * (a - b);
        dot += a * b;
        absolute += std::abs(a * b);
      }
      EXPECT_NEAR(kernels->pairs.shifted_squared(x.row(0), x.row(1), x.row(2), n), shifted, 1e-5 * shifted);
      EXPECT_NEAR(kernels->pairs.squared_float(x.row(0), x.row(1), n), squared, 1e-5 * squared);
      EXPECT_NEAR(kernels->pairs.dot_float(x.row(0), x.row(1), n), dot, 1e-5 * absolute);
    }
}

template <class T>
void expect_row_kernels(const simd::Kernels& kernels, Index n, double unit) {
  SCOPED_TRACE(testing::Message() << kernels.name << ", " << n << " values of " << sizeof(T) << " bytes, unit "
                                  << unit);
  const simd::RowKernels<T>& rows = kernels.pairs.of<T>();
  const Array2<double> normal = normal_matrix(2, std::max<Index>(1, n), static_cast<std::uint64_t>(n) + 1);
  Array2<T> x(2, normal.cols());
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(normal.data()[i] * unit);
  if (n > 2) x(1, n / 2) = x(0, n / 2);
  const double scale = std::ldexp(1, -std::ilogb(unit));
  long double squared = 0, manhattan = 0, largest = 0, affine = 0;
  const double sx = 0.3 * unit, fx = 0.7 * scale, sy = -0.2 * unit, fy = 1.1 * scale;
  Index differing = 0;
  for (Index j = 0; j < n; ++j) {
    const long double d = scale * static_cast<long double>(x(0, j)) - scale * static_cast<long double>(x(1, j));
    squared += d * d;
    manhattan += std::abs(d);
    largest = std::max(largest, std::abs(d));
    differing += x(0, j) != x(1, j) ? 1 : 0;
    const long double a = (static_cast<long double>(x(0, j)) - sx) * fx - (static_cast<long double>(x(1, j)) - sy) * fy;
    affine += a * a;
  }
  const T* a = x.row(0);
  const T* b = x.row(1);
  const auto near = [](double got, long double expected) {
    EXPECT_LE(std::abs(static_cast<long double>(got) - expected), 1e-14L * expected);
  };
  near(rows.squared(a, b, n, scale), squared);
  near(rows.manhattan(a, b, n, scale), manhattan);
  near(rows.chebyshev(a, b, n, scale), largest);
  near(rows.squared_affine(a, sx, fx, b, sy, fy, n), affine);
  EXPECT_EQ(rows.differing(a, b, n), differing);
  // Symmetric to the bit.
  EXPECT_EQ(rows.squared(a, b, n, scale), rows.squared(b, a, n, scale));
  EXPECT_EQ(rows.manhattan(a, b, n, scale), rows.manhattan(b, a, n, scale));
  EXPECT_EQ(rows.chebyshev(a, b, n, scale), rows.chebyshev(b, a, n, scale));
  EXPECT_EQ(rows.squared_affine(a, sx, fx, b, sy, fy, n), rows.squared_affine(b, sy, fy, a, sx, fx, n));
  EXPECT_EQ(rows.squared(a, a, n, scale), 0);
}

TEST(PairKernels, RowsOfAllLengths) {
  for (const simd::Kernels* kernels : runnable_kernels())
    for (Index n = 0; n <= 70; ++n)
      for (const double unit : {1.0, 1e-30, 1e30}) {
        expect_row_kernels<double>(*kernels, n, unit);
        expect_row_kernels<float>(*kernels, n, unit);
      }
}

/// Where the product with the scale is subnormal, rounding it or not makes a difference, and must not make one between
/// the two ends.
TEST(PairKernels, SymmetricWhereProductsAreSubnormal) {
  const double scale = std::ldexp(1, -1000);
  for (const simd::Kernels* kernels : runnable_kernels())
    for (Index n = 1; n <= 70; ++n) {
      Array2<double> x = normal_matrix(2, n, static_cast<std::uint64_t>(n) + 500);
      for (Index i = 0; i < x.size(); ++i) x.data()[i] *= 1e-21;
      const auto& rows = kernels->pairs.f64;
      EXPECT_EQ(rows.manhattan(x.row(0), x.row(1), n, scale), rows.manhattan(x.row(1), x.row(0), n, scale))
          << kernels->name << ' ' << n;
      EXPECT_EQ(rows.chebyshev(x.row(0), x.row(1), n, scale), rows.chebyshev(x.row(1), x.row(0), n, scale))
          << kernels->name << ' ' << n;
    }
}

/// The largest of coordinates, the sum in order: what a tree computes is what the judge says, bit for bit, where sums
/// are of fewer than eight values.
TEST(PairKernels, LeavesOfATree) {
  constexpr double kNoPoint = std::numeric_limits<double>::quiet_NaN();
  for (const simd::Kernels* kernels : runnable_kernels())
    for (const Index count : {8, 16, 64})
      for (Index dims = 1; dims <= 20; ++dims) {
        SCOPED_TRACE(testing::Message() << kernels->name << ", " << count << " points, " << dims << " dimensions");
        const Array2<double> x = normal_matrix(count, dims, static_cast<std::uint64_t>(dims));
        const Array2<double> query = normal_matrix(1, dims, 99);
        const Index present = count - 3;
        std::vector<double> leaf(static_cast<std::size_t>(count * dims));
        for (Index i = 0; i < count; ++i)
          for (Index d = 0; d < dims; ++d)
            leaf[static_cast<std::size_t>(d * count + i)] = i < present ? x(i, d) : kNoPoint;
        const auto check = [&](auto kernel, auto judge, auto exact) {
          std::vector<double> values(static_cast<std::size_t>(count)), again(values.size());
          kernel(query.data(), leaf.data(), dims, count, 0.0, values.data());
          std::vector<double> limits{-1.0, 0.0, std::numeric_limits<double>::infinity(), values[0], values[5]};
          for (const double limit : limits) {
            const std::uint64_t near = kernel(query.data(), leaf.data(), dims, count, limit, again.data());
            for (Index i = 0; i < count; ++i) {
              const double value = again[static_cast<std::size_t>(i)];
              EXPECT_EQ((near >> i & 1) != 0, value <= limit) << i;
              if (i >= present) continue;  // no comparison holds there
              EXPECT_EQ(value, values[static_cast<std::size_t>(i)]);
              if (dims < 8) {
                EXPECT_EQ(value, judge(x.row(i), query.data(), dims, 1.0)) << i;
              }
              EXPECT_NEAR(value, exact(i), 1e-13 * exact(i));
            }
            if (count < 64) {
              EXPECT_EQ(near >> count, 0U);
            }
          }
          const std::uint64_t all =
              kernel(query.data(), leaf.data(), dims, count, std::numeric_limits<double>::infinity(), again.data());
          EXPECT_EQ(all, (std::uint64_t{1} << present) - 1);
        };
        const auto sum = [&](auto term) {
          return [&, term](Index i) {
            double total = 0;
            for (Index d = 0; d < dims; ++d) total = term(total, std::abs(x(i, d) - query(0, d)));
            return total;
          };
        };
        const auto& pairs = kernels->pairs;
        check(pairs.leaf_squared, pairs.f64.squared, sum([](double s, double d) { return s + d * d; }));
        check(pairs.leaf_manhattan, pairs.f64.manhattan, sum([](double s, double d) { return s + d; }));
        check(pairs.leaf_chebyshev, pairs.f64.chebyshev, sum([](double s, double d) { return std::max(s, d); }));
      }
}

}  // namespace
}  // namespace unroll
