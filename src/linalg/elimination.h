#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/sparse.h"

namespace unroll {

/// How a sparse symmetric matrix is eliminated: which unknown after which, and where its factor L has entries. Depends
/// on the pattern alone. Consecutive columns of L that have (nearly) the same rows are one supernode: a dense panel,
/// whose first rows are those of its own columns. After its columns a supernode's rows below form a dense update of the
/// rows of its parent. Children come before parents, and a subtree is a range of supernodes.
struct Elimination {
  using Row = std::int32_t;

  std::vector<Row> order;          ///< the k-th unknown to be eliminated
  std::vector<Row> place;          ///< its inverse
  std::vector<Row> first;          ///< column of every supernode, and one past the last column
  std::vector<Row> parent;         ///< of every supernode; -1: none
  std::vector<Index> row_offsets;  ///< supernode s has rows [row_offsets[s], row_offsets[s + 1]), ascending
  std::vector<Row> rows;
  std::vector<Index> value_offsets;  ///< its panel, column after column, has values from value_offsets[s] on

  /// Supernodes [first, last]; the last is the root, and nothing but its own update leaves the subtree.
  struct Subtree {
    Row first, last;
    double work;
  };
  std::vector<Subtree> subtrees;  ///< that can be eliminated at the same time, the largest first

  double entries = 0;  ///< of L, without the zeros that supernodes add
  double flops = 0;
  double work = 0;  ///< flops with those zeros

  Index supernodes() const { return std::ssize(parent); }
  Index cols(Index s) const { return first[static_cast<std::size_t>(s) + 1] - first[static_cast<std::size_t>(s)]; }
  Index height(Index s) const {
    return row_offsets[static_cast<std::size_t>(s) + 1] - row_offsets[static_cast<std::size_t>(s)];
  }
  double work_of(Index s) const {
    const auto side = static_cast<double>(height(s));
    return static_cast<double>(cols(s)) * side * side;
  }
  Index below(Index s) const { return height(s) - cols(s); }
};

/// For elimination in about this order: it is changed where that makes no difference to the factor.
Elimination plan_elimination(const SparseMatrix& a, const std::vector<Elimination::Row>& order, const Run& run);

}  // namespace unroll
