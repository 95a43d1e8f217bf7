#include "layout/band_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "affinity/fuzzy_set.h"
#include "layout/layout_start.h"
#include "support/matrices.h"
#include "support/strips.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

double correlation_across(const Array2<double>& strip) {
  const SparseMatrix graph = fuzzy_set(neighbors(strip, {.n_neighbors = 15}).graph, {}, {});
  const std::vector<double> found = places_across(spectral_start(graph, 14, 0, {}).coordinates);
  Array2<double> across(strip.rows(), 1);
  std::copy(found.begin(), found.end(), across.data());
  return correlation(strip, 1, across, 0);
}

/// The fourth harmonic of a strip of four times its width has nearly the eigenvalue of the first vector across it.
/// Noise mixes them, so that no eigenvector alone is the place across.
TEST(BandStart, TellsTheSidesOfAStripThroughout) {
  for (const double length : {3.0, 4.0, 4.26, 6.0})
    EXPECT_GT(correlation_across(random_strip(3000, length, 1)), 0.9) << length;
}

TEST(BandStart, FewAndEqualPointsAreDefined) {
  EXPECT_EQ(places_across(Array2<double>(5, 3)), std::vector<double>(5));
  EXPECT_EQ(places_across(Array2<double>(1, 3)), std::vector<double>(1));
  for (const double place : places_across(normal_matrix(40, 4, 1))) EXPECT_TRUE(std::isfinite(place));
}

}  // namespace
}  // namespace unroll
