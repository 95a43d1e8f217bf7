#pragma once
#include <memory>
#include <vector>

#include "eigen/principal_axes.h"
#include "linalg/centered_points.h"
#include "unroll/core/model.h"

namespace unroll {

/// The smallest ratio of an eigenvalue to the next that counts as a gap, and suggests a dimension.
inline constexpr double kTellableGap = 2;

/// Variances and singular values in the units of the data. For data near 1e300 or 1e-300 they leave the range of double
/// although the coordinates do not. They are then given for data multiplied by `unit`, with a warning.
struct ExplainedVariance {
  double unit = 1;
  std::vector<double> explained = {}, singular = {};
  double total = 0;
};
ExplainedVariance explained_variance(const PrincipalAxes& axes, double scale, Index n);

/// The attributes of principal axes: variances, rank, gap, mean, and the axes themselves.
Attributes report_axes(const PrincipalAxes& axes, const CenteredPoints& z, const ExplainedVariance& variance,
                       const std::shared_ptr<const Array2<double>>& components);
std::vector<Warning> axes_warnings(const PrincipalAxes& axes, const ExplainedVariance& variance);

}  // namespace unroll
