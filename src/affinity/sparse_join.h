#pragma once
#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/neighbor_graph.h"

/// Sparse matrices joined entry by entry. Their columns ascend in every row.
namespace unroll {

/// The matrix of values that the edges of a graph have.
SparseMatrix edge_matrix(const NeighborGraph& graph, const std::vector<double>& values, const Run& run);

SparseMatrix transposed(const SparseMatrix& a, const Run& run);

/// Calls visit(j, a_ij, b_ij) for the columns j that row i of either matrix has, ascending. Null: there is no such
/// entry.
template <class Visit>
void for_each_place(const SparseMatrix& a, const SparseMatrix& b, Index i, Visit&& visit) {
  constexpr Index kEnd = std::numeric_limits<Index>::max();
  Index p = a.offsets[at(i)], q = b.offsets[at(i)];
  const Index p_end = a.offsets[at(i) + 1], q_end = b.offsets[at(i) + 1];
  while (p < p_end || q < q_end) {
    const Index left = p < p_end ? a.columns[at(p)] : kEnd, right = q < q_end ? b.columns[at(q)] : kEnd;
    const double* of_a = left <= right ? &a.values[at(p++)] : nullptr;
    const double* of_b = right <= left ? &b.values[at(q++)] : nullptr;
    visit(std::min(left, right), of_a, of_b);
  }
}

/// An entry, or 0 if there is none.
inline double value_of(const double* entry) { return entry != nullptr ? *entry : 0; }

/// join(a_ij, b_ij) wherever either matrix has an entry; results of 0 are left out.
template <class Join>
SparseMatrix joined(const SparseMatrix& a, const SparseMatrix& b, const Join& join, const Run& run) {
  constexpr Index kRows = 512;  // at a time
  SparseMatrix w{.rows = a.rows, .cols = a.cols, .offsets = std::vector<Index>(at(a.rows) + 1)};
  parallel_for(run, a.rows, kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for_each_place(a, b, i,
                     [&](Index, const double* x, const double* y) { w.offsets[at(i) + 1] += join(x, y) != 0 ? 1 : 0; });
  });
  std::partial_sum(w.offsets.begin(), w.offsets.end(), w.offsets.begin());
  resize_large(w.columns, at(w.offsets.back()), run);
  resize_large(w.values, at(w.offsets.back()), run);
  parallel_for(run, a.rows, kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      auto place = at(w.offsets[at(i)]);
      for_each_place(a, b, i, [&](Index column, const double* x, const double* y) {
        const double value = join(x, y);
        if (value == 0) return;
        w.columns[place] = column;
        w.values[place++] = value;
      });
    }
  });
  return w;
}

}  // namespace unroll
