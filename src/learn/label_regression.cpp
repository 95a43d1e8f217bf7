#include "learn/label_regression.h"

#include <algorithm>
#include <utility>

#include "core/at.h"
#include "linalg/small_eigen.h"

namespace unroll {
namespace {

/// The functions less their means over the points that are labeled.
Array2<double> centered_functions(Array2<double> functions, const std::vector<Index>& places) {
  const auto labeled = static_cast<double>(std::ssize(places) - std::count(places.begin(), places.end(), -1));
  for (Index k = 0; k < functions.rows(); ++k) {
    double sum = 0;
    for (Index i = 0; i < functions.cols(); ++i)
      if (places[at(i)] >= 0) sum += functions(k, i);
    for (Index i = 0; i < functions.cols(); ++i) functions(k, i) -= sum / labeled;
  }
  return functions;
}

/// matrix^+ right, for a positive semidefinite matrix with both triangles; eigenvalues of rounding count as 0.
Array2<double> pseudo_solve(std::vector<double> matrix, const Array2<double>& right) {
  constexpr double kRounding = 1e-12;
  const Index m = right.rows();
  std::vector<double> values(at(m));
  SmallEigenScratch scratch;
  small_symmetric_eigen(m, matrix, values, scratch);
  Array2<double> result(m, right.cols());
  for (Index e = 0; e < m && values[at(e)] > kRounding * values.front(); ++e) {
    const double* vector = matrix.data() + e * m;
    for (Index c = 0; c < right.cols(); ++c) {
      double part = 0;
      for (Index k = 0; k < m; ++k) part += vector[k] * right(k, c);
      for (Index k = 0; k < m; ++k) result(k, c) += part / values[at(e)] * vector[k];
    }
  }
  return result;
}

}  // namespace

Array2<double> class_functions(Array2<double> functions, const std::vector<Index>& places, Index classes,
                               const Run& run) {
  const Array2<double> centered = centered_functions(std::move(functions), places);
  const Index m = centered.rows(), n = centered.cols();
  std::vector<double> gram(at(m * m)), shares(at(classes));
  Array2<double> right(m, classes);
  double labeled = 0;
  for (Index i = 0; i < n; ++i) {
    const Index own = places[at(i)];
    if (own < 0) continue;
    run.check_cancelled();
    ++labeled, ++shares[at(own)];
    for (Index k = 0; k < m; ++k) {
      right(k, own) += centered(k, i);  // the mean of the indicator drops out: the functions are centered
      for (Index l = 0; l < m; ++l) gram[at(k * m + l)] += centered(k, i) * centered(l, i);
    }
  }
  const Array2<double> coefficients = pseudo_solve(std::move(gram), right);
  Array2<double> result(n, classes);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < classes; ++c) {
      result(i, c) = shares[at(c)] / labeled;
      for (Index k = 0; k < m; ++k) result(i, c) += centered(k, i) * coefficients(k, c);
    }
  return result;
}

}  // namespace unroll
