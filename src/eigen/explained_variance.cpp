#include "eigen/explained_variance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace unroll {
namespace {

/// The steepest fall of the eigenvalues, among the axes that hold 99.9 % of the variance.
struct Gap {
  std::int64_t after = 0;
  double ratio = 1;
};
Gap spectral_gap(const PrincipalAxes& axes) {
  Gap gap;
  double held = 0;
  for (std::size_t i = 0; i + 1 < axes.values.size() && held < 0.999 * axes.total; ++i) {
    held += axes.values[i];
    const double next = std::max(axes.values[i + 1], 0x1p-52 * axes.values[0]);
    if (axes.values[i] / next > gap.ratio) gap = {static_cast<std::int64_t>(i) + 1, axes.values[i] / next};
  }
  return gap;
}

}  // namespace

ExplainedVariance explained_variance(const PrincipalAxes& axes, double scale, Index n) {
  const double divisor = static_cast<double>(std::max<Index>(n - 1, 1));
  const double largest = axes.total / divisor / scale / scale;
  const bool in_range = axes.total == 0 || (std::isfinite(largest) && largest > 0x1p-900);
  ExplainedVariance result{.unit = in_range ? 1 : scale};
  const double rescale = result.unit / scale;
  for (Index k = 0; k < axes.axes.rows(); ++k) {
    const double value = axes.values[static_cast<std::size_t>(k)];
    result.explained.push_back(value / divisor * rescale * rescale);
    result.singular.push_back(std::sqrt(value) * rescale);
  }
  result.total = axes.total / divisor * rescale * rescale;
  return result;
}

Attributes report_axes(const PrincipalAxes& axes, const CenteredPoints& z, const ExplainedVariance& variance,
                       const std::shared_ptr<const Array2<double>>& components) {
  const Index n = z.rows();
  std::vector<double> ratio, mean;
  for (Index k = 0; k < axes.axes.rows(); ++k)
    ratio.push_back(axes.total == 0 ? 0 : axes.values[static_cast<std::size_t>(k)] / axes.total);
  for (const double c : z.center) mean.push_back(c / z.scale);
  const double explained = std::accumulate(variance.explained.begin(), variance.explained.end(), 0.0);
  const double left = std::max(0.0, variance.total - explained);
  const Gap gap = spectral_gap(axes);
  Attributes list{
      {"explained_variance", variance.explained},
      {"explained_variance_ratio", ratio},
      {"singular_values", variance.singular},
      {"total_variance", variance.total},
      {"reconstruction_error", left * static_cast<double>(n - 1) / static_cast<double>(n)},
      {"variance_unit", variance.unit},
      {"mean", mean},
      {"components", components},
  };
  // The randomized solver knows only the leading eigenvalues: neither the rank nor the gap after them.
  if (axes.solver != AxesSolver::Randomized) {
    list.emplace_back("rank", std::int64_t{axes.rank});
    list.emplace_back("spectral_gap", gap.ratio);
    if (gap.ratio >= kTellableGap) list.emplace_back("suggested_components", gap.after);
  }
  return list;
}

std::vector<Warning> axes_warnings(const PrincipalAxes& axes, const ExplainedVariance& variance) {
  std::vector<Warning> list;
  const Index count = axes.axes.rows();
  if (axes.total == 0) {
    list.push_back({"zero-variance", "all points are identical: every coordinate is zero", "check the input"});
  } else if (axes.rank < count) {
    list.push_back({"rank-deficient",
                    fmt::format("the data have rank {}: the other {} of {} coordinates hold nothing but rounding",
                                axes.rank, count - axes.rank, count),
                    fmt::format("ask for n_components={}", axes.rank)});
  }
  // Eigenvalues have errors of about eps * lambda_1: below 1e-10 of the largest, fewer than six digits are right.
  const Index kept = std::min(count, axes.rank);
  const double smallest = kept > 0 ? axes.values[static_cast<std::size_t>(kept - 1)] / axes.values.front() : 1;
  if (smallest < 1e-10)
    list.push_back(
        {"wide-range",
         fmt::format("the smallest variance kept is {:.0e} of the largest and has few right digits", smallest),
         "use scale=standardize if the features have different units"});
  if (variance.unit != 1)
    list.push_back({"variance-range",
                    fmt::format("the variances leave the range of double: explained_variance, singular_values, "
                                "total_variance and reconstruction_error are those of the data times {:g}",
                                variance.unit),
                    "rescale the data if you need variances in their own units"});
  return list;
}

}  // namespace unroll
