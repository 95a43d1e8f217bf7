#pragma once
#include <string>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/data/table.h"

/// Converts sparse matrices of files to the one form that the library uses.
namespace unroll {

/// Entries in any order; several may have one place.
struct Triplets {
  Index rows = 0;
  Index cols = 0;
  std::vector<Index> row = {};  ///< each at least 0 and below `rows`
  std::vector<Index> col = {};  ///< each at least 0 and below `cols`
  std::vector<double> value = {};
};

/// Where the entries come from, for messages and for the memory plan.
struct SparseOrigin {
  std::string file = {};
  std::size_t bytes_held = 0;  ///< in memory besides the entries
};

/// For a matrix by rows whose columns are in no order: sorts them, and adds up entries of one place in their order,
/// with a warning.
SparseTable sparse_table(SparseMatrix matrix, const SparseOrigin& origin, const Run& run);
SparseTable sparse_table(const Triplets& entries, const SparseOrigin& origin, const Run& run);

}  // namespace unroll
