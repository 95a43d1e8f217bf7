#include "local/negative_mass.h"

#include <fmt/format.h>

#include <numeric>

namespace unroll {

void NegativeMass::report(Neighborhoods& hoods) const {
  constexpr double kMuch = 0.01;
  if (shares_.empty()) return;
  const double mean = std::accumulate(shares_.begin(), shares_.end(), 0.0) / static_cast<double>(shares_.size());
  hoods.diagnostics.emplace_back("negative_mass", mean);
  if (mean <= kMuch) return;
  hoods.warnings.push_back(
      {"not-euclidean",
       fmt::format("negative eigenvalues are {:.1f} % of the neighborhoods' inner products, on average, and were left "
                   "out: no points have these distances",
                   100 * mean),
       "use metric=euclidean, or a method that does not need it (isomap)"});
}

}  // namespace unroll
