// The fuzzy graph beside that of umap-learn 0.5.3: fuzzy_simplicial_set with 5 neighbours (the point itself is one of
// them), discrete_metric_simplicial_set_intersection and general_simplicial_set_intersection.
#include <gtest/gtest.h>

#include <array>

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
    0.0, 1, 0.947792, 1, 0.2369087, 0, 0.000106516, 0, 0, 0.001195769,
    1, 0, 0.4218632, 0.5838867, 0.00973889, 0.0003628847, 0.000436575, 0, 0, 0,
    0.947792, 0.4218632, 0, 1, 0.8606391, 0, 0, 0.0001358666, 0.0002364744, 0.000675811,
    1, 0.5838867, 1, 0, 0.9999999, 0.1427378, 0.2989198, 0, 7.157808e-05, 0.00119479,
    0.2369087, 0.00973889, 0.8606391, 0.9999999, 0, 0.2958005, 0.1629766, 0.1430001, 0.0004215846, 0.0001962121,
    0, 0.0003628847, 0, 0.1427378, 0.2958005, 0, 1, 0.3832638, 0.0296346, 0.1877254,
    0.000106516, 0.000436575, 0, 0.2989198, 0.1629766, 1, 0, 0.07194518, 0.03656833, 1,
    0, 0, 0.0001358666, 0, 0.1430001, 0.3832638, 0.07194518, 0, 1, 0.5466518,
    0, 0, 0.0002364744, 7.157808e-05, 0.0004215846, 0.0296346, 0.03656833, 1, 0, 0.74479,
    0.001195769, 0, 0.000675811, 0.00119479, 0.0001962121, 0.1877254, 1, 0.5466518, 0.74479, 0};
constexpr std::array<double, 100> kByFewNumbers{
    0.0, 1, 0.92202, 1, 0.4128469, 0, 0.03429646, 0, 0, 0.2593638,
    1, 0, 0.3697413, 0.8562633, 0.08630533, 0.1634366, 0.1954038, 0, 0, 0,
    0.92202, 0.3697413, 0, 0.9378157, 1, 0, 0, 0.04771778, 0.08238629, 0.1576876,
    1, 0.8562633, 0.9378157, 0, 0.9164966, 0.3448122, 0.6931914, 0, 0.02595992, 0.2696203,
    0.4128469, 0.08630533, 1, 0.9164966, 0, 0.1864821, 0.1557292, 0.3291809, 0.1174224, 0.04318939,
    0, 0.1634366, 0, 0.3448122, 0.1864821, 0, 1, 0.7109444, 0.05568231, 0.2199336,
    0.03429646, 0.1954038, 0, 0.6931914, 0.1557292, 1, 0, 0.1155533, 0.05972451, 1,
    0, 0, 0.04771778, 0, 0.3291809, 0.7109444, 0.1155533, 0, 1, 0.314066,
    0, 0, 0.08238629, 0.02595992, 0.1174224, 0.05568231, 0.05972451, 1, 0, 0.385076,
    0.2593638, 0, 0.1576876, 0.2696203, 0.04318939, 0.2199336, 1, 0.314066, 0.385076, 0};
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
  expect_fuzzy_graph(intersected_by_labels(fuzzy_set(nearest_places(), {}, {}), kFuzzyLabels, 0.5, {}), kByLabels,
                     2e-5);
}

TEST(FuzzyReference, ByNumbers) {
  const SparseMatrix graph = fuzzy_set(nearest_places(), {}, {});
  expect_fuzzy_graph(intersected_by_numbers(graph, kFuzzyNumbers, kFuzzyOthers, 0.5, {}), kByNumbers, 2e-5);
  expect_fuzzy_graph(intersected_by_numbers(graph, kFuzzyNumbers, kFuzzyOthers, 0.25, {}), kByFewNumbers, 2e-5);
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
