#pragma once
#include <Eigen/Core>

#include "unroll/core/types.h"

namespace unroll {

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Eigen's view of an array, without a copy. The array keeps owning the memory.
template <class T>
Eigen::Map<const RowMajor<T>> as_eigen(const Array2<T>& array) {
  return {array.data(), array.rows(), array.cols()};
}
template <class T>
Eigen::Map<RowMajor<T>> as_eigen(Array2<T>& array) {
  return {array.data(), array.rows(), array.cols()};
}

}  // namespace unroll
