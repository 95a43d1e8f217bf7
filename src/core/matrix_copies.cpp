#include "core/matrix_copies.h"

#include "core/at.h"

namespace unroll {

Array2<double> transposed(const Array2<double>& a) {
  Array2<double> result = Array2<double>::uninitialized(a.cols(), a.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) result(j, i) = a(i, j);
  return result;
}

Array2<double> picked(PointsView matrix, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  const auto count = [](const std::vector<Index>& list, Index all) { return list.empty() ? all : std::ssize(list); };
  const auto nth = [](const std::vector<Index>& list, Index i) { return list.empty() ? i : list[at(i)]; };
  Array2<double> result = Array2<double>::uninitialized(count(rows, matrix.rows()), count(columns, matrix.cols()));
  matrix.visit([&](auto x) {
    for (Index i = 0; i < result.rows(); ++i)
      for (Index j = 0; j < result.cols(); ++j) result(i, j) = static_cast<double>(x(nth(rows, i), nth(columns, j)));
  });
  return result;
}

}  // namespace unroll
