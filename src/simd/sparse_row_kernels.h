#pragma once
#include <cstdint>

#include "unroll/core/types.h"

/// Sparse rows times tables of few columns. Like all of src/simd they exist once per instruction set; the order of
/// every sum is fixed.
namespace unroll::simd {

/// Columns of a table: two cache lines, so that a few hundred rows of it stay in the first-level cache.
inline constexpr Index kTableColumns = 16;

/// Some sparse rows: row i has the entries [begin[i], end[i]) of `columns` and `values`.
template <class Value, class Place>
struct SparseBlock {
  const Value* values;
  const Place* columns;
  const Index* begin;
  const Index* end;
  Index rows;
  double scale;  ///< of the values
};

template <class Value, class Place>
struct SparseRowKernels {
  /// out(i, :) += sum over the entries of scale v table(column, :), in their order.
  void (*gather)(const SparseBlock<Value, Place>& block, const double* table, double* out);
  /// table(column, :) += scale v rows(i, :) for all entries, row after row.
  void (*scatter)(const SparseBlock<Value, Place>& block, const double* rows, double* table);
};

struct SparseKernels {
  SparseRowKernels<float, std::int32_t> f32_i32;
  SparseRowKernels<double, std::int32_t> f64_i32;
  SparseRowKernels<float, std::int64_t> f32_i64;
  SparseRowKernels<double, std::int64_t> f64_i64;

  template <class Value, class Place>
  const SparseRowKernels<Value, Place>& of() const {
    if constexpr (sizeof(Place) == sizeof(std::int32_t)) {
      if constexpr (sizeof(Value) == sizeof(float)) {
        return f32_i32;
      } else {
        return f64_i32;
      }
    } else if constexpr (sizeof(Value) == sizeof(float)) {
      return f32_i64;
    } else {
      return f64_i64;
    }
  }
};

}  // namespace unroll::simd
