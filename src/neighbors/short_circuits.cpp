#include "neighbors/short_circuits.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "core/at.h"
#include "core/parallel.h"
#include "neighbors/first_neighbors.h"
#include "neighbors/graph_findings.h"

namespace unroll {
namespace {

constexpr Index kNear = 8;            // neighbours that follow the surface
constexpr double kSuspicious = 5;     // ways around, in lengths of the edge
constexpr double kLong = 3;           // as they occur without short circuits, too
constexpr double kBehind = 0.9;       // of the distance to a neighbour: the edge continues the surface
constexpr Index kMostVisited = 2000;  // points per search; an edge that needs more stays undecided
constexpr Index kMostWork = 200'000;  // points visited in all

/// The edges to the nearest of either end, in both directions.
NeighborGraph near_graph(const NeighborGraph& graph, const Run& run) {
  return symmetrized(first_neighbors(graph, kNear), Symmetrization::Union, run);
}

/// An edge that is not in the graph of the nearest, with the way around in it.
struct LongEdge {
  Index from, to;
  double length;
  double scale;    ///< the length, or the local scale of the ends if that is larger
  double way = 0;  ///< 0: not known; infinite: longer than all that was looked at
};

/// What the searches from one point, or from several, have found.
struct Found {
  std::vector<LongEdge> edges = {};  ///< whose way is long
  Index visited = 0;
};

/// The lengths of ways from one point to those near it. A new search does not clear the arrays: entries of earlier ones
/// have another number.
class WayLengths {
 public:
  explicit WayLengths(Index n) : lengths_(at(n)), searches_(at(n)) {}

  void begin_search() { ++search_; }
  double operator[](Index i) const { return lengths_[at(i)]; }
  /// Whether this way is shorter than those before it, which it then replaces.
  bool shorten(Index i, double length) {
    if (searches_[at(i)] == search_ && lengths_[at(i)] <= length) return false;
    searches_[at(i)] = search_, lengths_[at(i)] = length;
    return true;
  }

 private:
  std::vector<double> lengths_;
  std::vector<Index> searches_;
  Index search_ = 0;
};

class Searcher {
  using Step = std::pair<double, Index>;

 public:
  Searcher(const NeighborGraph& graph, const NeighborGraph& near, const Components& parts)
      : graph_(graph), near_(near), parts_(parts) {}

  /// Dijkstra's search from a point until the ways of all its long edges are known or too long.
  Found search(Index from, WayLengths& ways) const {
    std::vector<LongEdge> open = long_edges(from);
    Found found;
    if (open.empty()) return found;
    measure(from, open, found.visited, ways);
    const bool is_undecided = found.visited == kMostVisited;
    for (LongEdge& edge : open) {
      if (edge.way == 0 && is_undecided) continue;
      if (edge.way == 0) edge.way = std::numeric_limits<double>::infinity();
      if (edge.way > kLong * edge.scale) found.edges.push_back(edge);
    }
    return found;
  }

 private:
  /// Sets the ways of the edges that begin at `from`, up to those that are too long.
  void measure(Index from, std::vector<LongEdge>& edges, Index& visited, WayLengths& ways) const {
    double farthest = 0;
    for (const LongEdge& edge : edges) farthest = std::max(farthest, kSuspicious * edge.scale);
    std::size_t open = edges.size();
    std::priority_queue<Step, std::vector<Step>, std::greater<>> queue;
    ways.begin_search();
    ways.shorten(from, 0);
    queue.emplace(0.0, from);
    while (!queue.empty() && open > 0 && visited < kMostVisited) {
      const auto [length, point] = queue.top();
      queue.pop();
      if (length > ways[point]) continue;
      if (length > farthest) break;
      ++visited;
      const auto edge = std::find_if(edges.begin(), edges.end(), [p = point](const LongEdge& e) { return e.to == p; });
      if (edge != edges.end()) edge->way = length, --open;
      const auto neighbors = near_.neighbors_of(point);
      const auto distances = near_.distances_of(point);
      for (std::size_t e = 0; e < neighbors.size(); ++e)
        if (const double way = length + distances[e]; ways.shorten(neighbors[e], way)) queue.emplace(way, neighbors[e]);
    }
  }

  double local_scale(Index i) const {
    const auto distances = graph_.distances_of(i);
    return distances[std::min(distances.size(), at(kNear)) - 1];
  }

