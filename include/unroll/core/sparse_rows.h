#pragma once
#include <cstdint>
#include <type_traits>

#include "unroll/core/matrix.h"
#include "unroll/core/sparse.h"

namespace unroll {

/// Rows of a sparse matrix that somebody else owns (CSR): row i has the entries [offsets[i], offsets[i+1]).
template <class Value, class Place>
struct CsrView {
  Index rows = 0;
  Index cols = 0;
  const Place* offsets = nullptr;
  const Place* columns = nullptr;
  const Value* values = nullptr;

  Index begin(Index i) const { return static_cast<Index>(offsets[i]); }
  Index end(Index i) const { return static_cast<Index>(offsets[i + 1]); }
  Index entries() const { return rows == 0 ? 0 : end(rows - 1) - begin(0); }
};

/// Throws InvalidData unless the lists are as long as the rows say.
UNROLL_API void check_lists(const SparseMatrix& matrix);

/// Points most of whose features are 0: one per row, as SciPy's csr_matrix keeps them. A view: nothing is copied, and
/// nothing is written to. Values are float or double; offsets and columns are both 32 or both 64 bits wide. Within a
/// row columns ascend and are unique; methods check that.
class SparseRows {
 public:
  SparseRows() = default;
  /// `offsets` has rows + 1 entries. Throws InvalidData for a negative size, or offsets at no address.
  template <class Value, class Place>
  SparseRows(Index rows, Index cols, const Place* offsets, const Place* columns, const Value* values)
      : rows_(rows),
        cols_(cols),
        offsets_(offsets),
        columns_(columns),
        values_(values),
        is_float_(std::is_same_v<Value, float>),
        is_wide_(sizeof(Place) == sizeof(std::int64_t)) {
    static_assert(std::is_same_v<Value, float> || std::is_same_v<Value, double>);
    static_assert(std::is_same_v<Place, std::int32_t> || std::is_same_v<Place, std::int64_t>);
    check_view(offsets, rows, cols);
  }
  template <class Value, class Place>
  SparseRows(const CsrView<Value, Place>& view)
      : SparseRows(view.rows, view.cols, view.offsets, view.columns, view.values) {}
  /// Throws InvalidData if its lists are too short.
  explicit SparseRows(const SparseMatrix& matrix UNROLL_VIEWED)
      : SparseRows(matrix.rows, matrix.cols, matrix.offsets.data(), matrix.columns.data(), matrix.values.data()) {
    check_lists(matrix);
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  bool is_float() const { return is_float_; }

  /// Calls `f` with a CsrView of the types of the matrix.
  template <class F>
  decltype(auto) visit(F&& f) const {
    if (is_wide_) return is_float_ ? f(as<float, std::int64_t>()) : f(as<double, std::int64_t>());
    return is_float_ ? f(as<float, std::int32_t>()) : f(as<double, std::int32_t>());
  }

  /// The number of entries that are stored.
  Index entries() const {
    return visit([](const auto& x) { return x.entries(); });
  }
  SparseRows slice(Index first, Index count) const {
    return visit([&](auto x) { return SparseRows(count, x.cols, x.offsets + first, x.columns, x.values); });
  }

 private:
  friend class PointsView;
  template <class Value, class Place>
  CsrView<Value, Place> as() const {
    return {rows_, cols_, static_cast<const Place*>(offsets_), static_cast<const Place*>(columns_),
            static_cast<const Value*>(values_)};
  }

  Index rows_ = 0;
  Index cols_ = 0;
  const void* offsets_ = nullptr;
  const void* columns_ = nullptr;
  const void* values_ = nullptr;
  bool is_float_ = false;
  bool is_wide_ = true;
};

/// Throws Unsupported: what comes next reads dense points only.
[[noreturn]] UNROLL_API void refuse_sparse_rows();

}  // namespace unroll
