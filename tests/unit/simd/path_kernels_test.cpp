#include "simd/path_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

std::vector<const simd::Kernels*> runnable() {
  std::vector<const simd::Kernels*> list{&simd::v2::table};
#if defined(__x86_64__)
  const std::string best = simd::kernels().name;
  if (best != "x86-64-v2") list.push_back(&simd::v3::table);
  if (best == "x86-64-v4") list.push_back(&simd::v4::table);
#endif
  return list;
}

template <class T>
void expect_plain_loop(const simd::Kernels& kernels) {
  constexpr Index kLanes = simd::kLabels, kVertices = 40;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const Random random(1, "labels");
  std::vector<T> labels, lengths;
  std::vector<std::int32_t> targets;
  for (std::uint64_t i = 0; i < kLanes * kVertices; ++i)
    labels.push_back(random.uniform(i) < 0.3 ? kInfinity : static_cast<T>(random.uniform(i, 1)));
  for (std::int32_t v = 0; v < kVertices; ++v) {
    targets.push_back(v);  // the last one leads to where it began
    lengths.push_back(v % 4 == 0 ? T{0} : static_cast<T>(0.4 * random.uniform(static_cast<std::uint64_t>(v), 2)));
  }
  targets.push_back(3);  // a second edge
  lengths.push_back(T{0});

  std::vector<T> expected = labels;
  std::vector<std::pair<std::int32_t, T>> expected_improved;
  const std::int32_t from = kVertices - 1;
  for (std::size_t e = 0; e < targets.size(); ++e) {
    T smallest = kInfinity;
    for (Index l = 0; l < kLanes; ++l) {
      const T sum = expected[static_cast<std::size_t>(from * kLanes + l)] + lengths[e];
      T& label = expected[static_cast<std::size_t>(targets[e] * kLanes + l)];
      if (sum < label) smallest = std::min(smallest, label = sum);
    }
    if (smallest < kInfinity) expected_improved.emplace_back(targets[e], smallest);
  }
  ASSERT_GT(expected_improved.size(), 10U);

  std::vector<simd::ImprovedVertex<T>> improved(targets.size());
  const simd::OutEdges<T> edges{targets.data(), lengths.data(), static_cast<Index>(targets.size())};
  const Index count = kernels.paths.relax<T>()(from, edges, labels.data(), improved.data());
  EXPECT_EQ(labels, expected) << kernels.name;
  ASSERT_EQ(count, static_cast<Index>(expected_improved.size())) << kernels.name;
  for (std::size_t i = 0; i < expected_improved.size(); ++i) {
    EXPECT_EQ(improved[i].vertex, expected_improved[i].first) << kernels.name;
    EXPECT_EQ(improved[i].shortest, expected_improved[i].second) << kernels.name;
  }
  EXPECT_EQ(kernels.paths.relax<T>()(from, edges, labels.data(), improved.data()), 0) << kernels.name;
}

TEST(PathKernels, RelaxLikeAPlainLoop) {
  for (const simd::Kernels* kernels : runnable()) {
    expect_plain_loop<float>(*kernels);
    expect_plain_loop<double>(*kernels);
  }
}

}  // namespace
}  // namespace unroll
