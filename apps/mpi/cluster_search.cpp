#include "cluster_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "neighbors/neighbor_graph_builder.h"
#include "neighbors/row_distance.h"
#include "unroll/neighbors/kmeans.h"

namespace unroll::cluster {
namespace {

/// Some 20000 points to a center, each in several: measured on Fashion-MNIST, 8 centers and 3 per point find 99.99 %.
Index center_count(Index n) { return std::max<Index>(8, n / 20'000); }
Index centers_per_point(Index centers) {
  return std::min(centers, static_cast<Index>(std::ceil(0.8 * std::log2(static_cast<double>(centers)))));
}

/// Rows as their metric compares them: cosine and correlation are Euclidean between unit vectors.
Array2<double> as_compared(PointsView points, Metric metric, double scale, const Run& run) {
  const MetricRows rows = metric_rows(points, metric, scale, run);
  auto result = Array2<double>::uninitialized(points.rows(), points.cols());
  parallel_for(run, points.rows(), 256, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) rows.pack(i, result.row(i));
  });
  return result;
}

/// Centers of k-means of a sample.
Array2<double> find_centers(const Ranks& ranks, const RankPoints& own, const NeighborOptions& options, double scale,
                            Index n, const Run& run) {
  constexpr Index kPerCenter = 256, kMostNumbers = Index{1} << 24;
  const Index cols = own.view().cols(), count = center_count(n);
  const Index most = std::max(count, std::min(kPerCenter * count, kMostNumbers / cols));
  const PointSample sample = sample_of_all(ranks, own, n, most);
  std::vector<double> numbers = ranks.together([&]() -> std::vector<double> {
    if (!ranks.is_root()) return {};
    const Array2<double> x = as_compared(sample.values, options.metric, scale, run);
    const KMeans means = kmeans(
        x, {.n_clusters = std::min(count, x.rows()), .n_init = 1, .max_iter = 20, .random_state = options.random_state},
        run);
    return {means.centers.data(), means.centers.data() + means.centers.size()};
  });
  ranks.share(numbers);
  auto centers = Array2<double>::uninitialized(std::ssize(numbers) / cols, cols);
  std::copy(numbers.begin(), numbers.end(), centers.data());
  return centers;
}

/// For every point its nearest centers, one row each.
std::vector<Index> nearest_few(const Array2<double>& centers, const RankPoints& own, const NeighborOptions& options,
                               double scale, Index few, const Run& run) {
  const MetricRows rows = metric_rows(own.view(), options.metric, scale, run);
  std::vector<Index> result(at(own.size() * few));
  parallel_for(run, own.size(), 256, [&](Index begin, Index end) {
    std::vector<double> y(at(centers.cols()));
    for (Index i = begin; i < end; ++i) {
      rows.pack(i, y.data());
      NearestList nearest({few});
      for (Index c = 0; c < centers.rows(); ++c) {
        double squared = 0;
        for (Index j = 0; j < centers.cols(); ++j) squared += (y[at(j)] - centers(c, j)) * (y[at(j)] - centers(c, j));
        nearest.add(squared, c);
      }
      Index place = i * few;
      for (const Candidate& candidate : nearest.sorted()) result[at(place++)] = candidate.index;
    }
  });
  return result;
}

/// The rank of every center: the largest first, each to the rank with the least work so far. Work is m^2 for m points.
std::vector<Index> dealt(const std::vector<Index>& sizes, Index ranks) {
  std::vector<Index> order(sizes.size()), rank_of(sizes.size());
  std::vector<double> work(at(ranks), 0);
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return sizes[at(a)] > sizes[at(b)]; });
  for (const Index center : order) {
    const auto least = std::min_element(work.begin(), work.end());
    *least += static_cast<double>(sizes[at(center)]) * static_cast<double>(sizes[at(center)]);
    rank_of[at(center)] = least - work.begin();
  }
  return rank_of;
}

/// A point as a member of a center.
struct Member {
  Index center, id;
};

/// The neighbours of every member among those of its center, member after member.
struct MemberNeighbors {
  std::vector<Index> degrees;
  std::vector<Candidate> candidates;
};

