// The fuzzy graph beside that of umap-learn 0.5.3: fuzzy_simplicial_set with 5 neighbours (the point itself is one of
// them), discrete_metric_simplicial_set_intersection and general_simplicial_set_intersection.
//
// umap-learn stops the search of sigma when memberships sum to log2(k) within 1e-5; ours are exact. That is all that
// the two differ by: with sigma by its rule, everything agrees to 5e-7, the digits of its single precision
// (WithItsSigma). So memberships differ by 4.4e-6 at most. Supervised graphs divide every row by its largest entry,
// which is as small as 0.37 by labels and 0.11 by numbers, and the difference grows by that: to 7.4e-6 and to 2.6e-5.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "affinity/fuzzy_set.h"
#include "affinity/fuzzy_target.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

constexpr Index kFuzzySize = 10, kFuzzyOthers = 4;

/// The last point is a copy of the first.
constexpr std::array kFuzzyPlaces{-0.652, -0.175, 1.664, 0.659, -1.641, -0.005, -0.623, 0.149, -1.608, 0.242,
                                  0.235,  1.576,  0.317, 0.511, -1.493, 2.253,  -1.916, 1.102, -0.652, -0.175};
constexpr std::array<std::int64_t, kFuzzySize> kFuzzyLabels{0, 0, 1, 1, -1, 0, 1, 2, 2, -1};
constexpr std::array kFuzzyNumbers{.13, .57, .91, 1.44, 2.26, 2.73, 3.18, 4.51, 5.07, 7.02};

// clang-format off
constexpr std::array<double, 100> kUnion{
    0.0, 0.2970808, 0.5387356, 1, 0.500723, 0, 0.3206272, 0, 0, 1,
    0.2970808, 0, 0, 0.3382876, 0, 0.8311974, 1, 0, 0, 0,
    0.5387356, 0, 0, 0.4324535, 1, 0, 0, 0.3476578, 0.6051064, 0.5387356,
    1, 0.3382876, 0.4324535, 0, 0.5291672, 0.4804251, 1, 0, 0.2160954, 1,
    0.500723, 0, 1, 0.5291672, 0, 0, 0, 0.4478973, 0.9999999, 0.1526534,
    0, 0.8311974, 0, 0.4804251, 0, 0, 1, 0.7063835, 0, 0,
    0.3206272, 1, 0, 1, 0, 1, 0, 0, 0, 0.3206272,
    0, 0, 0.3476578, 0, 0.4478973, 0.7063835, 0, 0, 1, 0,
    0, 0, 0.6051064, 0.2160954, 0.9999999, 0, 0, 1, 0, 0,
    1, 0, 0.5387356, 1, 0.1526534, 0, 0.3206272, 0, 0, 0};
constexpr std::array<double, 100> kMixed{
    0.0, 0.07480957, 0.2195422, 1, 0.1816788, 0, 0.0828471, 0, 0, 1,
    0.07480957, 0, 0, 0.08919453, 0, 0.5228697, 0.3, 0, 0, 0,
    0.2195422, 0, 0, 0.1273556, 1, 0, 0, 0.08751864, 0.2034241, 0.2195422,
    1, 0.08919453, 0.1273556, 0, 0.2073114, 0.1536525, 0.4099331, 0, 0.04137573, 1,
    0.1816788, 0, 1, 0.2073114, 0, 0, 0, 0.1337669, 0.6530528, 0.04343962,
    0, 0.5228697, 0, 0.1536525, 0, 0, 0.8387312, 0.353518, 0, 0,
    0.0828471, 0.3, 0, 0.4099331, 0, 0.8387312, 0, 0, 0, 0.0828471,
    0, 0, 0.08751864, 0, 0.1337669, 0.353518, 0, 0, 0.6541532, 0,
    0, 0, 0.2034241, 0.04137573, 0.6530528, 0, 0, 0.6541532, 0, 0,
    1, 0, 0.2195422, 1, 0.04343962, 0, 0.0828471, 0, 0, 0};
