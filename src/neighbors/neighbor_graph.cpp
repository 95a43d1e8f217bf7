#include "unroll/neighbors/neighbor_graph.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/at.h"
#include "core/memory.h"
#include "core/occurrences.h"
#include "core/parallel.h"
#include "neighbors/graph_findings.h"

namespace unroll {
namespace {

/// Length first, so that pairs compare as rows are ordered.
using Edge = std::pair<double, Index>;

/// The edges into every point.
class Incoming {
 public:
  Incoming(const NeighborGraph& graph, const Run& run) : edges_(occurrences(graph.neighbors, graph.size(), run)) {
    constexpr Index kRows = 4096;  // at a time
    resize_large(sources_, at(graph.edges()), run);
    parallel_for(run, graph.size(), kRows, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        std::fill(sources_.begin() + graph.offsets[at(i)], sources_.begin() + graph.offsets[at(i + 1)], i);
    });
  }

  Index count(Index begin, Index end) const { return edges_.offsets[at(end)] - edges_.offsets[at(begin)]; }
  /// The points at which these edges start, ascending.
  void get_sources(Index point, std::vector<Index>& sources) const {
    sources.clear();
    for (const Index edge : edges_.of(point)) sources.push_back(sources_[at(edge)]);
  }
  /// The same with the edges' lengths, which `graph` has. They may be anywhere in memory, so those of a later point are
  /// prefetched.
  void get(const NeighborGraph& graph, Index point, std::vector<Edge>& edges) const {
    constexpr Index kAhead = 8;
    if (point + kAhead < graph.size())
      for (const Index edge : edges_.of(point + kAhead)) {
        __builtin_prefetch(&sources_[at(edge)]);
        __builtin_prefetch(&graph.distances[at(edge)]);
      }
    edges.clear();
    for (const Index edge : edges_.of(point)) edges.emplace_back(graph.distances[at(edge)], sources_[at(edge)]);
  }

 private:
  Occurrences edges_;
  std::vector<Index> sources_;
};

/// Finds the edges into a point that are also edges out of it, in time proportional to their number.
class RowMerger {
 public:
  RowMerger(const NeighborGraph& graph, const Incoming& incoming)
      : graph_(graph), incoming_(incoming), last_edge_to_(at(graph.size()), -1) {}

  /// Row i of the union, or of the mutual graph. Call it for ascending i: then the last edge seen to j belongs to row i
  /// if its number does.
  const std::vector<Edge>& merged(Index i, bool with_one_sided) {
    const Index first = graph_.offsets[at(i)], end = graph_.offsets[at(i + 1)];
    own_.clear();
    met_.assign(at(end - first), false);
    for (Index e = first; e < end; ++e) {
      own_.emplace_back(graph_.distances[at(e)], graph_.neighbors[at(e)]);
      last_edge_to_[at(graph_.neighbors[at(e)])] = e;
    }
    others_.clear();
    bool in_order = true;
    incoming_.get(graph_, i, into_);
    for (const Edge& edge : into_) {
      const Index place = last_edge_to_[at(edge.second)] - first;
      if (place < 0) {
        if (with_one_sided) others_.push_back(edge);
      } else {
        met_[at(place)] = true;
        in_order = in_order && edge >= own_[at(place)];
        own_[at(place)] = std::min(own_[at(place)], edge);
      }
    }
    return joined(with_one_sided, in_order);
  }

 private:
  /// Rows are sorted already, except for edges from the other ends and for lengths that these shortened.
  const std::vector<Edge>& joined(bool with_one_sided, bool in_order) {
    if (!with_one_sided) {
      std::size_t kept = 0;
      for (std::size_t place = 0; place < own_.size(); ++place)
        if (met_[place]) own_[kept++] = own_[place];
      own_.resize(kept);
    }
    if (!in_order) std::sort(own_.begin(), own_.end());
    std::sort(others_.begin(), others_.end());
    row_.resize(own_.size() + others_.size());
    std::merge(own_.begin(), own_.end(), others_.begin(), others_.end(), row_.begin());
    return row_;
  }

