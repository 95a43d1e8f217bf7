#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "simd/kernels.h"
#include "support/runnable_kernels.h"

namespace unroll::simd {
namespace {

constexpr Index kPoints = 50, kEdges = 6;

/// A random graph and a random map of it.
struct MapUnderTest {
  explicit MapUnderTest(Index dims) : dims(dims), map(static_cast<std::size_t>(kPoints * dims)) {
    const Random random(3, "map under test");
    for (std::size_t i = 0; i < map.size(); ++i) map[i] = static_cast<float>(3 * random.normal(i));
    for (Index i = 0; i <= kPoints; ++i) offsets.push_back(i * kEdges);
    for (std::uint64_t e = 0; e < kPoints * kEdges; ++e) {
      targets.push_back(static_cast<std::int32_t>(random.below(kPoints, e, 1)));
      rates.push_back(static_cast<std::uint32_t>(random.bits(e, 2)));
    }
    for (std::int32_t i = 0; i < kPoints; ++i) names.push_back(i);
  }

  UmapEpoch epoch(Index negatives) const {
    return {.points = kPoints,
            .dims = dims,
            .map = map.data(),
            .offsets = offsets.data(),
            .targets = targets.data(),
            .rates = rates.data(),
            .forces = {1.577F, 0.895F, 1.0F},
            .step = 0.25F,
            .negatives = negatives,
            .number = 3,
            .key = {17, 4}};
  }
  std::vector<float> moved(const Kernels& kernels, UmapEpoch epoch, Index first, Index count) const {
    std::vector<float> to(static_cast<std::size_t>(count * dims));
    std::vector<std::int32_t> taken(targets.size()), counts(names.size());
    kernels.umap.list_edges(epoch, first, count, taken.data(), counts.data());
    epoch.taken = taken.data(), epoch.counts = counts.data();
    kernels.umap.move(epoch, first, count, names.data() + first, map.data() + first * dims, to.data());
    return to;
  }

