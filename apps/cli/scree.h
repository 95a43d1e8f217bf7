#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unroll/core/model.h"

namespace unroll::cli {

/// What the eigenvalues of a fitted method tell about the number of dimensions.
struct Scree {
  std::vector<double> values = {};     ///< as the method reads them; zeros at the end are left out
  std::vector<double> residuals = {};  ///< per pair
  std::vector<double> share = {};      ///< of the sum; empty where the method reads the small end
  std::vector<double> ratio = {};      ///< to the next; infinite where that is not positive, NaN where there is none
  std::vector<double> residual_variance = {};  ///< empty: the method tells none
  bool of_total = false;                       ///< the share is of all there is, not only of the values here
  std::optional<std::int64_t> suggested = {};
  std::string reason = {};  ///< for the suggestion, or for there being none
};

/// `most` is the number of eigenvalues that data of that shape can have: behind them comes nothing, which is no gap.
Scree scree_of(const Model& model, Index most);

}  // namespace unroll::cli