  /// Edges behind the nearest that neither end has among them, to points of the same part.
  std::vector<LongEdge> long_edges(Index from) const {
    std::vector<LongEdge> edges;
    const auto neighbors = graph_.neighbors_of(from), near = near_.neighbors_of(from);
    for (std::size_t e = at(kNear); e < neighbors.size(); ++e) {
      const Index to = neighbors[e];
      const double length = graph_.distances_of(from)[e];
      if (length <= 0 || parts_.labels[at(to)] != parts_.labels[at(from)]) continue;
      if (std::find(near.begin(), near.end(), to) != near.end()) continue;
      edges.push_back({from, to, length, std::max(length, std::min(local_scale(from), local_scale(to)))});
    }
    return edges;
  }

  const NeighborGraph& graph_;
  const NeighborGraph& near_;
  const Components& parts_;
};

/// Whether a neighbour of `end` lies behind it as seen from `other`.
bool continues(const NeighborGraph& graph, const PointDistance& distance, Index end, Index other) {
  const double length = distance(other, end);
  const auto neighbors = graph.neighbors_of(end);
  for (const Index m : neighbors.first(std::min(neighbors.size(), at(kNear)))) {
    const double own = distance(end, m), across = distance(other, m);
    if (m != other && own > 0 && across >= 0 && across - length > kBehind * own) return true;
  }
  return false;
}

/// Counts edges that are long ways around, each once.
class Count {
 public:
  Count(const NeighborGraph& graph, const PointDistance& distance)
      : graph_(graph), distance_(distance), is_done_(at(graph.size())) {}

  void add(Index point, const std::vector<LongEdge>& edges) {
    for (const LongEdge& edge : edges) {
      if (is_done_[at(edge.to)]) continue;  // counted from its other end
      if (continues(graph_, distance_, edge.from, edge.to) || continues(graph_, distance_, edge.to, edge.from))
        continue;
      ++long_;
      if (edge.way <= kSuspicious * edge.scale) continue;
      if (found_.edges++ == 0) found_.first = edge.from, found_.second = edge.to;
    }
    is_done_[at(point)] = true;
  }

  ShortCircuits result() const { return 3 * found_.edges >= 2 * long_ ? found_ : ShortCircuits(); }

 private:
  const NeighborGraph& graph_;
  const PointDistance& distance_;
  std::vector<bool> is_done_;
  Index long_ = 0;
  ShortCircuits found_;
};

/// Points whose edges reach far beyond their nearest, those first.
std::vector<Index> by_reach(const NeighborGraph& graph) {
  std::vector<double> reach(at(graph.size()));
  std::vector<Index> points;
  for (Index i = 0; i < graph.size(); ++i) {
    if (graph.degree(i) <= kNear) continue;
    const auto distances = graph.distances_of(i);
    const double near = distances[at(kNear) - 1];
    reach[at(i)] = near > 0 ? distances.back() / near : std::numeric_limits<double>::max();
    points.push_back(i);
  }
  std::stable_sort(points.begin(), points.end(), [&](Index a, Index b) { return reach[at(a)] > reach[at(b)]; });
  return points;
}

}  // namespace

ShortCircuits find_short_circuits(const NeighborGraph& graph, const PointDistance& distance, const Run& run) {
  constexpr Index kBlock = 512, kGrain = 64;
  const std::vector<Index> points = by_reach(graph);
  if (points.empty()) return {};
  const NeighborGraph near = near_graph(graph, run);
  const Components parts = connected_components(near, run);
  const Searcher searcher(graph, near, parts);
  Count count(graph, distance);
  Index work = 0;
  for (Index first = 0; first < std::ssize(points) && work < kMostWork; first += kBlock) {
    std::vector<Found> found(at(std::min(kBlock, std::ssize(points) - first)));
    parallel_for(
        run, std::ssize(found), kGrain,
        [&](Index begin, Index end) {
          WayLengths ways(graph.size());
          for (Index i = begin; i < end; ++i) found[at(i)] = searcher.search(points[at(first + i)], ways);
        },
        "short circuits");
    for (std::size_t i = 0; i < found.size(); ++i) {
      work += found[i].visited;
      count.add(points[at(first) + i], found[i].edges);
    }
  }
  return count.result();
}

}  // namespace unroll