  const NeighborGraph& graph_;
  const Incoming& incoming_;
  std::vector<Index> last_edge_to_;
  std::vector<Edge> own_, into_, others_, row_;
  std::vector<char> met_;
};

/// The rows of all parts, one part after the other.
NeighborGraph concatenated(std::vector<NeighborGraph> parts, const Run& run) {
  std::vector<Index> rows{0}, edges{0};  // before every part
  for (const NeighborGraph& part : parts) {
    rows.push_back(rows.back() + part.size());
    edges.push_back(edges.back() + part.edges());
  }
  NeighborGraph result{.offsets = std::vector<Index>(at(rows.back()) + 1)};
  result.offsets.back() = edges.back();
  resize_large(result.neighbors, at(edges.back()), run);
  resize_large(result.distances, at(edges.back()), run);
  parallel_for(run, std::ssize(parts), 1, [&](Index p, Index) {
    const NeighborGraph part = std::move(parts[at(p)]);
    std::transform(part.offsets.begin(), part.offsets.end() - 1, result.offsets.begin() + rows[at(p)],
                   [&](Index offset) { return edges[at(p)] + offset; });
    std::copy(part.neighbors.begin(), part.neighbors.end(), result.neighbors.begin() + edges[at(p)]);
    std::copy(part.distances.begin(), part.distances.end(), result.distances.begin() + edges[at(p)]);
  });
  return result;
}

}  // namespace

NeighborGraph symmetrized(const NeighborGraph& graph, Symmetrization rule, const Run& run) {
  constexpr Index kBlocks = 16;  // each has a mark for every point
  if (rule == Symmetrization::None) return graph;
  const Index grain = std::max<Index>(1, block_count(graph.size(), kBlocks));
  const Incoming incoming(graph, run);
  std::vector<NeighborGraph> parts(at(block_count(graph.size(), grain)));
  parallel_for(run, graph.size(), grain, [&](Index begin, Index end) {
    NeighborGraph& part = parts[at(begin / grain)];
    const Index most = graph.offsets[at(end)] - graph.offsets[at(begin)] + incoming.count(begin, end);
    reserve_large(part.neighbors, at(most));
    reserve_large(part.distances, at(most));
    RowMerger merger(graph, incoming);
    for (Index i = begin; i < end; ++i) {
      for (const auto& [distance, neighbor] : merger.merged(i, rule != Symmetrization::Mutual)) {
        part.neighbors.push_back(neighbor);
        part.distances.push_back(distance);
      }
      part.offsets.push_back(part.edges());
    }
  });
  return concatenated(std::move(parts), run);
}

std::vector<double> symmetric_weights(const NeighborGraph& directed, const NeighborGraph& united) {
  const Incoming incoming(directed, {.threads = 1});
  std::vector<double> weights(united.neighbors.size()), of_row(at(directed.size()));
  std::vector<Index> sources;
  for (Index i = 0; i < united.size(); ++i) {
    for (const Index j : directed.neighbors_of(i)) of_row[at(j)] += 0.5;
    incoming.get_sources(i, sources);
    for (const Index j : sources) of_row[at(j)] += 0.5;
    for (Index e = united.offsets[at(i)]; e < united.offsets[at(i + 1)]; ++e)
      weights[at(e)] = of_row[at(united.neighbors[at(e)])];
    for (const Index j : directed.neighbors_of(i)) of_row[at(j)] = 0;
    for (const Index j : sources) of_row[at(j)] = 0;
  }
  return weights;
}

SparseMatrix to_sparse(const NeighborGraph& graph, const Run& run) {
  constexpr Index kRows = 4096;  // at a time
  SparseMatrix result{graph.size(), graph.size(), graph.offsets, {}, {}};
  resize_large(result.columns, graph.neighbors.size(), run);
  resize_large(result.values, graph.neighbors.size(), run);
  parallel_for(run, graph.size(), kRows, [&](Index begin, Index end) {
    std::vector<std::pair<Index, double>> row;
    for (Index i = begin; i < end; ++i) {
      Index to = graph.offsets[at(i)];
      row.clear();
      for (Index e = to; e < graph.offsets[at(i + 1)]; ++e)
        row.emplace_back(graph.neighbors[at(e)], graph.distances[at(e)]);
      std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (const auto& [column, value] : row) {
        result.columns[at(to)] = column;
        result.values[at(to++)] = value;
      }
    }
  });
  return result;
}

SparseMatrix to_sparse(const NeighborGraph& graph) { return to_sparse(graph, {.threads = 1}); }

}  // namespace unroll
