#include "spectral/component_vectors.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "linalg/symmetric_eigen.h"

namespace unroll {
namespace {

/// Rows from `first` on: the constants of as many components as there is room for.
void set_indicators(const Components& components, Index first, Array2<double>& rows) {
  for (Index i = 0; i < rows.cols(); ++i) {
    const Index c = components.labels[at(i)];
    if (first + c < rows.rows()) rows(first + c, i) = 1 / std::sqrt(static_cast<double>(components.sizes[at(c)]));
  }
}

}  // namespace

Array2<double> indicators(const Components& components) {
  Array2<double> known(components.count(), std::ssize(components.labels));
  set_indicators(components, 0, known);
  return known;
}

Array2<double> contrasts(const Components& components, Index count) {
  const Index n = std::ssize(components.labels);
  Array2<double> with_constant(count + 1, n);
  std::fill_n(with_constant.row(0), n, 1.0);
  set_indicators(components, 1, with_constant);
  orthonormalize_rows(with_constant, count + 1);
  Array2<double> result = Array2<double>::uninitialized(count, n);
  std::copy_n(with_constant.row(1), result.size(), result.data());
  return result;
}

}  // namespace unroll
