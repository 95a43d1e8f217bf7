#include <gtest/gtest.h>

#include "support/naive_neighbors.h"
#include "support/point_clouds.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

const std::vector<Index> kFeatures{1, 2, 3, 7, 8, 9, 15, 16, 17, 30, 64, 65, 100, 300};
/// Around the sizes of a tree's leaf (16) and of a block (192).
const std::vector<Index> kSmall{2, 3, 15, 16, 17};
const std::vector<Index> kLarge{191, 192, 193, 400};

/// Both exact algorithms give the same bytes, and they are right. Returns the graph.
NeighborGraph expect_exact(PointsView points, NeighborOptions options) {
  options.algorithm = SearchAlgorithm::Brute;
  const Neighbors brute = neighbors(points, options);
  EXPECT_EQ(brute.report.algorithm, SearchAlgorithm::Brute);
  EXPECT_TRUE(brute.report.exact);
  options.algorithm = SearchAlgorithm::KdTree;
  const Neighbors tree = neighbors(points, options);
  EXPECT_EQ(tree.report.algorithm, SearchAlgorithm::KdTree);
  EXPECT_TRUE(naive::same_bytes(brute.graph, tree.graph))
      << "brute and tree: " << naive::first_difference(brute.graph, tree.graph);
  naive::expect_graph(brute.graph, points, options);
  return brute.graph;
}

void expect_exact_in_both_types(const Array2<double>& x, const NeighborOptions& options) {
  SCOPED_TRACE(testing::Message() << x.rows() << " x " << x.cols() << ", k = " << options.n_neighbors.value_or(-1)
                                  << ", radius = " << options.radius.value_or(-1));
  expect_exact(x, options);
  SCOPED_TRACE("float");
  expect_exact(as_float(x), options);
}

TEST(ExactSearch, FewPoints) {
  for (const Index d : kFeatures)
    for (const Index n : kSmall)
      for (const Index k : {Index{1}, Index{5}, n - 1})
        if (k < n) expect_exact_in_both_types(normal_matrix(n, d, 1), {.n_neighbors = k});
}

TEST(ExactSearch, AroundTheSizeOfABlock) {
  for (const Index d : kFeatures)
    for (const Index n : kLarge) expect_exact_in_both_types(normal_matrix(n, d, 2), {.n_neighbors = 5});
}

TEST(ExactSearch, OneAndAllNeighbors) {
  for (const Index d : {1, 3, 8, 17, 65, 300})
    for (const Index k : {1, 399}) expect_exact(normal_matrix(400, d, 3), {.n_neighbors = k});
}

TEST(ExactSearch, AThousandPoints) {
  for (const Index d : {2, 16, 30, 64, 100}) {
    const Array2<double> x = anisotropic_points(1000, d, 4);
    expect_exact_in_both_types(x, {.n_neighbors = 5});
    expect_exact(x, {.n_neighbors = 60});  // beyond the length of lists that are kept in order
  }
}

TEST(ExactSearch, WithinARadius) {
  for (const Index d : {1, 2, 7, 8, 17, 65})
    for (const Index n : {2, 17, 230}) {
      const Array2<double> x = normal_matrix(n, d, 5);
      const Index fifth = std::min<Index>(5, n - 1);
      const NeighborGraph nearest = neighbors(x, {.n_neighbors = fifth}).graph;
      const double small = nearest.distances_of(0).back();
      for (const double radius : {0.0, small, 1e9}) expect_exact_in_both_types(x, {.radius = radius});
      expect_exact_in_both_types(x, {.n_neighbors = fifth, .radius = small});
      EXPECT_EQ(neighbors(x, {.radius = 0}).graph.edges(), 0);
      EXPECT_EQ(neighbors(x, {.radius = 1e9}).graph.edges(), n * (n - 1));
      // The radius itself is within.
      EXPECT_EQ(neighbors(x, {.radius = small}).graph.degree(0), fifth);
    }
}

TEST(ExactSearch, DefaultIsTenNeighborsOrAllOthers) {
  EXPECT_EQ(neighbors(normal_matrix(50, 3, 6)).graph.degree(7), 10);
  EXPECT_EQ(neighbors(normal_matrix(4, 3, 6)).graph.degree(2), 3);
}

