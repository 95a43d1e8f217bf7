#include "layout/principal_factor.h"

#include <algorithm>

#include "core/at.h"
#include "core/matrix_copies.h"
#include "linalg/small_eigen.h"
#include "linalg/symmetric_eigen.h"
#include "neighbors/components_policy.h"

namespace unroll {
namespace {

/// The rows of one component, turned.
Array2<double> turned(const Array2<double>& y, const std::vector<Index>& points) {
  const Index rank = y.cols(), n = std::ssize(points);
  std::vector<double> gram(at(rank * rank)), values(at(rank));
  for (const Index i : points)
    for (Index a = 0; a < rank; ++a)
      for (Index b = 0; b < rank; ++b) gram[at(a * rank + b)] += y(i, a) * y(i, b);
  SmallEigenScratch scratch;
  small_symmetric_eigen(rank, gram, values, scratch);
  Array2<double> axes(rank, n);  // one per row
  for (Index a = 0; a < rank; ++a)
    for (Index k = 0; k < n; ++k)
      for (Index b = 0; b < rank; ++b) axes(a, k) += gram[at(a * rank + b)] * y(points[at(k)], b);
  canonicalize_signs(axes);
  return axes;
}

}  // namespace

Array2<double> principal_factor(const Array2<double>& y, const Components& components) {
  Array2<double> factor(y.rows(), y.cols());
  for (const std::vector<Index>& points : ComponentPoints(components).members) {
    const Array2<double> axes = turned(y, points);
    for (std::size_t k = 0; k < points.size(); ++k)
      for (Index a = 0; a < y.cols(); ++a) factor(points[k], a) = axes(a, static_cast<Index>(k));
  }
  return factor;
}

Array2<double> side_by_side_map(const Array2<double>& factor, const Components& components, Index n_components,
                                double unit) {
  Array2<double> map(factor.rows(), n_components);
  for (Index i = 0; i < map.rows(); ++i)
    for (Index d = 0; d < std::min(n_components, factor.cols()); ++d) map(i, d) = factor(i, d) / unit;
  if (components.count() == 1) return map;
  const std::vector<double> offsets = side_by_side(map, components);
  for (Index i = 0; i < map.rows(); ++i) map(i, 0) += offsets[at(components.labels[at(i)])];
  return map;
}

}  // namespace unroll
