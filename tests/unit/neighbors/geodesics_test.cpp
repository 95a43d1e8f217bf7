#include "neighbors/geodesics.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <queue>
#include <tuple>

#include "core/random.h"
#include "neighbors/graph_order.h"
#include "support/expect_error.h"
#include "unroll/data/generators.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

using Edge = std::tuple<Index, Index, double>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::vector<Index> all_points(Index n) {
  std::vector<Index> points(at(n));
  std::iota(points.begin(), points.end(), Index{0});
  return points;
}

/// Edges count both ways.
NeighborGraph graph_of(Index n, const std::vector<Edge>& edges) {
  std::vector<std::vector<std::pair<double, Index>>> rows(at(n));
  for (const auto& [i, j, length] : edges) {
    rows[at(i)].emplace_back(length, j);
    rows[at(j)].emplace_back(length, i);
  }
  NeighborGraph graph;
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    for (const auto& [length, j] : row) {
      graph.neighbors.push_back(j);
      graph.distances.push_back(length);
    }
    graph.offsets.push_back(graph.edges());
  }
  return graph;
}

NeighborGraph swiss_roll_graph(Index n, std::int64_t k) {
  return symmetrized(neighbors(make_dataset("swiss_roll", n, 3).points, NeighborOptions{.n_neighbors = k}).graph,
                     Symmetrization::Union);
}

/// `degree` n / 2 edges between random points, of the length that is told for a random number in [0, 1).
template <class Length>
NeighborGraph random_graph(Index n, Index degree, std::uint64_t seed, Length length) {
  const Random random(seed, "random graph");
  std::vector<Edge> edges;
  for (std::uint64_t e = 0; e < static_cast<std::uint64_t>(n * degree / 2); ++e) {
    const auto end = [&](std::uint64_t which) {
      return std::min(n - 1, static_cast<Index>(random.uniform(3 * e + which) * static_cast<double>(n)));
    };
    if (end(0) != end(1)) edges.emplace_back(end(0), end(1), length(random.uniform(3 * e + 2)));
  }
  return graph_of(n, edges);
}

/// Paths that start at points already some way from the source.
template <class T>
std::vector<T> dijkstra(const NeighborGraph& graph, const std::vector<std::pair<T, Index>>& starts) {
  std::vector<T> distance(at(graph.size()), std::numeric_limits<T>::infinity());
  std::priority_queue<std::pair<T, Index>, std::vector<std::pair<T, Index>>, std::greater<>> queue;
  for (const auto& [length, point] : starts) {
    distance[at(point)] = std::min(distance[at(point)], length);
    queue.emplace(length, point);
  }
  while (!queue.empty()) {
    const auto [length, u] = queue.top();
    queue.pop();
    if (length > distance[at(u)]) continue;
    for (std::size_t e = 0; e < graph.neighbors_of(u).size(); ++e) {
      const Index v = graph.neighbors_of(u)[e];
      const T sum = length + static_cast<T>(graph.distances_of(u)[e]);
      if (!(sum < distance[at(v)])) continue;
      distance[at(v)] = sum;
      queue.emplace(sum, v);
    }
  }
  return distance;
}

/// Bytes, not values: neither -0 nor NaN may pass.
template <class T>
void expect_row(const T* row, const std::vector<T>& expected, Index source) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  for (std::size_t j = 0; j < expected.size(); ++j)
    ASSERT_EQ(std::bit_cast<Bits>(row[j]), std::bit_cast<Bits>(expected[j]))
        << "from " << source << " to " << j << ": " << row[j] << ", not " << expected[j];
}

template <class T>
void expect_dijkstra(const NeighborGraph& graph, const std::vector<Index>& sources) {
  const Array2<T> found = geodesic_distances<T>(graph, sources, {});
  ASSERT_EQ(found.rows(), static_cast<Index>(sources.size()));
  ASSERT_EQ(found.cols(), graph.size());
  for (Index r = 0; r < found.rows(); ++r)
    expect_row(found.row(r), dijkstra<T>(graph, {{T{0}, sources[at(r)]}}), sources[at(r)]);
}

template <class T>
class Geodesics : public testing::Test {};
using Precisions = testing::Types<float, double>;
struct PrecisionNames {
  template <class T>
  static std::string GetName(int) {
    return std::is_same_v<T, float> ? "float" : "double";
  }
};
TYPED_TEST_SUITE(Geodesics, Precisions, PrecisionNames);

