#include "unroll/neighbors/neighbor_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "neighbors/graph_findings.h"

namespace unroll {
namespace {

/// Length first, so that pairs compare as rows are ordered.
using Edge = std::pair<double, Index>;

/// All edges reversed, by counting sort: sources ascend within a row.
NeighborGraph transposed(const NeighborGraph& graph) {
  NeighborGraph result{.offsets = std::vector<Index>(at(graph.size() + 1))};
  reserve_large(result.neighbors, at(graph.edges()));
  reserve_large(result.distances, at(graph.edges()));
  result.neighbors.resize(at(graph.edges()));
  result.distances.resize(at(graph.edges()));
  for (const Index j : graph.neighbors) ++result.offsets[at(j + 1)];
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  std::vector<Index> next(result.offsets.begin(), result.offsets.end() - 1);
  for (Index i = 0; i < graph.size(); ++i)
    for (Index e = graph.offsets[at(i)]; e < graph.offsets[at(i + 1)]; ++e) {
      const Index place = next[at(graph.neighbors[at(e)])]++;
      result.neighbors[at(place)] = i;
      result.distances[at(place)] = graph.distances[at(e)];
    }
  return result;
}

/// Finds the edges into a point that are also edges out of it, in time proportional to their number.
class RowMerger {
 public:
  RowMerger(const NeighborGraph& graph, const NeighborGraph& incoming)
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
    for (Index e = incoming_.offsets[at(i)]; e < incoming_.offsets[at(i + 1)]; ++e) {
      const Edge edge{incoming_.distances[at(e)], incoming_.neighbors[at(e)]};
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
  const NeighborGraph& incoming_;
  std::vector<Index> last_edge_to_;
  std::vector<Edge> own_, others_, row_;
  std::vector<char> met_;
};

/// The rows of all parts, one part after the other.
NeighborGraph concatenated(std::vector<NeighborGraph> parts, const Run& run) {
  NeighborGraph result;
  std::vector<Index> first{0};
  for (const NeighborGraph& part : parts) {
    for (std::size_t i = 1; i < part.offsets.size(); ++i) result.offsets.push_back(first.back() + part.offsets[i]);
    first.push_back(first.back() + part.edges());
  }
  reserve_large(result.neighbors, at(first.back()));
  reserve_large(result.distances, at(first.back()));
  result.neighbors.resize(at(first.back()));
  result.distances.resize(at(first.back()));
  parallel_for(run, std::ssize(parts), 1, [&](Index p, Index) {
    const NeighborGraph part = std::move(parts[at(p)]);
    std::copy(part.neighbors.begin(), part.neighbors.end(), result.neighbors.begin() + first[at(p)]);
    std::copy(part.distances.begin(), part.distances.end(), result.distances.begin() + first[at(p)]);
  });
  return result;
}

}  // namespace

NeighborGraph symmetrized(const NeighborGraph& graph, Symmetrization rule, const Run& run) {
  constexpr Index kBlocks = 16;  // each has a mark for every point
  if (rule == Symmetrization::None) return graph;
  const Index grain = std::max<Index>(1, block_count(graph.size(), kBlocks));
  const NeighborGraph incoming = transposed(graph);
  std::vector<NeighborGraph> parts(at(block_count(graph.size(), grain)));
  parallel_for(run, graph.size(), grain, [&](Index begin, Index end) {
    NeighborGraph& part = parts[at(begin / grain)];
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
  const NeighborGraph incoming = transposed(directed);
  std::vector<double> weights(united.neighbors.size()), of_row(at(directed.size()));
  for (Index i = 0; i < united.size(); ++i) {
    for (const Index j : directed.neighbors_of(i)) of_row[at(j)] += 0.5;
    for (const Index j : incoming.neighbors_of(i)) of_row[at(j)] += 0.5;
    for (Index e = united.offsets[at(i)]; e < united.offsets[at(i + 1)]; ++e)
      weights[at(e)] = of_row[at(united.neighbors[at(e)])];
    for (const Index j : directed.neighbors_of(i)) of_row[at(j)] = 0;
    for (const Index j : incoming.neighbors_of(i)) of_row[at(j)] = 0;
  }
  return weights;
}

SparseMatrix to_sparse(const NeighborGraph& graph, const Run& run) {
  constexpr Index kRows = 4096;  // at a time
  SparseMatrix result{graph.size(), graph.size(), graph.offsets, {}, {}};
  result.columns.resize(graph.neighbors.size());
  result.values.resize(graph.neighbors.size());
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
