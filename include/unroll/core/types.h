#pragma once
#include <concepts>
#include <cstddef>
#include <span>

#include "unroll/core/matrix.h"
#include "unroll/core/sparse_rows.h"

namespace unroll {

/// The points a method reads: one per row, float or double, not owned and never written to. float stays float (a
/// million 784-pixel images must not double in size); accuracy is kept by accumulating in double. Sparse rows stay
/// sparse.
class PointsView {
 public:
  PointsView() = default;
  /// Sizes may be of any integer type. Throws InvalidData for a negative size, or no data for them.
  template <std::integral Rows, std::integral Cols>
  PointsView(const float* data, Rows rows, Cols cols)
      : PointsView(
            MatrixView<float>{data, static_cast<Index>(rows), static_cast<Index>(cols), static_cast<Index>(cols)}) {
    check_view(data_, rows_, cols_);
  }
  template <std::integral Rows, std::integral Cols>
  PointsView(const double* data, Rows rows, Cols cols)
      : PointsView(
            MatrixView<double>{data, static_cast<Index>(rows), static_cast<Index>(cols), static_cast<Index>(cols)}) {
    check_view(data_, rows_, cols_);
  }
  /// Rows of so many columns, one after the other; throws InvalidData if the last one is not complete.
  template <std::integral Cols>
  PointsView(std::span<const float> values, Cols cols)
      : PointsView(values.data(), rows_in(values.size(), static_cast<Index>(cols)), cols) {}
  template <std::integral Cols>
  PointsView(std::span<const double> values, Cols cols)
      : PointsView(values.data(), rows_in(values.size(), static_cast<Index>(cols)), cols) {}
  PointsView(MatrixView<float> view)
      : data_(view.data), rows_(view.rows), cols_(view.cols), stride_(view.stride), is_float_(true) {}
  PointsView(MatrixView<double> view)
      : data_(view.data), rows_(view.rows), cols_(view.cols), stride_(view.stride), is_float_(false) {}
  template <class T>
  PointsView(const Array2<T>& array UNROLL_VIEWED) : PointsView(array.view()) {}
  PointsView(const SparseRows& rows)
      : data_(rows.values_),
        rows_(rows.rows_),
        cols_(rows.cols_),
        offsets_(rows.offsets_),
        columns_(rows.columns_),
        is_float_(rows.is_float_),
        is_sparse_(true),
        is_wide_(rows.is_wide_) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  bool is_float() const { return is_float_; }
  bool is_sparse() const { return is_sparse_; }
  /// The sparse rows; only if it is_sparse().
  SparseRows sparse() const {
    SparseRows rows;
    rows.rows_ = rows_, rows.cols_ = cols_;
    rows.offsets_ = offsets_, rows.columns_ = columns_, rows.values_ = data_;
    rows.is_float_ = is_float_, rows.is_wide_ = is_wide_;
    return rows;
  }

  /// Calls `f` with a MatrixView<float> or a MatrixView<double>. Throws Unsupported for sparse rows: what reads these
  /// has asked for them before.
  template <class F>
  decltype(auto) visit(F&& f) const {
    if (is_sparse_) refuse_sparse_rows();
    if (is_float_) return f(MatrixView<float>{static_cast<const float*>(data_), rows_, cols_, stride_});
    return f(MatrixView<double>{static_cast<const double*>(data_), rows_, cols_, stride_});
  }

  PointsView slice(Index first, Index count) const {
    if (is_sparse_) return sparse().slice(first, count);
    return visit([&](auto view) { return PointsView(view.slice(first, count)); });
  }

 private:
  const void* data_ = nullptr;
  Index rows_ = 0;
  Index cols_ = 0;
  Index stride_ = 0;
  const void* offsets_ = nullptr;  ///< of sparse rows
  const void* columns_ = nullptr;
  bool is_float_ = false;
  bool is_sparse_ = false;
  bool is_wide_ = true;
};

}  // namespace unroll
