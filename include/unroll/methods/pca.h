#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "unroll/core/count_or_fraction.h"
#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/core/options.h"
#include "unroll/data/scaling.h"
#include "unroll/linalg/axes_solver.h"

namespace unroll {

/// Who says how many coordinates there are.
enum class PcaDimension {
  Given,  ///< n_components
  Mle,    ///< the likelihood of each number
};
constexpr auto enum_names(PcaDimension) {
  return std::array{Named{PcaDimension::Given, "given"}, Named{PcaDimension::Mle, "mle"}};
}

struct PcaOptions {
  static constexpr std::string_view method_name = "pca";
  static constexpr Index min_points = 1;
  static constexpr std::array input_kinds{InputKind::Points, InputKind::SparsePoints};

  CountOrFraction n_components = 2;
  PcaDimension dimension = PcaDimension::Given;
  bool whiten = false;
  AxesSolver solver = AxesSolver::Auto;
  Scaling scale = Scaling::None;
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

/// Principal component analysis (Pearson 1901, Hotelling 1933): the orthogonal directions of largest variance.
/// Attributes: explained_variance (divisor n-1; the 1/n form is (n-1)/n times it), explained_variance_ratio,
/// singular_values, total_variance, rank, reconstruction_error, mean, components; suggested_components only where the
/// eigenvalues have a gap.
UNROLL_API Model pca(const Input& input, const PcaOptions& options = {}, const Run& run = {});

}  // namespace unroll
