#include "affinity/sparse_join.h"

#include "core/occurrences.h"

namespace unroll {
namespace {

constexpr Index kJoinedRows = 1024;  // at a time

}  // namespace

SparseMatrix edge_matrix(const NeighborGraph& graph, const std::vector<double>& values, const Run& run) {
  const Index n = graph.size();
  SparseMatrix a{.rows = n, .cols = n, .offsets = graph.offsets};
  resize_large(a.columns, values.size(), run);
  resize_large(a.values, values.size(), run);
  parallel_for(run, n, kJoinedRows, [&](Index begin, Index end) {
    std::vector<std::pair<Index, double>> row;
    for (Index i = begin; i < end; ++i) {
      const auto first = at(graph.offsets[at(i)]), last = at(graph.offsets[at(i) + 1]);
      row.clear();
      for (std::size_t e = first; e < last; ++e) row.emplace_back(graph.neighbors[e], values[e]);
      std::sort(row.begin(), row.end());
      for (std::size_t e = first; e < last; ++e) {
        a.columns[e] = row[e - first].first;
        a.values[e] = row[e - first].second;
      }
    }
  });
  return a;
}

SparseMatrix transposed(const SparseMatrix& a, const Run& run) {
  std::vector<Index> rows;  // of every entry
  resize_large(rows, a.columns.size(), run);
  parallel_for(run, a.rows, kJoinedRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      std::fill(rows.begin() + a.offsets[at(i)], rows.begin() + a.offsets[at(i) + 1], i);
  });
  Occurrences entries = occurrences(a.columns, a.cols, run);
  SparseMatrix t{.rows = a.cols, .cols = a.rows};
  resize_large(t.columns, a.columns.size(), run);
  resize_large(t.values, a.values.size(), run);
  parallel_for(run, std::ssize(entries.places), kJoinedRows, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      const auto from = at(entries.places[at(e)]);
      t.columns[at(e)] = rows[from];
      t.values[at(e)] = a.values[from];
    }
  });
  t.offsets = std::move(entries.offsets);
  return t;
}

}  // namespace unroll
