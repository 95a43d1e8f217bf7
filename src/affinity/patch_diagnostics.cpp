#include "affinity/patch_diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace unroll {

void PatchDiagnostics::report(Neighborhoods& neighborhoods) const {
  report_negative(neighborhoods);
  if (const auto flat = std::count(is_flat_.begin(), is_flat_.end(), char{1}); flat > 0)
    neighborhoods.warnings.push_back(
        {"flat-neighborhoods",
         fmt::format("{} of {} neighborhoods have points in too few directions for n_components={} (identical or "
                     "collinear ones): their missing directions follow from the neighborhoods around them",
                     flat, is_flat_.size(), n_components_),
         "remove duplicates, or use a larger n_neighbors or a smaller n_components"});
}

void PatchDiagnostics::report_negative(Neighborhoods& neighborhoods) const {
  constexpr double kWorthAWarning = 0.01;
  if (negative_.empty()) return;
  const double mean = std::accumulate(negative_.begin(), negative_.end(), 0.0) / static_cast<double>(negative_.size());
  neighborhoods.attributes.emplace_back("negative_mass", mean);
  if (mean <= kWorthAWarning) return;
  neighborhoods.warnings.push_back(
      {"not-euclidean",
       fmt::format("negative eigenvalues are {:.1f} % of the neighborhoods' inner products, on average, and were left "
                   "out: no points have these distances",
                   100 * mean),
       "use distances between points in a space, or a method that needs none (isomap)"});
}

}  // namespace unroll
