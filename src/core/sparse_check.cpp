#include "core/sparse_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "unroll/core/error.h"

namespace unroll {

void check_structure(const SparseMatrix& m) {
  const auto fail = [&](std::string_view what) {
    throw Error(ErrorKind::InvalidData, fmt::format("the sparse matrix is broken: {}", what));
  };
  if (std::ssize(m.offsets) != m.rows + 1 || m.offsets.front() != 0 ||
      !std::is_sorted(m.offsets.begin(), m.offsets.end()))
    fail("offsets must ascend from 0, one more than there are rows");
  if (m.offsets.back() != std::ssize(m.columns) || m.columns.size() != m.values.size())
    fail("there must be as many columns and values as the last offset says");
  for (Index i = 0; i < m.rows; ++i)
    for (Index e = m.offsets[static_cast<std::size_t>(i)]; e < m.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const Index column = m.columns[static_cast<std::size_t>(e)];
      if (column < 0 || column >= m.cols) fail(fmt::format("row {} has column {}, of {}", i + 1, column, m.cols));
      if (e > m.offsets[static_cast<std::size_t>(i)] && column <= m.columns[static_cast<std::size_t>(e) - 1])
        fail(fmt::format("the columns of row {} do not ascend", i + 1));
    }
}

}  // namespace unroll
