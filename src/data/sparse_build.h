#pragma once
#include <string>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/data/table.h"

/// Sparse matrices as files have them, made into the one form that the rest of the library knows.
namespace unroll {

/// Entries in any order; several may have one place.
struct Triplets {
  Index rows = 0;
  Index cols = 0;
  std::vector<Index> row = {};  ///< each at least 0 and below `rows`
  std::vector<Index> col = {};  ///< likewise
  std::vector<double> value = {};
};

/// Where the entries come from, for messages and for the memory plan.
struct SparseOrigin {
  std::string file = {};
  std::size_t bytes_held = 0;  ///< in memory besides the entries
};

/// A matrix by rows whose columns are in no order: brings them in ascending order and adds up entries of one place, in
/// the order in which they stand, with a warning.
SparseTable sparse_table(SparseMatrix matrix, const SparseOrigin& origin, const Run& run);
SparseTable sparse_table(const Triplets& entries, const SparseOrigin& origin, const Run& run);

}  // namespace unroll