  Index dims;
  std::vector<float> map;
  std::vector<Index> offsets;
  std::vector<std::int32_t> targets, names;
  std::vector<std::uint32_t> rates;
};

/// The pulls of one point, in double and by the formula.
std::vector<double> pulled(const MapUnderTest& of, const UmapEpoch& epoch, Index point) {
  const double a = 1.577, b = 0.895;
  std::vector<double> y;
  for (Index k = 0; k < of.dims; ++k)
    y.push_back(static_cast<double>(of.map[static_cast<std::size_t>(point * of.dims + k)]));
  for (Index e = point * kEdges; e < (point + 1) * kEdges; ++e) {
    const auto rate = static_cast<double>(of.rates[static_cast<std::size_t>(e)]) / 0x1p32;
    if (std::floor((epoch.number + 1) * rate + 0x1p-12) == std::floor(epoch.number * rate + 0x1p-12)) continue;
    const Index other = of.targets[static_cast<std::size_t>(e)];
    double square = 0;
    std::vector<double> difference;
    for (Index k = 0; k < of.dims; ++k) {
      difference.push_back(y[static_cast<std::size_t>(k)] -
                           static_cast<double>(of.map[static_cast<std::size_t>(other * of.dims + k)]));
      square += difference.back() * difference.back();
    }
    if (square == 0) continue;
    const double factor = -2 * a * b * std::pow(square, b - 1) / (1 + a * std::pow(square, b));
    for (Index k = 0; k < of.dims; ++k)
      y[static_cast<std::size_t>(k)] += 0.25 * std::clamp(factor * difference[static_cast<std::size_t>(k)], -4.0, 4.0);
  }
  return y;
}

TEST(UmapKernels, PullAsTheFormulaSays) {
  for (const Kernels* kernels : runnable_kernels())
    for (const Index dims : {1, 2, 3, 10}) {
      const MapUnderTest of(dims);
      const UmapEpoch epoch = of.epoch(0);
      const std::vector<float> moved = of.moved(*kernels, epoch, 0, kPoints);
      for (Index i = 0; i < kPoints; ++i)
        for (Index k = 0; k < dims; ++k)
          EXPECT_NEAR(static_cast<double>(moved[static_cast<std::size_t>(i * dims + k)]),
                      pulled(of, epoch, i)[static_cast<std::size_t>(k)], 2e-4)
              << kernels->name << ' ' << dims << ' ' << i;
    }
}

TEST(UmapKernels, APointMovesAloneAsAmongOthers) {
  for (const Kernels* kernels : runnable_kernels())
    for (const Index dims : {2, 3}) {
      const MapUnderTest of(dims);
      const UmapEpoch epoch = of.epoch(5);
      const std::vector<float> all = of.moved(*kernels, epoch, 0, kPoints);
      for (Index i = 0; i < kPoints; ++i)
        EXPECT_EQ(of.moved(*kernels, epoch, i, 1),
                  std::vector<float>(all.begin() + i * dims, all.begin() + (i + 1) * dims))
            << kernels->name << ' ' << i;
    }
}

TEST(UmapKernels, InstructionSetsAgreeUpToRounding) {
  const MapUnderTest of(2);
  const std::vector<float> expected = of.moved(v2::table, of.epoch(5), 0, kPoints);
  for (const Kernels* kernels : runnable_kernels()) {
    const std::vector<float> moved = of.moved(*kernels, of.epoch(5), 0, kPoints);
    for (std::size_t i = 0; i < moved.size(); ++i) EXPECT_NEAR(moved[i], expected[i], 1e-3) << kernels->name;
  }
}

/// A point that is nearly in the same place pushes with 2 b d / (1e-3 + d^2), which is 28 at d = 0.03: it is cut at 4.
TEST(UmapKernels, APushIsCut) {
  for (const Kernels* kernels : runnable_kernels()) {
    MapUnderTest of(2);
    std::fill(of.map.begin(), of.map.end(), 0.0F);
    std::fill(of.rates.begin(), of.rates.end(), 0xFFFFFFFFU);
    of.map[0] = 0.03F;
    UmapEpoch epoch = of.epoch(1);
    const std::array<Index, 2> one_edge{0, 1};
    epoch.offsets = one_edge.data();
    epoch.forces.a = 1e-30F;  // no pull to speak of
    const std::vector<float> moved = of.moved(*kernels, epoch, 0, 1);
    EXPECT_NEAR(static_cast<double>(moved[0] - of.map[0]), 4 * 0.25, 1e-3) << kernels->name;
    EXPECT_NEAR(static_cast<double>(moved[1]), 0, 1e-6) << kernels->name;
  }
}

/// The other end of an edge gets minus what the point moves by, in the place that the mirrors say.
TEST(UmapKernels, TheOtherEndMovesTheOtherWay) {
  for (const Kernels* kernels : runnable_kernels())
    for (const Index dims : {1, 2, 3}) {
      const MapUnderTest of(dims);
      std::vector<std::uint32_t> mirrors(of.targets.size());
      for (std::size_t e = 0; e < mirrors.size(); ++e) mirrors[e] = static_cast<std::uint32_t>(mirrors.size() - 1 - e);
      std::vector<float> shares(of.targets.size() * static_cast<std::size_t>(dims));
      UmapEpoch epoch = of.epoch(0);
      epoch.mirrors = mirrors.data(), epoch.shares = shares.data();
      const std::vector<float> moved = of.moved(*kernels, epoch, 0, kPoints);
      for (Index i = 0; i < kPoints; ++i)
        for (Index k = 0; k < dims; ++k) {
          double sum = 0;
          for (Index e = i * kEdges; e < (i + 1) * kEdges; ++e)
            sum += static_cast<double>(shares[mirrors[static_cast<std::size_t>(e)] * static_cast<std::size_t>(dims) +
                                              static_cast<std::size_t>(k)]);
          const auto place = static_cast<std::size_t>(i * dims + k);
          EXPECT_NEAR(static_cast<double>(of.map[place] - moved[place]), sum, 1e-5) << kernels->name << ' ' << i;
        }
    }
}

/// Shares are taken of edges that took part, in two parts, whose border is the end's number.
TEST(UmapKernels, SharesAreTakenOnce) {
  for (const Kernels* kernels : runnable_kernels())
    for (const Index dims : {2, 3}) {
      MapUnderTest of(dims);
      for (Index i = 0; i < kPoints; ++i)
        std::sort(of.targets.begin() + i * kEdges, of.targets.begin() + (i + 1) * kEdges);
      std::vector<float> shares(of.targets.size() * static_cast<std::size_t>(dims), 0.5F);
      UmapEpoch epoch = of.epoch(0);
      epoch.shares = shares.data();
      std::vector<std::int32_t> taken(of.targets.size()), counts(of.names.size()), cursors(of.names.size());
      kernels->umap.list_edges(epoch, 0, kPoints, taken.data(), counts.data());
      epoch.taken = taken.data(), epoch.counts = counts.data();
      std::vector<float> map = of.map;
      kernels->umap.take_shares(epoch, 0, kPoints, 20, cursors.data(), map.data());
      kernels->umap.take_shares(epoch, 0, kPoints, kPoints, cursors.data(), map.data());
      for (Index i = 0; i < kPoints; ++i) {
        int number = 0;
        for (Index e = i * kEdges; e < (i + 1) * kEdges; ++e)
          number += 4 * of.rates[static_cast<std::size_t>(e)] + (1U << 20U) < of.rates[static_cast<std::size_t>(e)];
        for (Index k = 0; k < dims; ++k) {
          const auto place = static_cast<std::size_t>(i * dims + k);
          EXPECT_NEAR(map[place] - of.map[place], 0.5 * number, 1e-5) << kernels->name << ' ' << i;
        }
        EXPECT_EQ(cursors[static_cast<std::size_t>(i)], number);
      }
    }
}

/// Points that are drawn push on average as if all did.
TEST(UmapKernels, DrawsAreUniform) {
  for (const Kernels* kernels : runnable_kernels()) {
    // One point far to the right of all others but one: how often it is pushed to the left tells how often that is
    // drawn.
    MapUnderTest of(1);
    std::fill(of.map.begin(), of.map.end(), 0.0F);
    std::fill(of.rates.begin(), of.rates.end(), 0xFFFFFFFFU);
    of.map[0] = 1, of.map[7] = 2;
    UmapEpoch epoch = of.epoch(100);
    epoch.forces.a = 1e-30F;  // no pull to speak of
    epoch.step = 1e-6F;
    double left = 0, right = 0;
    const auto push = [](double d) { return 2 * 0.895 / (1e-3 + d * d) * d; };
    double moved = 0;
    constexpr int kEpochs = 200;
    for (int number = 2; number < kEpochs; ++number) {
      epoch.number = static_cast<std::uint32_t>(number);
      epoch.key[0] = static_cast<std::uint32_t>(number * 7919);
      moved += (static_cast<double>(of.moved(*kernels, epoch, 0, 1)[0]) - 1) / 1e-6;
      right += kEdges * 100 * push(1) * (kPoints - 2) / static_cast<double>(kPoints);
      left += kEdges * 100 * push(1) / static_cast<double>(kPoints);
    }
    EXPECT_NEAR(moved / (right - left), 1, 0.02) << kernels->name;
  }
}

/// Whatever a map has come to, a move is finite: of points that coincide, or are far beyond all others.
TEST(UmapKernels, MovesAreFinite) {
  for (const Kernels* kernels : runnable_kernels())
    for (const float b : {0.1F, 0.9F, 5.0F}) {
      MapUnderTest of(2);
      for (std::size_t i = 0; i < of.map.size(); ++i) of.map[i] = i % 3 == 0 ? 0.0F : i % 3 == 1 ? 1e18F : 1e-30F;
      UmapEpoch epoch = of.epoch(5);
      epoch.forces.b = b;
      for (const float value : of.moved(*kernels, epoch, 0, kPoints)) EXPECT_TRUE(std::isfinite(value)) << b;
    }
}

}  // namespace
}  // namespace unroll::simd
