#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "data/byte_source.h"
#include "data/table_reader.h"
#include "unroll/core/error.h"

/// What every fuzz target does: hands the bytes to a reader, which may return or throw unroll::Error and nothing else,
/// within a small memory budget (tools/fuzz.sh ends a run that allocates more at once).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace unroll::fuzz {

inline constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;

/// Error(Internal) says that we broke a promise of our own.
inline int expect_result_or_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) std::abort();
  }
  return 0;
}

/// A sound matrix has sorted rows and indices within its sizes; the test's own look at every byte of it.
inline void check(const SparseMatrix& matrix) {
  bool sound = static_cast<Index>(matrix.offsets.size()) == matrix.rows + 1 && matrix.offsets.front() == 0 &&
               matrix.columns.size() == matrix.values.size() &&
               matrix.offsets.back() == static_cast<Index>(matrix.columns.size());
  for (std::size_t i = 0; sound && i + 1 < matrix.offsets.size(); ++i)
    for (Index at = matrix.offsets[i]; at < matrix.offsets[i + 1]; ++at) {
      const Index column = matrix.columns[static_cast<std::size_t>(at)];
      const Index before = at > matrix.offsets[i] ? matrix.columns[static_cast<std::size_t>(at) - 1] : -1;
      sound = sound && column > before && column < matrix.cols;
    }
  if (!sound) std::abort();
}

inline int read(TableOrSparse (*reader)(ByteSource&, const ReadOptions&, const Run&), const std::uint8_t* data,
                std::size_t size, const ReadOptions& options = {}) {
  return expect_result_or_error([&] {
    const Run run{.threads = 1, .memory_budget = kBudget};
    std::size_t at = 0;
    const auto input = [&](char* to, std::size_t count) {
      count = std::min(count, size - at);
      if (count > 0) std::memcpy(to, data + at, count);
      at += count;
      return count;
    };
    ByteSource source("input", size, input, 0, run);
    const TableOrSparse table = reader(source, options, run);
    if (const auto* sparse = std::get_if<SparseTable>(&table)) {
      check(sparse->values);
      made_dense(*sparse, "input", run);
    }
  });
}

template <Table (*Reader)(ByteSource&, const ReadOptions&, const Run&)>
TableOrSparse dense(ByteSource& source, const ReadOptions& options, const Run& run) {
  return Reader(source, options, run);
}

}  // namespace unroll::fuzz
