// Forces along edges, against their definition.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/random.h"
#include "simd/kernels.h"
#include "support/runnable_kernels.h"

namespace unroll::simd {
namespace {

constexpr Index kPulledPoints = 40;

/// Points with 0, 8 or 16 edges, the last two of which have no weight.
struct EdgesUnderTest {
  EdgesUnderTest() {
    const Random random(5, "edges under test");
    offsets.push_back(0);
    for (Index i = 0; i < kPulledPoints; ++i) {
      const Index count = i % 3 * kEdgeGroup;
      for (Index e = 0; e < count; ++e) {
        const auto at = static_cast<std::uint64_t>(columns.size());
        columns.push_back(static_cast<std::int32_t>(random.below(kPulledPoints, at, 0)));
        weights.push_back(e + 2 < count ? static_cast<float>(random.below(100, at, 1)) / 100 : 0);
      }
      offsets.push_back(static_cast<Index>(columns.size()));
    }
  }
  LayoutEdges view() const { return {offsets.data(), columns.data(), weights.data()}; }

  std::vector<Index> offsets;
  std::vector<std::int32_t> columns;
  std::vector<float> weights;
};

/// A map in both precisions.
struct MapsUnderTest {
  explicit MapsUnderTest(Index dims) : fine(static_cast<std::size_t>(kPulledPoints * dims)) {
    const Random random(6, "maps under test");
    for (std::size_t i = 0; i < fine.size(); ++i) fine[i] = static_cast<float>(4 * random.normal(i));
    rounded.resize(static_cast<std::size_t>(kPulledPoints * edge_stride(dims)));
    for (Index i = 0; i < kPulledPoints; ++i)
      for (Index d = 0; d < dims; ++d)
        rounded[static_cast<std::size_t>(i * edge_stride(dims) + d)] =
            static_cast<float>(fine[static_cast<std::size_t>(i * dims + d)]);
  }
  std::vector<double> fine;
  std::vector<float> rounded;
};

TEST(SparsePullKernels, AreTheSumsThatDefineThem) {
  const EdgesUnderTest edges;
  for (const Kernels* kernels : runnable_kernels())
    for (const Index dims : {1, 2, 3, 5})
      for (const double inverse_dof : {1.0, 0.5}) {
        SCOPED_TRACE(testing::Message() << kernels->name << ", " << dims << " dimensions, 1 / dof " << inverse_dof);
        const MapsUnderTest maps(dims);
        const auto y = [&](Index i, Index d) { return maps.fine[static_cast<std::size_t>(i * dims + d)]; };
        const Index begin = 3;
        std::vector<double> force(static_cast<std::size_t>((kPulledPoints - begin) * dims), 7.0);
        kernels->edges.pull(edges.view(), maps.rounded.data(), dims, static_cast<float>(inverse_dof), begin,
                            kPulledPoints, force.data());
        double logs = 0;
        for (Index i = begin; i < kPulledPoints; ++i) {
          std::vector<double> expected(static_cast<std::size_t>(dims));
          for (Index e = edges.offsets[static_cast<std::size_t>(i)]; e < edges.offsets[static_cast<std::size_t>(i) + 1];
               ++e) {
            const Index c = edges.columns[static_cast<std::size_t>(e)];
            const auto p = static_cast<double>(edges.weights[static_cast<std::size_t>(e)]);
            double squared = 0;
            for (Index d = 0; d < dims; ++d) squared += std::pow(y(i, d) - y(c, d), 2);
            for (Index d = 0; d < dims; ++d)
              expected[static_cast<std::size_t>(d)] += p * (y(i, d) - y(c, d)) / (1 + squared * inverse_dof);
            logs += p * std::log1p(squared * inverse_dof);
          }
          for (Index d = 0; d < dims; ++d)
            EXPECT_NEAR(force[static_cast<std::size_t>((i - begin) * dims + d)], expected[static_cast<std::size_t>(d)],
                        1e-5)
                << i << " " << d;
        }
        EXPECT_NEAR(kernels->edges.log_tails(edges.view(), maps.fine.data(), dims, inverse_dof, begin, kPulledPoints),
                    logs, 1e-12 * logs);
      }
}

}  // namespace
}  // namespace unroll::simd
