#include "unroll/neighbors/neighbor_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace unroll {
namespace {

/// Length first, so that pairs compare as rows are ordered.
using Edge = std::pair<double, Index>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// All edges turned round, by counting sort: sources ascend within a row.
NeighborGraph transposed(const NeighborGraph& graph) {
  NeighborGraph result{std::vector<Index>(at(graph.size() + 1)), std::vector<Index>(at(graph.edges())),
                       std::vector<double>(at(graph.edges()))};
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

void append(NeighborGraph& graph, const std::vector<Edge>& row) {
  for (const auto& [distance, neighbor] : row) {
    graph.neighbors.push_back(neighbor);
    graph.distances.push_back(distance);
  }
  graph.offsets.push_back(graph.edges());
}

/// A row of the graph split by what its ends agree on.
struct Row {
  std::vector<Edge> both;  ///< edges that the other end has too
  std::vector<Edge> one;   ///< edges of one end only
};

/// Tells which edges into a point are also edges out of it, in time proportional to their number.
class RowSplitter {
 public:
  explicit RowSplitter(const NeighborGraph& graph)
      : graph_(graph), incoming_(transposed(graph)), last_edge_to_(at(graph.size()), -1), met_(at(graph.size()), -1) {}

  /// To be called for i = 0, 1, ..., in order: then the last edge seen to j is one of row i if its number is.
  void split(Index i, Row& row) {
    row.both.clear();
    row.one.clear();
    const Index first = graph_.offsets[at(i)], end = graph_.offsets[at(i + 1)];
    for (Index e = first; e < end; ++e) last_edge_to_[at(graph_.neighbors[at(e)])] = e;
    for (Index e = incoming_.offsets[at(i)]; e < incoming_.offsets[at(i + 1)]; ++e) {
      const Index j = incoming_.neighbors[at(e)], out = last_edge_to_[at(j)];
      const double length = incoming_.distances[at(e)];
      if (out < first) {
        row.one.emplace_back(length, j);
      } else {
        row.both.emplace_back(std::min(length, graph_.distances[at(out)]), j);
        met_[at(j)] = i;
      }
    }
    for (Index e = first; e < end; ++e)
      if (const Index j = graph_.neighbors[at(e)]; met_[at(j)] != i) row.one.emplace_back(graph_.distances[at(e)], j);
  }

 private:
  const NeighborGraph& graph_;
  NeighborGraph incoming_;
  std::vector<Index> last_edge_to_;
  std::vector<Index> met_;
};

}  // namespace

NeighborGraph symmetrized(const NeighborGraph& graph, Symmetrization rule) {
  if (rule == Symmetrization::None) return graph;
  NeighborGraph result;
  const bool with_one_sided = rule != Symmetrization::Mutual;
  result.offsets.reserve(graph.offsets.size());
  result.neighbors.reserve(graph.neighbors.size() * (with_one_sided ? 2 : 1));
  result.distances.reserve(graph.distances.size() * (with_one_sided ? 2 : 1));
  RowSplitter splitter(graph);
  Row row;
  for (Index i = 0; i < graph.size(); ++i) {
    splitter.split(i, row);
    if (with_one_sided) row.both.insert(row.both.end(), row.one.begin(), row.one.end());
    std::sort(row.both.begin(), row.both.end());
    append(result, row.both);
  }
  return result;
}

std::vector<double> symmetric_weights(const NeighborGraph& directed, const NeighborGraph& united) {
  const NeighborGraph incoming = transposed(directed);
  std::vector<double> weights(united.neighbors.size()), of_row(at(directed.size()));
  for (Index i = 0; i < united.size(); ++i) {
    for (const Index j : directed.neighbors_of(i)) of_row[at(j)] += 0.5;
    for (const Index j : incoming.neighbors_of(i)) of_row[at(j)] += 0.5;
    for (Index e = united.offsets[at(i)]; e < united.offsets[at(i + 1)]; ++e)
      weights[at(e)] = std::exchange(of_row[at(united.neighbors[at(e)])], 0);
  }
  return weights;
}

SparseMatrix to_sparse(const NeighborGraph& graph) {
  SparseMatrix result{graph.size(), graph.size(), graph.offsets, {}, {}};
  result.columns.reserve(graph.neighbors.size());
  result.values.reserve(graph.neighbors.size());
  std::vector<std::pair<Index, double>> row;
  for (Index i = 0; i < graph.size(); ++i) {
    row.clear();
    for (Index e = graph.offsets[at(i)]; e < graph.offsets[at(i + 1)]; ++e)
      row.emplace_back(graph.neighbors[at(e)], graph.distances[at(e)]);
    std::sort(row.begin(), row.end());
    for (const auto& [column, value] : row) {
      result.columns.push_back(column);
      result.values.push_back(value);
    }
  }
  return result;
}

}  // namespace unroll