TYPED_TEST(Geodesics, OfASwissRoll) {
  const NeighborGraph graph = swiss_roll_graph(1200, 8);
  ASSERT_EQ(connected_components(graph).count(), 1);
  expect_dijkstra<TypeParam>(graph, all_points(graph.size()));
}

TYPED_TEST(Geodesics, OfASwissRollFromSourcesFarApart) {
  const NeighborGraph graph = swiss_roll_graph(3000, 6);
  std::vector<Index> sources;
  for (Index s = 0; s < graph.size(); s += 71) sources.push_back(s);
  expect_dijkstra<TypeParam>(graph, sources);
}

TYPED_TEST(Geodesics, OfRandomLengths) {
  for (const Index degree : {1, 2, 3, 8, 40})
    expect_dijkstra<TypeParam>(random_graph(300, degree, 5, [](double u) { return u; }), all_points(300));
}

TYPED_TEST(Geodesics, OfManyEqualLengthsAndZeros) {
  expect_dijkstra<TypeParam>(random_graph(300, 6, 6, [](double u) { return std::floor(3 * u) / 10; }), all_points(300));
  expect_dijkstra<TypeParam>(random_graph(200, 4, 7, [](double u) { return u < 0.7 ? 0.0 : -0.0; }), all_points(200));
}

TYPED_TEST(Geodesics, OfLengthsOfAllSizes) {
  const auto wide = [](double u) { return std::pow(10, 16 * u - 8); };
  for (const Index degree : {3, 10}) expect_dijkstra<TypeParam>(random_graph(400, degree, 8, wide), all_points(400));
  // as far as T goes, both ways: sums overflow to infinity in Dijkstra's algorithm, too
  const double largest = 0.9 * static_cast<double>(std::numeric_limits<TypeParam>::max());
  const auto least = static_cast<double>(std::numeric_limits<TypeParam>::denorm_min());
  expect_dijkstra<TypeParam>(random_graph(90, 3, 9, [=](double u) { return u < 0.3 ? largest : u; }), all_points(90));
  expect_dijkstra<TypeParam>(random_graph(90, 3, 9, [=](double u) { return std::floor(9 * u) * least; }),
                             all_points(90));
}

TYPED_TEST(Geodesics, OfOneLongEdgeAmongShortOnes) {
  std::vector<Edge> edges{{0, 400, 1e6}};
  for (Index i = 0; i < 400; ++i) edges.emplace_back(i, i + 1, 0.1);
  expect_dijkstra<TypeParam>(graph_of(401, edges), all_points(401));
}

TYPED_TEST(Geodesics, OfAGridAreKnown) {
  constexpr Index kSide = 30;
  std::vector<Edge> edges;
  for (Index i = 0; i < kSide; ++i)
    for (Index j = 0; j < kSide; ++j) {
      if (i + 1 < kSide) edges.emplace_back(i * kSide + j, (i + 1) * kSide + j, 1);
      if (j + 1 < kSide) edges.emplace_back(i * kSide + j, i * kSide + j + 1, 1);
    }
  const auto found = geodesic_distances<TypeParam>(graph_of(kSide * kSide, edges), all_points(kSide * kSide), {});
  for (Index a = 0; a < found.rows(); ++a)
    for (Index b = 0; b < found.cols(); ++b)
      ASSERT_EQ(found(a, b), static_cast<TypeParam>(std::abs(a / kSide - b / kSide) + std::abs(a % kSide - b % kSide)));
}

TYPED_TEST(Geodesics, OfPathsAndStars) {
  std::vector<Edge> path, star;
  for (Index i = 0; i < 2999; ++i) path.emplace_back(i, i + 1, 1);
  for (Index i = 1; i < 500; ++i) star.emplace_back(0, i, static_cast<double>(i));
  const auto along = geodesic_distances<TypeParam>(graph_of(3000, path), {2999, 0, 1234}, {});
  for (Index j = 0; j < 3000; ++j) {
    ASSERT_EQ(along(0, j), static_cast<TypeParam>(2999 - j));
    ASSERT_EQ(along(1, j), static_cast<TypeParam>(j));
    ASSERT_EQ(along(2, j), static_cast<TypeParam>(std::abs(j - 1234)));
  }
  const auto around = geodesic_distances<TypeParam>(graph_of(500, star), all_points(500), {});
  for (Index i = 0; i < 500; ++i)
    for (Index j = 0; j < 500; ++j) ASSERT_EQ(around(i, j), static_cast<TypeParam>(i == j ? 0 : i + j));
}

