#include "spectral/component_spectra.h"

#include <algorithm>
#include <cmath>

namespace unroll {
namespace {

/// What takes eigenvalues as they were computed to those of the report.
double unit_of(const Recipe& row, const SpectralSettings& settings, const SpectralFit& fit) {
  const double length = fit.eigenvalue_unit / settings.unit;
  if (row.operation == OperatorRule::Centered) return length * length;
  return row.operation == OperatorRule::Laplacian ? settings.unit : 1;
}

bool has_finite_values(const ComponentSpectrum& part) {
  return !part.values.empty() &&
         std::all_of(part.values.begin(), part.values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

void set_component_spectra(const Recipe& row, std::vector<ComponentSpectrum> parts, const SpectralSettings& settings,
                           SpectralFit& fit) {
  const double unit = unit_of(row, settings, fit);
  for (ComponentSpectrum& part : parts)
    for (double& value : part.values) value *= unit;
  std::erase_if(parts, [](const ComponentSpectrum& part) { return !has_finite_values(part); });
  std::stable_sort(parts.begin(), parts.end(),
                   [](const ComponentSpectrum& a, const ComponentSpectrum& b) { return a.points > b.points; });
  fit.parts = std::move(parts);
}

}  // namespace unroll
