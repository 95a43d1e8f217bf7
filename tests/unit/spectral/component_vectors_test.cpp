// What several components kept in one map have in common: no more of it than is asked for.
#include "spectral/component_vectors.h"

#include <gtest/gtest.h>

#include "support/matrices.h"

namespace unroll {
namespace {

Components many(Index count, Index size) {
  Components components{.sizes = std::vector<Index>(static_cast<std::size_t>(count), size)};
  for (Index i = 0; i < count * size; ++i) components.labels.push_back(i / size);
  return components;
}

TEST(ComponentVectors, ContrastsAreAsManyAsAskedFor) {
  const Array2<double> v = contrasts(many(10000, 2), 3);
  ASSERT_EQ(v.rows(), 3);
  ASSERT_EQ(v.cols(), 20000);
  for (Index a = 0; a < 3; ++a) {
    double sum = 0;
    for (Index i = 0; i < v.cols(); ++i) sum += v(a, i);
    EXPECT_NEAR(sum, 0, 1e-10);
    for (Index i = 0; i < v.cols(); ++i) ASSERT_NEAR(v(a, i), v(a, 2 * std::min<Index>(i / 2, a + 1)), 1e-14);
  }
  EXPECT_LT(orthogonality_error(v), 1e-12);
}

TEST(ComponentVectors, IndicatorsHaveLengthOne) {
  const Array2<double> v = indicators(many(4, 9));
  for (Index c = 0; c < 4; ++c)
    for (Index i = 0; i < 36; ++i) EXPECT_EQ(v(c, i), i / 9 == c ? 1.0 / 3 : 0);
}

}  // namespace
}  // namespace unroll