TEST(ExactSearch, AutoGivesTheSameBytes) {
  for (const Index d : {2, 6, 20, 70}) {
    const Array2<double> x = anisotropic_points(2100, d, 7);
    const NeighborGraph brute = neighbors(x, {.n_neighbors = 4, .algorithm = SearchAlgorithm::Brute}).graph;
    const Neighbors chosen = neighbors(x, {.n_neighbors = 4});
    EXPECT_NE(chosen.report.algorithm, SearchAlgorithm::Auto);
    EXPECT_TRUE(chosen.report.exact);
    EXPECT_EQ(chosen.report.recall, 1);
    EXPECT_TRUE(naive::same_bytes(brute, chosen.graph)) << naive::first_difference(brute, chosen.graph);
  }
}

/// All distances of whole numbers are exact, so the whole graph is known, ties and all.
TEST(ExactSearch, TiesAreInOrderOfTheIndex) {
  for (const Index d : {1, 2, 3, 8, 20, 70}) {
    const Array2<double> x = lattice(300, d, 4, 8);
    for (const Index k : {1, 7, 50, 299}) {
      NeighborGraph expected;
      for (Index i = 0; i < x.rows(); ++i) {
        std::vector<std::pair<double, Index>> others;
        for (Index j = 0; j < x.rows(); ++j) {
          double squares = 0;
          for (Index c = 0; c < d; ++c) squares += (x(i, c) - x(j, c)) * (x(i, c) - x(j, c));
          if (j != i) others.emplace_back(std::sqrt(squares), j);
        }
        std::sort(others.begin(), others.end());
        for (Index r = 0; r < k; ++r) {
          expected.distances.push_back(others[static_cast<std::size_t>(r)].first);
          expected.neighbors.push_back(others[static_cast<std::size_t>(r)].second);
        }
        expected.offsets.push_back(expected.edges());
      }
      for (const auto algorithm : {SearchAlgorithm::Brute, SearchAlgorithm::KdTree}) {
        const NeighborOptions options{.n_neighbors = k, .algorithm = algorithm};
        const NeighborGraph found = neighbors(x, options).graph;
        EXPECT_TRUE(naive::same_bytes(found, expected)) << name_of(algorithm) << ", " << d << " features, k = " << k
                                                        << ": " << naive::first_difference(found, expected);
        EXPECT_TRUE(naive::same_bytes(neighbors(as_float(x), options).graph, expected));
      }
    }
  }
}

TEST(ExactSearch, AllPointsAreOne) {
  for (const Index d : {1, 20, 70})
    for (const double value : {0.0, 0.1, 1e300, -5e-324}) {
      const Array2<double> x = shifted_by(Array2<double>(220, d), value);
      for (const NeighborOptions& options :
           {NeighborOptions{.n_neighbors = 4}, NeighborOptions{.radius = 0}, NeighborOptions{.n_neighbors = 219}}) {
        const NeighborGraph graph = expect_exact(x, options);
        for (const double distance : graph.distances) EXPECT_EQ(distance, 0);
        EXPECT_EQ(graph.degree(3), options.n_neighbors.value_or(219));
        EXPECT_EQ(graph.neighbors_of(1)[0], 0);
        EXPECT_EQ(graph.neighbors_of(1)[1], 2);
      }
    }
}

TEST(ExactSearch, DuplicatesAreNeighborsAndThePointItselfIsNot) {
  for (const Index d : {1, 3, 20, 70})
    for (const Index copies : {2, 4, 30}) {
      const Array2<double> x = with_duplicates(420, d, copies, 9);
      const NeighborGraph graph = expect_exact(x, {.n_neighbors = 5});
      for (Index i = 0; i < x.rows(); ++i)
        for (std::size_t r = 0; r < 5; ++r)
          EXPECT_EQ(graph.distances_of(i)[r] == 0, static_cast<Index>(r) < copies - 1) << i;
    }
}

TEST(ExactSearch, ThreadsDoNotChangeAByte) {
  const Array2<double> wide = anisotropic_points(1500, 70, 10), narrow = with_duplicates(1500, 4, 3, 11);
  const Array2<float> single = as_float(wide);
  for (const PointsView& points : {PointsView(wide), PointsView(narrow), PointsView(single)})
    for (const auto algorithm : {SearchAlgorithm::Brute, SearchAlgorithm::KdTree, SearchAlgorithm::Approximate}) {
      const NeighborOptions options{.n_neighbors = 8, .algorithm = algorithm};
      const NeighborGraph expected = neighbors(points, options, {.threads = 1}).graph;
      for (const int threads : {2, 3, 8}) {
        const NeighborGraph graph = neighbors(points, options, {.threads = threads}).graph;
        EXPECT_TRUE(naive::same_bytes(graph, expected))
            << name_of(algorithm) << ", " << threads << " threads: " << naive::first_difference(graph, expected);
      }
    }
}

}  // namespace
}  // namespace unroll