TYPED_TEST(Geodesics, OfADisconnectedGraph) {
  // rings of 7 points, dealt out in turn, and a point alone
  std::vector<Edge> edges;
  for (Index ring = 0; ring < 20; ++ring)
    for (Index i = 0; i < 7; ++i) edges.emplace_back(i * 20 + ring, (i + 1) % 7 * 20 + ring, ring % 3 == 0 ? 0.1 : 0.3);
  const NeighborGraph graph = graph_of(141, edges);
  expect_dijkstra<TypeParam>(graph, all_points(141));
  const auto found = geodesic_distances<TypeParam>(graph, {140, 0}, {});
  EXPECT_EQ(found(0, 140), TypeParam{0});
  EXPECT_EQ(found(0, 0), std::numeric_limits<TypeParam>::infinity());
  EXPECT_EQ(found(1, 1), std::numeric_limits<TypeParam>::infinity());
}

TYPED_TEST(Geodesics, FollowEdgesOneWayWhereTheyAreSo) {
  const NeighborGraph graph =
      neighbors(make_dataset("swiss_roll", 300, 1).points, NeighborOptions{.n_neighbors = 3}).graph;
  ASSERT_NE(graph, symmetrized(graph, Symmetrization::Union));
  expect_dijkstra<TypeParam>(graph, all_points(300));
}

TYPED_TEST(Geodesics, DoNotDependOnThreads) {
  const NeighborGraph graph = swiss_roll_graph(700, 7);
  const auto one = geodesic_distances<TypeParam>(graph, all_points(700), {.threads = 1});
  for (const int threads : {2, 3, 8})
    EXPECT_EQ(geodesic_distances<TypeParam>(graph, all_points(700), {.threads = threads}), one) << threads;
}

TYPED_TEST(Geodesics, OfSourcesInAnyOrder) {
  const NeighborGraph graph = swiss_roll_graph(500, 7);
  expect_dijkstra<TypeParam>(graph, {17});
  expect_dijkstra<TypeParam>(graph, {400, 3, 3, 499, 0, 400});
  expect_dijkstra<TypeParam>(graph, std::vector<Index>(70, 250));
  EXPECT_EQ(geodesic_distances<TypeParam>(graph, {}, {}).rows(), 0);
  EXPECT_EQ(geodesic_distances<TypeParam>({}, {}, {}).size(), 0);
  EXPECT_EQ(geodesic_distances<TypeParam>({{0, 0}, {}, {}}, {0}, {})(0, 0), TypeParam{0});
}

TYPED_TEST(Geodesics, BlockByBlock) {
  const NeighborGraph graph = swiss_roll_graph(500, 7);
  std::vector<Index> sources = all_points(500);
  sources.insert(sources.end(), {5, 5, 77});
  const auto expected = geodesic_distances<TypeParam>(graph, sources, {});
  Array2<TypeParam> found(expected.rows(), expected.cols());
  std::vector<int> times(sources.size());
  std::mutex mutex;
  for_each_geodesic_block<TypeParam>(graph, sources,
                                     [&](const GeodesicBlock<TypeParam>& block) {
                                       const std::lock_guard lock(mutex);
                                       for (std::size_t r = 0; r < block.places.size(); ++r) {
                                         ++times[at(block.places[r])];
                                         std::copy_n(block.rows.row(static_cast<Index>(r)), block.rows.cols,
                                                     found.row(block.places[r]));
                                       }
                                     },
                                     {});
  EXPECT_EQ(times, std::vector<int>(sources.size(), 1));
  EXPECT_EQ(found, expected);
}

TYPED_TEST(Geodesics, FromNewPoints) {
  const NeighborGraph graph = swiss_roll_graph(600, 7);
  // near attachments and far ones, attachments in two places, none
  const Random random(4, "attachments");
  NeighborGraph attachments;
  for (std::uint64_t row = 0; row < 100; ++row) {
    for (std::uint64_t e = 0; e < row % 4; ++e) {
      attachments.neighbors.push_back(static_cast<Index>(random.uniform(8 * row + e) * 600));
      attachments.distances.push_back(random.uniform(8 * row + e + 4) * (row % 7 == 0 ? 1e6 : 3));
    }
    attachments.offsets.push_back(attachments.edges());
  }
  const auto found = geodesic_distances_from<TypeParam>(graph, attachments, {});
  ASSERT_EQ(found.rows(), 100);
  for (Index row = 0; row < 100; ++row) {
    std::vector<std::pair<TypeParam, Index>> starts;
    for (std::size_t e = 0; e < attachments.neighbors_of(row).size(); ++e)
      starts.emplace_back(static_cast<TypeParam>(attachments.distances_of(row)[e]), attachments.neighbors_of(row)[e]);
    expect_row(found.row(row), dijkstra<TypeParam>(graph, starts), row);
  }
}

