#pragma once
#include <span>
#include <vector>

#include "unroll/core/types.h"

/// A few sparse rows in the coordinates that any of them has: all others are 0 for all of them.
namespace unroll {

/// The columns that any of these rows has, ascending.
void shared_columns(const SparseRows& rows, std::span<const Index> members, std::vector<Index>& columns);
/// The same with those of row q of others.
void add_columns(const SparseRows& rows, Index q, std::vector<Index>& columns);

/// scale * x of row i in these columns.
void expand_row(const SparseRows& rows, Index i, double scale, std::span<const Index> columns,
                std::vector<double>& values);

}  // namespace unroll
