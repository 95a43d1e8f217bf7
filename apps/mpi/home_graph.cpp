#include "home_graph.h"

#include <algorithm>
#include <numeric>

#include "core/at.h"
#include "neighbors/graph_findings.h"
#include "neighbors/nearest_list.h"
#include "rank_points.h"

namespace unroll::cluster {

NeighborGraph sent_home(const Ranks& ranks, const RankGraph& from, Index n) {
  const std::vector<Index> offsets = offsets_by_home(ranks, from.ids, n);
  ByRank<Index> rows{.items = from.ids, .offsets = offsets}, degrees{.items = {}, .offsets = offsets};
  ByRank<Candidate> edges;
  for (Index i = 0; i < from.graph.size(); ++i) degrees.items.push_back(from.graph.degree(i));
  for (Index e = 0; e < from.graph.edges(); ++e)
    edges.items.push_back({from.graph.distances[at(e)], from.graph.neighbors[at(e)]});
  for (const Index offset : offsets) edges.offsets.push_back(from.graph.offsets[at(offset)]);
  rows = ranks.exchange(rows);
  degrees = ranks.exchange(degrees);
  edges = ranks.exchange(edges);

  const Index begin = ranks.begin_of(ranks.rank(), n);
  NeighborGraph home{.offsets = std::vector<Index>(rows.items.size() + 1, 0),
                     .neighbors = std::vector<Index>(edges.items.size()),
                     .distances = std::vector<double>(edges.items.size())};
  for (std::size_t q = 0; q < rows.items.size(); ++q) home.offsets[at(rows.items[q] - begin) + 1] = degrees.items[q];
  std::partial_sum(home.offsets.begin(), home.offsets.end(), home.offsets.begin());
  std::size_t e = 0;
  for (std::size_t q = 0; q < rows.items.size(); ++q) {
    std::size_t place = at(home.offsets[at(rows.items[q] - begin)]);
    for (Index j = 0; j < degrees.items[q]; ++j, ++e, ++place) {
      home.neighbors[place] = edges.items[e].index;
      home.distances[place] = edges.items[e].distance;
    }
  }
  return home;
}

IntrinsicDimension find_dimension(const Ranks& ranks, const NeighborGraph& home, Index n, const Run& run) {
  constexpr Index kSample = 200'000;
  const Index stride = std::max<Index>(1, (n + kSample - 1) / kSample), begin = ranks.begin_of(ranks.rank(), n);
  std::vector<Index> degrees;
  std::vector<double> distances;
  for (Index i = 0; i < home.size(); ++i) {
    if ((begin + i) % stride != 0) continue;
    degrees.push_back(home.degree(i));
    distances.insert(distances.end(), home.distances_of(i).begin(), home.distances_of(i).end());
  }
  // All ranks find the same: a warning is one of all, or of none.
  const std::vector<Index> lengths = ranks.gather(degrees).items;
  NeighborGraph sample{.distances = ranks.gather(distances).items};
  sample.neighbors.resize(sample.distances.size());
  for (const Index length : lengths) sample.offsets.push_back(sample.offsets.back() + length);
  return ranks.together([&] { return intrinsic_dimension(sample, run); });
}

}  // namespace unroll::cluster