TYPED_TEST(Geodesics, FromANewPointOnAPointOfTheGraphAreThatPoints) {
  const NeighborGraph graph = swiss_roll_graph(300, 6);
  // the second attachment would be a short cut
  const auto found =
      geodesic_distances_from<TypeParam>(graph, {{0, 2, 4}, {8, 200, 201, 9}, {0, 1e-3, 1e-3, -0.0}}, {});
  const auto expected = geodesic_distances<TypeParam>(graph, {8, 9}, {});
  EXPECT_EQ(found, expected);
  EXPECT_FALSE(std::signbit(found(1, 9)));
}

TYPED_TEST(Geodesics, RefuseWhatIsNoLength) {
  const auto with_length = [](double length) { return graph_of(3, {{0, 1, 1}, {1, 2, length}}); };
  for (const double bad : {-1.0, -1e-300, std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    expect_error(ErrorKind::InvalidData, "the edge from point 2 to point 3 has length",
                 [&] { geodesic_distances<TypeParam>(with_length(bad), {0}, {}); });
    expect_error_of_row(ErrorKind::InvalidData, 1, "row 2 is attached to point 3 at distance", [&] {
      geodesic_distances_from<TypeParam>(with_length(1), {{0, 1, 2}, {1, 2}, {1, bad}}, {});
    });
  }
}

TYPED_TEST(Geodesics, RefusePointsThatAreNot) {
  const NeighborGraph graph = graph_of(3, {{0, 1, 1}});
  for (const Index bad : {-1, 3}) {
    expect_error(ErrorKind::InvalidData, "but there are 3 points", [&] {
      geodesic_distances<TypeParam>(graph, {0, bad}, {});
    });
    expect_error_of_row(ErrorKind::InvalidData, 0, "row 1 is attached to number " + std::to_string(bad), [&] {
      geodesic_distances_from<TypeParam>(graph, {{0, 1}, {bad}, {1}}, {});
    });
    expect_error(ErrorKind::InvalidData, "but there are 3 points", [&] {
      geodesic_distances<TypeParam>({{0, 1, 1, 1}, {bad}, {1}}, {0}, {});
    });
  }
}

TYPED_TEST(Geodesics, PlanTheirMemoryAndCanBeStopped) {
  const NeighborGraph graph = swiss_roll_graph(400, 6);
  expect_error(ErrorKind::OutOfMemory, "fewer sources",
               [&] { geodesic_distances<TypeParam>(graph, all_points(400), {.memory_budget = 100'000}); });
  std::atomic<bool> cancel{true};
  expect_error(ErrorKind::Cancelled, "",
               [&] { geodesic_distances<TypeParam>(graph, all_points(400), {.cancel = &cancel}); });
  double last = 0;
  geodesic_distances<TypeParam>(graph, all_points(400), {.progress = [&](const Progress& progress) {
                                  EXPECT_EQ(progress.stage, "geodesics");
                                  EXPECT_GE(progress.fraction, last);
                                  last = progress.fraction;
                                  return true;
                                }});
  EXPECT_GT(last, 0);
}

TEST(GeodesicsInSinglePrecision, RefuseLengthsThatAreTooLong) {
  const NeighborGraph graph = graph_of(2, {{0, 1, 1e39}});
  EXPECT_EQ(geodesic_distances<double>(graph, {0}, {})(0, 1), 1e39);
  expect_error(ErrorKind::InvalidData, "at most 3.4e+38", [&] { geodesic_distances<float>(graph, {0}, {}); });
}

void expect_near_dijkstra(const NeighborGraph& graph) {
  const auto expected = geodesic_distances<double>(graph, all_points(graph.size()), {});
  const auto found = floyd_warshall(graph, {.threads = 1});
  EXPECT_EQ(floyd_warshall(graph, {.threads = 3}), found);
  ASSERT_EQ(found.rows(), graph.size());
  ASSERT_EQ(found.cols(), graph.size());
  for (Index i = 0; i < found.size(); ++i) {
    const double a = found.data()[i], b = expected.data()[i];
    ASSERT_TRUE(a == b || std::abs(a - b) <= 1e-12 * b) << a << " " << b;
  }
}

TEST(FloydWarshall, AgreesWithDijkstra) {
  expect_near_dijkstra(swiss_roll_graph(400, 6));
  expect_near_dijkstra(random_graph(130, 2, 1, [](double u) { return u < 0.2 ? 0 : u; }));
  expect_near_dijkstra(random_graph(200, 9, 2, [](double u) { return std::pow(10, 16 * u - 8); }));
  for (const Index n : {1, 63, 64, 65, 128}) expect_near_dijkstra(random_graph(n, 3, 3, [](double u) { return u; }));
  EXPECT_EQ(floyd_warshall({}, {}).size(), 0);
}

TEST(FloydWarshall, RefusesWhatIsNoLength) {
  for (const double bad : {-1.0, std::nan(""), HUGE_VAL})
    expect_error(ErrorKind::InvalidData, "the edge from point 1 to point 2 has length", [&] {
      floyd_warshall(graph_of(2, {{0, 1, bad}}), {});
    });
  expect_error(ErrorKind::OutOfMemory, "for the distances",
               [&] { floyd_warshall(graph_of(200, {}), {.memory_budget = 1000}); });
}

TEST(GraphOrder, KeepsNearPointsAndComponentsTogether) {
  // a path whose points are shuffled by a step that has no common divisor with its length, and another
  constexpr Index kPoints = 1000, kStep = 389;
  std::vector<Edge> edges;
  for (Index i = 0; i + 1 < kPoints; ++i)
    if (i != 299) edges.emplace_back(i * kStep % kPoints, (i + 1) * kStep % kPoints, 1);
  const std::vector<Index> weights(kPoints, 0);
  const auto order = graph_order(graph_of(kPoints, edges), weights, 32, {.threads = 2}).points;
  EXPECT_EQ(graph_order(graph_of(kPoints, edges), weights, 32, {.threads = 1}).points, order);
  std::vector<Index> place(kPoints, -1);
  for (Index i = 0; i < kPoints; ++i) place[at(order[at(i)])] = i;
  EXPECT_EQ(std::count(place.begin(), place.end(), -1), 0);
  Index apart = 0, changes = 0;
  std::vector<char> of_first(kPoints);
  for (Index i = 0; i < 300; ++i) of_first[at(i * kStep % kPoints)] = 1;
  for (Index i = 0; i + 1 < kPoints; ++i) {
    apart += std::abs(place[at(i * kStep % kPoints)] - place[at((i + 1) * kStep % kPoints)]) > 32 ? 1 : 0;
    changes += of_first[at(order[at(i)])] != of_first[at(order[at(i + 1)])] ? 1 : 0;
  }
  EXPECT_LE(apart, 31);  // parts of more than 32 points that are cut
  EXPECT_EQ(changes, 1);
}

TEST(GraphOrder, MakesFullGroupsOfNearPoints) {
  const NeighborGraph graph = swiss_roll_graph(2000, 8);
  std::vector<Index> weights(2000);
  for (Index i = 0; i < 2000; i += 5) weights[at(i)] = 1;
  const GraphOrder order = graph_order(graph, weights, 32, {});
  ASSERT_EQ(order.cuts.size(), 14U);  // 400 points in 13 groups
  EXPECT_EQ(order.cuts.front(), 0);
  EXPECT_EQ(order.cuts.back(), 2000);
  for (std::size_t g = 0; g + 1 < order.cuts.size(); ++g) {
    Index weight = 0;
    for (Index i = order.cuts[g]; i < order.cuts[g + 1]; ++i) weight += weights[at(order.points[at(i)])];
    EXPECT_TRUE(weight == 32 || weight == 400 % 32) << weight;
  }
}

TEST(GraphOrder, MakesNoGroupThatIsTooHeavy) {
  const NeighborGraph graph = swiss_roll_graph(900, 8);
  std::vector<Index> weights(900);
  for (Index i = 0; i < 900; i += 7) weights[at(i)] = i % 11 == 0 ? 16 : i % 5;
  const GraphOrder order = graph_order(graph, weights, 16, {});
  EXPECT_TRUE(std::is_sorted(order.cuts.begin(), order.cuts.end()));
  for (std::size_t g = 0; g + 1 < order.cuts.size(); ++g) {
    Index weight = 0;
    for (Index i = order.cuts[g]; i < order.cuts[g + 1]; ++i) weight += weights[at(order.points[at(i)])];
    EXPECT_LE(weight, 16);
  }
}

}  // namespace
}  // namespace unroll