constexpr std::array<double, 100> kByLabels{
    0.0, 0.8763338, 0.01817836, 0.02493018, 0.7507225, 0, 0.008020176, 0, 0, 1,
    0.8763338, 0, 0, 0.005015378, 0, 1, 0.01478964, 0, 0, 0,
    0.01817836, 0, 0, 1, 1, 0, 0, 0.007746577, 0.01346674, 0.7501291,
    0.02493018, 0.005015378, 1, 0, 0.6208241, 0.007118949, 1, 0, 0.002909958, 0.9999999,
    0.7507225, 0, 1, 0.6208241, 0, 0, 0, 0.5388684, 1, 0.2820037,
    0, 1, 0, 0.007118949, 0, 0, 0.01478964, 0.01045849, 0, 0,
    0.008020176, 0.01478964, 0, 1, 0, 0.01478964, 0, 0, 0, 0.4007607,
    0, 0, 0.007746577, 0, 0.5388684, 0.01045849, 0, 0, 1, 0,
    0, 0, 0.01346674, 0.002909958, 1, 0, 0, 1, 0, 0,
    1, 0, 0.7501291, 0.9999999, 0.2820037, 0, 0.4007607, 0, 0, 0};
constexpr std::array<double, 100> kByNumbers{
    0, 1, 0.9817223, 1, 0.2219778, 0, 0.0001081096, 0, 0, 0.001162128,
    1, 0, 0.4791208, 0.7224034, 0.02820827, 0.0004169667, 0.000501639, 0, 0, 0,
    0.9817223, 0.4791208, 0, 1, 0.9156921, 0, 0, 0.0001480945, 0.0002577569, 0.0006739504,
    1, 0.7224034, 1, 0, 0.9999999, 0.3445477, 0.2778486, 0, 7.157808e-05, 0.001156183,
    0.2219778, 0.02820827, 0.9156921, 0.9999999, 0, 0.3052336, 0.165241, 0.1383622, 0.0004273198, 0.000191193,
    0, 0.0004169667, 0, 0.3445477, 0.3052336, 0, 1, 0.3558627, 0.02866163, 0.1837568,
    0.0001081096, 0.000501639, 0, 0.2778486, 0.165241, 1, 0, 0.07509916, 0.03671467, 1,
    0, 0, 0.0001480945, 0, 0.1383622, 0.3558627, 0.07509916, 0, 1, 0.5116542,
    0, 0, 0.0002577569, 7.157808e-05, 0.0004273198, 0.02866163, 0.03671467, 1, 0, 0.7165813,
    0.001162128, 0, 0.0006739504, 0.001156183, 0.000191193, 0.1837568, 1, 0.5116542, 0.7165813, 0};
constexpr std::array<double, 100> kByFewNumbers{
    0, 1, 0.9138983, 0.9999999, 0.4044991, 0, 0.034434, 0, 0, 0.2570295,
    1, 0, 0.3745529, 0.9557692, 0.123025, 0.171013, 0.2044445, 0, 0, 0,
    0.9138983, 0.3745529, 0, 0.9955311, 1, 0, 0, 0.0453127, 0.07825104, 0.1528626,
    0.9999999, 0.9557692, 0.9955311, 0, 1, 0.7701993, 0.6891383, 0, 0.03263913, 0.2917058,
    0.4044991, 0.123025, 1, 1, 0, 0.1873147, 0.1546688, 0.3256609, 0.1165618, 0.04262519,
    0, 0.171013, 0, 0.7701993, 0.1873147, 0, 1, 0.6899627, 0.05506612, 0.2183727,
    0.034434, 0.2044445, 0, 0.6891383, 0.1546688, 1, 0, 0.1172402, 0.05980407, 1,
    0, 0, 0.0453127, 0, 0.3256609, 0.6899627, 0.1172402, 0, 1, 0.3072153,
    0, 0, 0.07825104, 0.03263913, 0.1165618, 0.05506612, 0.05980407, 1, 0, 0.3809614,
    0.2570295, 0, 0.1528626, 0.2917058, 0.04262519, 0.2183727, 1, 0.3072153, 0.3809614, 0};
// clang-format on

NeighborGraph nearest_places() {
  return neighbors(PointsView(kFuzzyPlaces.data(), kFuzzySize, 2), {.n_neighbors = kFuzzyOthers}).graph;
}

template <class Expected>
void expect_fuzzy_graph(const SparseMatrix& graph, const Expected& expected, double tolerance = 1e-5) {
  Array2<double> full(kFuzzySize, kFuzzySize);
  for (Index i = 0; i < kFuzzySize; ++i)
    for (Index e = graph.offsets[static_cast<std::size_t>(i)]; e < graph.offsets[static_cast<std::size_t>(i) + 1]; ++e)
      full(i, graph.columns[static_cast<std::size_t>(e)]) = graph.values[static_cast<std::size_t>(e)];
  for (Index i = 0; i < full.size(); ++i)
    EXPECT_NEAR(full.data()[i], expected[static_cast<std::size_t>(i)], tolerance)
        << i / kFuzzySize << ' ' << i % kFuzzySize;
}

