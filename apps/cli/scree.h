#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unroll/core/model.h"

namespace unroll::cli {

/// The eigenvalues of a fitted method and the number of dimensions that they suggest.
struct Scree {
  std::vector<double> values = {};      ///< in the order of the method, without zeros at the end unless asked for
  std::vector<double> residuals = {};   ///< per pair
  std::vector<double> share = {};       ///< of the sum; empty if the method reads the small end
  std::vector<double> cumulative = {};  ///< share of all values so far; empty as the share is
  std::vector<double> ratio = {};       ///< to the next; infinite where that is not positive, NaN where there is none
  std::vector<double> residual_variance = {};  ///< empty: the method has none
  bool of_total = false;                       ///< the share is of the total, not only of the values here
  std::optional<std::size_t> trivial = {};  ///< which of the values is the one that the method skips; none: not shown
  std::optional<std::int64_t> suggested = {};
  std::string reason = {};  ///< for the suggestion, or for there being none
};

/// `most` is the number of eigenvalues that data of that shape can have: there is no gap after the last of them.
/// Eigenvalues at the end that are zero but for rounding are left out, unless `with_zeros`.
Scree scree_of(const Model& model, Index most, bool with_zeros);

/// The eigenvalue of the constant vector, which a method of the table skips; none: it has no row in the table.
struct TrivialEigenvalue {
  double value = 0;
  bool comes_first = true;  ///< in the order of the method; otherwise it is one of the zeros behind
};
std::optional<TrivialEigenvalue> trivial_eigenvalue(const std::string& method);

/// Puts it at its place. It has neither a share nor a ratio.
void add_trivial(const TrivialEigenvalue& trivial, Scree& scree);

}  // namespace unroll::cli
