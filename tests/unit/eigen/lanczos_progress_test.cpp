#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "eigen/block_lanczos.h"

namespace unroll {
namespace {

/// Eigenvalues at equal distances, so that many restarts are needed.
BlockProduct slow_matrix(Index n) {
  return [n](const Array2<double>& x, Array2<double>& y) {
    for (Index i = 0; i < n; ++i) {
      const double value = 1 - static_cast<double>(i) / static_cast<double>(n);
      for (Index k = 0; k < x.cols(); ++k) y(i, k) = value * x(i, k);
    }
  };
}

std::vector<double> fractions(const LanczosSettings& settings) {
  constexpr Index kSize = 1000;
  std::vector<double> seen;
  Run run{.threads = 1};
  run.progress = [&](const Progress& progress) {
    if (progress.stage == "eigenvectors") seen.push_back(progress.fraction);
    return true;
  };
  leading_by_lanczos(kSize, slow_matrix(kSize), Array2<double>(kSize, 0), settings, Random(1, "test"), run);
  return seen;
}

// The number of pairs that have converged stays at none for long and then at nearly all.
TEST(LanczosProgress, RisesAllAlong) {
  for (const bool search : {false, true}) {
    const std::vector<double> seen = fractions({.count = 10, .basis = 40, .search_missed = search});
    ASSERT_GT(seen.size(), 8U);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    EXPECT_LE(seen.back(), 1);
    EXPECT_GT(seen[seen.size() / 4], 0);
    EXPECT_GT(seen[seen.size() / 2], seen[seen.size() / 4]);
    const auto late = std::count_if(seen.begin(), seen.end(), [](double fraction) { return fraction >= 0.9; });
    EXPECT_LE(late, std::ssize(seen) / 4) << "search " << search;
  }
}

// Projected on a large basis, the problem takes long enough for reports of its own.
TEST(LanczosProgress, DoesNotGoBackWhileTheProjectedProblemIsSolved) {
  const std::vector<double> seen = fractions({.count = 10, .basis = 600, .eager = true});
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

}  // namespace
}  // namespace unroll
