#include "affinity/centered_operator.h"

#include <vector>

namespace unroll {

void center_columns(Array2<double>& x) {
  std::vector<double> mean(static_cast<std::size_t>(x.cols()));
  for (Index i = 0; i < x.rows(); ++i)
    for (Index k = 0; k < x.cols(); ++k) mean[static_cast<std::size_t>(k)] += x(i, k);
  for (double& m : mean) m /= static_cast<double>(x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index k = 0; k < x.cols(); ++k) x(i, k) -= mean[static_cast<std::size_t>(k)];
}

void CenteredOperator::apply(const Array2<double>& x, Array2<double>& y, const Run& run) const {
  Array2<double> centered = x;
  center_columns(centered);
  multiply(w_, centered, y, run);
  center_columns(y);
}

}  // namespace unroll
