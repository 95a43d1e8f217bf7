#include "neighbors/components_policy.h"

#include <gtest/gtest.h>

#include <charconv>
#include <limits>
#include <string>

#include "support/expect_error.h"
#include "support/point_clouds.h"

namespace unroll {
namespace {

ConnectedGraph united(ComponentsPolicy policy, const NeighborGraph& nearest, std::optional<PointsView> points,
                      const NeighborOptions& options) {
  return resolve_components({policy}, symmetrized(nearest, Symmetrization::Union), nearest, points, options, {});
}

class TwoClusters : public testing::Test {
 protected:
  Array2<double> x = two_clusters(30, 12, 3, 1, 100, 1);
  NeighborOptions options{.n_neighbors = 4};
  NeighborGraph nearest = neighbors(x, options).graph;

  ConnectedGraph under(ComponentsPolicy policy) const { return united(policy, nearest, x, options); }
};

TEST_F(TwoClusters, AreConnectedByTheShortestEdge) {
  const ConnectedGraph graph = under(ComponentsPolicy::Connect);
  EXPECT_EQ(graph.components.count(), 1);
  ASSERT_EQ(graph.joining.size(), 1U);
  EXPECT_LT(graph.joining[0].first, 30);
  EXPECT_GE(graph.joining[0].second, 30);
  EXPECT_EQ(graph.graph.edges(), symmetrized(nearest, Symmetrization::Union).edges() + 2);
  ASSERT_EQ(graph.warnings.size(), 1U);
  EXPECT_EQ(graph.warnings[0].code, "graph-disconnected");
  EXPECT_NE(graph.warnings[0].message.find("number of connected components of the neighbor graph is 2 > 1 (30, 12"),
            std::string::npos)
      << graph.warnings[0].message;
  EXPECT_NE(graph.warnings[0].hint.find("n_neighbors=12"), std::string::npos) << graph.warnings[0].hint;
}

TEST_F(TwoClusters, AreKeptApart) {
  const ConnectedGraph graph = under(ComponentsPolicy::Separate);
  EXPECT_EQ(graph.components.sizes, (std::vector<Index>{30, 12}));
  EXPECT_TRUE(graph.joining.empty());
  EXPECT_EQ(graph.warnings.size(), 1U);
}

TEST_F(TwoClusters, AreAnError) {
  expect_error(ErrorKind::Disconnected, "n_neighbors=12", [&] { under(ComponentsPolicy::Error); });
  expect_error(ErrorKind::Disconnected, "nothing can be joined",
               [&] { united(ComponentsPolicy::Connect, nearest, std::nullopt, options); });
}

TEST_F(TwoClusters, ThatOnlyManyNeighborsConnectAreBetterLeftApart) {
  options.n_neighbors = 2;
  const ConnectedGraph graph = united(ComponentsPolicy::Connect, neighbors(x, options).graph, x, options);
  EXPECT_NE(graph.warnings[0].hint.find("components=separate"), std::string::npos) << graph.warnings[0].hint;
}

// The hint can be followed, whatever is done with the parts; a little less does not do.
TEST_F(TwoClusters, OfARadiusAreToldOneThatConnects) {
  options = {.radius = 2.5};
  const auto hint_of = [&](double radius) {
    options.radius = radius;
    const ConnectedGraph graph = united(ComponentsPolicy::Separate, neighbors(x, options).graph, x, options);
    return graph.warnings.empty() ? "" : graph.warnings[0].hint;
  };
  const std::string hint = hint_of(2.5), begin = "use radius=";
  ASSERT_EQ(hint.find(begin), 0U) << hint;
  double enough = 0;
  std::from_chars(hint.data() + begin.size(), hint.data() + hint.size(), enough);
  EXPECT_EQ(hint_of(enough), "");
  EXPECT_NE(hint_of(0.99 * enough), "");
  expect_error(ErrorKind::Disconnected, hint, [&] {
    options.radius = 2.5;
    united(ComponentsPolicy::Error, neighbors(x, options).graph, x, options);
  });
}

TEST_F(TwoClusters, PartsAreGraphsOfTheirOwn) {
  const ConnectedGraph graph = under(ComponentsPolicy::Separate);
  const NeighborGraph part = subgraph(graph.graph, ComponentPoints(graph.components).members[1]);
  ASSERT_EQ(part.size(), 12);
  const std::vector<Index> points = ComponentPoints(graph.components).members[1];
  for (Index i = 0; i < 12; ++i) {
    const Index point = points[static_cast<std::size_t>(i)];
    ASSERT_EQ(part.degree(i), graph.graph.degree(point));
    for (std::size_t e = 0; e < part.neighbors_of(i).size(); ++e)
      EXPECT_EQ(points[static_cast<std::size_t>(part.neighbors_of(i)[e])], graph.graph.neighbors_of(point)[e]);
  }
}

TEST(SideBySide, MapsDoNotOverlap) {
  const Array2<double> y = normal_matrix(60, 2, 3);
  Components components{.sizes = {20, 20, 20}};
  for (Index i = 0; i < 60; ++i) components.labels.push_back(i % 3);
  const std::vector<double> offsets = side_by_side(y, components);
  double end = -std::numeric_limits<double>::infinity();
  for (Index c = 0; c < 3; ++c) {
    double low = INFINITY, high = -low;
    for (Index i = c; i < 60; i += 3) {
      low = std::min(low, y(i, 0) + offsets[static_cast<std::size_t>(c)]);
      high = std::max(high, y(i, 0) + offsets[static_cast<std::size_t>(c)]);
    }
    EXPECT_GT(low, end);
    end = high;
  }
}

TEST(ConnectedGraphs, AreLeftAlone) {
  const Array2<double> x = normal_matrix(50, 2, 4);
  const NeighborOptions options{.n_neighbors = 10};
  const ConnectedGraph graph = united(ComponentsPolicy::Error, neighbors(x, options).graph, x, options);
  EXPECT_EQ(graph.components.count(), 1);
  EXPECT_TRUE(graph.warnings.empty());
}

}  // namespace
}  // namespace unroll