TEST(FuzzyReference, Union) { expect_fuzzy_graph(fuzzy_set(nearest_places(), {}, {}), kUnion); }

TEST(FuzzyReference, MixedWithTheIntersection) {
  expect_fuzzy_graph(fuzzy_set(nearest_places(), {.local_connectivity = 1.5, .set_op_mix_ratio = 0.3}, {}), kMixed);
}

TEST(FuzzyReference, ByLabels) {
  expect_fuzzy_graph(intersected_by_labels(fuzzy_set(nearest_places(), {}, {}), kFuzzyLabels, 0.5, {}), kByLabels);
}

TEST(FuzzyReference, ByNumbers) {
  const SparseMatrix graph = fuzzy_set(nearest_places(), {}, {});
  expect_fuzzy_graph(intersected_by_numbers(graph, kFuzzyNumbers, kFuzzyOthers, 0.5, {}), kByNumbers, 3e-5);
  expect_fuzzy_graph(intersected_by_numbers(graph, kFuzzyNumbers, kFuzzyOthers, 0.25, {}), kByFewNumbers, 1.5e-5);
}

/// Sigma as smooth_knn_dist of umap-learn finds it: from 1 on, doubled or halved until the sum is within 1e-5.
SparseMatrix memberships_with_its_sigma(const NeighborGraph& nearest, double local_connectivity) {
  SmoothDistances smooth = smooth_distances(nearest, local_connectivity, {});
  for (Index i = 0; i < nearest.size(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    double low = 0, high = std::numeric_limits<double>::infinity(), sigma = 1;
    for (int step = 0; step < 64; ++step) {
      double sum = 0;
      for (const double d : nearest.distances_of(i))
        sum += std::exp(-std::max(0.0, d - smooth.rho[place] / smooth.unit) / sigma);
      if (std::abs(sum - std::log2(kFuzzyOthers + 1)) < 1e-5) break;
      (sum > std::log2(kFuzzyOthers + 1) ? high : low) = sigma;
      sigma = std::isinf(high) ? 2 * sigma : (low + high) / 2;
    }
    EXPECT_NEAR(sigma * smooth.unit, smooth.sigma[place], 1e-4);
    smooth.sigma[place] = sigma * smooth.unit;
  }
  return memberships(nearest, smooth, {});
}

TEST(FuzzyReference, WithItsSigma) {
  constexpr double kSinglePrecision = 5e-7;
  const SparseMatrix graph = fuzzy_union(memberships_with_its_sigma(nearest_places(), 1), 1, {});
  expect_fuzzy_graph(graph, kUnion, kSinglePrecision);
  expect_fuzzy_graph(fuzzy_union(memberships_with_its_sigma(nearest_places(), 1.5), 0.3, {}), kMixed, kSinglePrecision);
  expect_fuzzy_graph(intersected_by_labels(graph, kFuzzyLabels, 0.5, {}), kByLabels, kSinglePrecision);
  const NeighborGraph nearest = neighbors(PointsView(kFuzzyNumbers, 1), {.n_neighbors = kFuzzyOthers}).graph;
  const SparseMatrix of_numbers = memberships_with_its_sigma(nearest, 1);
  expect_fuzzy_graph(fuzzy_intersection(graph, of_numbers, 0.5, {}), kByNumbers, kSinglePrecision);
  expect_fuzzy_graph(fuzzy_intersection(graph, of_numbers, 0.25, {}), kByFewNumbers, kSinglePrecision);
}

TEST(FuzzyReference, AtWeightOneDifferentLabelsAreNotJoined) {
  const SparseMatrix graph = intersected_by_labels(fuzzy_set(nearest_places(), {}, {}), kFuzzyLabels, 1, {});
  for (Index i = 0; i < kFuzzySize; ++i)
    for (Index e = graph.offsets[static_cast<std::size_t>(i)]; e < graph.offsets[static_cast<std::size_t>(i) + 1];
         ++e) {
      const std::int64_t own = kFuzzyLabels[static_cast<std::size_t>(i)],
                         other = kFuzzyLabels[static_cast<std::size_t>(graph.columns[static_cast<std::size_t>(e)])];
      EXPECT_TRUE(own == other || own == -1 || other == -1);
    }
}

}  // namespace
}  // namespace unroll
