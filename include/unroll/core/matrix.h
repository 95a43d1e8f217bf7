#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "unroll/core/export.h"

namespace unroll {

/// Every size and offset is 64 bits wide: with n = 10^6, n*d and n*k pass 2^31 long before memory runs out.
using Index = std::int64_t;

/// rows * cols; throws Error(OutOfMemory) when the product of sizes, or its bytes, passes 2^63.
UNROLL_API Index checked_size(Index rows, Index cols, std::size_t bytes_per_entry);

/// Asks for large pages under freshly allocated memory, if the block is large: without them the first touch of a matrix
/// of 800 MB cost 0.4 s of page faults. Only a hint.
UNROLL_API void use_large_pages(void* data, std::size_t bytes);

/// Throws InvalidData for a negative size, and for numbers at no address.
UNROLL_API void check_view(const void* data, Index rows, Index cols);
/// The number of rows; throws InvalidData if the last one is not complete.
UNROLL_API Index rows_in(std::size_t numbers, Index cols);

/// A row-major matrix that somebody else owns; consecutive rows are `stride` entries apart.
template <class T>
struct MatrixView {
  const T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  const T* row(Index i) const { return data + i * stride; }
  const T& operator()(Index i, Index j) const { return data[i * stride + j]; }
  MatrixView slice(Index first, Index count) const { return {row(first), count, cols, stride}; }
};

/// An owning row-major matrix, contiguous. Plain storage on purpose: a caller compiled with other -march flags can
/// hold one safely, which is not true of Eigen's owning types (their alignment depends on the flags).
template <class T>
class Array2 {
 public:
  Array2() = default;
  Array2(Index rows, Index cols) : Array2(uninitialized(rows, cols)) { std::fill_n(data(), size(), T{}); }
  Array2(const Array2& other) : Array2(uninitialized(other.rows_, other.cols_)) {
    std::copy_n(other.data(), size(), data());
  }
  Array2(Array2&& other) noexcept
      : rows_(std::exchange(other.rows_, 0)), cols_(std::exchange(other.cols_, 0)), data_(std::move(other.data_)) {}
  Array2& operator=(Array2 other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(cols_, other.cols_);
    std::swap(data_, other.data_);
    return *this;
  }

  /// For results whose every entry is written next: saves the pass that would clear the memory.
  static Array2 uninitialized(Index rows, Index cols) {
    Array2 array;
    const Index size = checked_size(rows, cols, sizeof(T));
    array.data_ = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(size));
    use_large_pages(array.data_.get(), static_cast<std::size_t>(size) * sizeof(T));
    array.rows_ = rows;
    array.cols_ = cols;
    return array;
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index size() const { return rows_ * cols_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T* row(Index i) { return data() + i * cols_; }
  const T* row(Index i) const { return data() + i * cols_; }
  T& operator()(Index i, Index j) { return data_[static_cast<std::size_t>(i * cols_ + j)]; }
  const T& operator()(Index i, Index j) const { return data_[static_cast<std::size_t>(i * cols_ + j)]; }
  MatrixView<T> view() const UNROLL_VIEWED { return {data(), rows_, cols_, cols_}; }
  bool operator==(const Array2& other) const {
    return rows_ == other.rows_ && cols_ == other.cols_ && std::equal(data(), data() + size(), other.data());
  }

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  std::unique_ptr<T[]> data_;
};

}  // namespace unroll