template <class T>
MemberNeighbors search_centers(const std::vector<Member>& members, const std::vector<T>& rows, Index cols,
                               const NeighborOptions& options, Index n_neighbors, const Run& run) {
  std::vector<Index> order(members.size());
  std::iota(order.begin(), order.end(), Index{0});
  // Members of a center came in the order of their ids, and stay so: ties by place are ties by id.
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return members[at(a)].center < members[at(b)].center; });
  std::vector<std::vector<Candidate>> lists(members.size());
  for (auto first = order.begin(); first != order.end();) {
    const auto last =
        std::find_if(first, order.end(), [&](Index i) { return members[at(i)].center != members[at(*first)].center; });
    const Index count = last - first;
    auto points = Array2<T>::uninitialized(count, cols);
    for (Index i = 0; i < count; ++i) std::copy_n(rows.begin() + first[i] * cols, cols, points.row(i));
    if (count > 1) {
      NeighborOptions own = options;
      own.n_neighbors = std::min(n_neighbors, count - 1);
      own.algorithm = SearchAlgorithm::Auto;
      const NeighborGraph graph = neighbors(points, own, run).graph;
      for (Index i = 0; i < count; ++i)
        for (Index e = 0; e < graph.degree(i); ++e)
          lists[at(first[i])].push_back(
              {graph.distances_of(i)[at(e)], members[at(first[graph.neighbors_of(i)[at(e)]])].id});
    }
    first = last;
  }
  MemberNeighbors found;
  for (const std::vector<Candidate>& list : lists) {
    found.degrees.push_back(std::ssize(list));
    found.candidates.insert(found.candidates.end(), list.begin(), list.end());
  }
  return found;
}

/// Which own points are sent to which rank.
struct Sending {
  ByRank<Member> members;
  std::vector<Index> points;  ///< own points, in the order of the members
};

Sending prepare(const Ranks& ranks, const RankPoints& own, const std::vector<Index>& centers, Index few,
                Index center_count) {
  std::vector<Index> sizes(at(center_count), 0);
  for (const Index center : centers) ++sizes[at(center)];
  const std::vector<Index> rank_of = dealt(ranks.sum(sizes), ranks.count());
  Sending result;
  std::vector<Index> places(centers.size());
  std::iota(places.begin(), places.end(), Index{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](Index a, Index b) { return rank_of[at(centers[at(a)])] < rank_of[at(centers[at(b)])]; });
  result.members.offsets.assign(at(ranks.count()) + 1, 0);
  for (const Index place : places) {
    const Index point = place / few, center = centers[at(place)];
    result.points.push_back(point);
    result.members.items.push_back({center, own.ids[at(point)]});
    ++result.members.offsets[at(rank_of[at(center)]) + 1];
  }
  std::partial_sum(result.members.offsets.begin(), result.members.offsets.end(), result.members.offsets.begin());
  return result;
}

}  // namespace

NeighborGraph search_by_clusters(const Ranks& ranks, const RankPoints& own, const NeighborOptions& options,
                                 Index n_neighbors, double scale, Index n, const Run& run) {
  const Array2<double> centers = find_centers(ranks, own, options, scale, n, run);
  const Index few = centers_per_point(centers.rows()), cols = own.view().cols();
  const std::vector<Index> nearest = ranks.together([&] {
    MemoryPlan()
        .add("the points of some centers", static_cast<double>(own.size() * few), static_cast<double>(cols),
             3 * sizeof(double))
        .add("their neighbors", static_cast<double>(own.size() * few), static_cast<double>(n_neighbors),
             3 * sizeof(Candidate))
        .require(run, "use more hosts, or fewer ranks on each");
    return nearest_few(centers, own, options, scale, few, run);
  });
  const Sending sent = prepare(ranks, own, nearest, few, centers.rows());
  const ByRank<Member> members = ranks.exchange(sent.members);
  const MemberNeighbors found = std::visit(
      [&]<class T>(const Array2<T>& values) {
        ByRank<T> rows;
        for (const Index i : sent.points) rows.items.insert(rows.items.end(), values.row(i), values.row(i) + cols);
        for (const Index offset : sent.members.offsets) rows.offsets.push_back(offset * cols);
        rows = ranks.exchange(rows);
        return ranks.together(
            [&] { return search_centers(members.items, rows.items, cols, options, n_neighbors, run); });
      },
      own.values);
  ByRank<Candidate> candidates{.items = found.candidates, .offsets = {0}};
  Index count = 0;
  for (Index r = 0; r < ranks.count(); ++r) {
    for (Index i = members.offsets[at(r)]; i < members.offsets[at(r) + 1]; ++i) count += found.degrees[at(i)];
    candidates.offsets.push_back(count);
  }
  const std::vector<Index> degrees = ranks.exchange(ByRank<Index>{found.degrees, members.offsets}).items;
  candidates = ranks.exchange(candidates);
  return ranks.together([&] {
    std::vector<std::vector<Candidate>> lists(at(own.size()));
    const Candidate* place = candidates.items.data();
    for (std::size_t i = 0; i < degrees.size(); place += degrees[i], ++i) {
      std::vector<Candidate>& list = lists[at(sent.points[i])];
      list = united({place, at(degrees[i])}, std::move(list));
      if (std::ssize(list) > n_neighbors) list.resize(at(n_neighbors));
    }
    // A point whose centers have few points may have fewer neighbours.
    NeighborGraphBuilder graph(own.size(), {SearchLimits::kAll, 0}, 0, run);
    for (Index i = 0; i < own.size(); ++i) graph.set(i, lists[at(i)]);
    return graph.take();
  });
}

}  // namespace unroll::cluster
