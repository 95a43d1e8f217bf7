#pragma once
#include <cstdint>
#include <span>
#include <string_view>
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

  /// Whether the updates of a supernode's children, which may be as many as there are points, are added up in its rows
  /// as they come: otherwise they wait for it one by one.
  std::vector<char> gathers;

  /// Supernodes [first, last] of a subtree, whose root is the last, or of several with one parent, which gathers. One
  /// update leaves it.
  struct Subtree {
    Row first, last;
    double work;
    bool is_gathered;
  };
  /// What can be eliminated at the same time: subtrees up to one, then one after another the supernodes above them.
  struct Round {
    Index end_of_subtrees;
    Row end;
  };
  std::vector<Subtree> subtrees;  ///< of the first round, the largest first, of the second, ...
  std::vector<Round> rounds;

  double entries = 0;  ///< of L, without the zeros that supernodes add
  double flops = 0;
  double work = 0;  ///< flops with those zeros: the sum of work_of

  Index supernodes() const { return std::ssize(parent); }
  Index cols(Index s) const { return first[static_cast<std::size_t>(s) + 1] - first[static_cast<std::size_t>(s)]; }
  Index height(Index s) const {
    return row_offsets[static_cast<std::size_t>(s) + 1] - row_offsets[static_cast<std::size_t>(s)];
  }
  /// Sum of (height - k)^2 over its columns k.
  double work_of(Index s) const {
    const auto side = static_cast<double>(height(s)), count = static_cast<double>(cols(s));
    return count * (side * side - side * (count - 1) + (count - 1) * (2 * count - 1) / 6);
  }
  Index below(Index s) const { return height(s) - cols(s); }
  std::span<const Row> rows_of(Index s) const {
    return {rows.data() + row_offsets[static_cast<std::size_t>(s)], static_cast<std::size_t>(height(s))};
  }
  /// Rows of the update that a supernode leaves to its parent.
  std::span<const Row> rows_below(Index s) const { return rows_of(s).subspan(static_cast<std::size_t>(cols(s))); }
  /// Rows of the one in which a supernode's children's are added up.
  std::span<const Row> rows_gathered_for(Row s) const { return s < 0 ? std::span<const Row>{} : rows_of(s); }
  std::span<const Row> rows_left_by(const Subtree& tree) const {
    return tree.is_gathered ? rows_gathered_for(parent[static_cast<std::size_t>(tree.last)]) : rows_below(tree.last);
  }
};

/// For elimination in about this order: it is changed where that makes no difference to the factor.
/// Throws OutOfMemory where the rows of the factor do not fit.
Elimination plan_elimination(const SparseMatrix& a, const std::vector<Elimination::Row>& order, const Run& run);

/// Bytes that this takes beside the rows of the factor, at most.
double bytes_to_plan(const SparseMatrix& a);

}  // namespace unroll
