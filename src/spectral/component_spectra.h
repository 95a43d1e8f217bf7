#pragma once
#include <vector>

#include "spectral/embedding.h"

namespace unroll {

/// Sets the spectra of the components, in the unit of fit.spectrum, the largest component first. Components without
/// eigenvalues are left out, and those whose eigenvalues double cannot hold in that unit.
void set_component_spectra(const Recipe& row, std::vector<ComponentSpectrum> parts, const SpectralSettings& settings,
                           SpectralFit& fit);

}  // namespace unroll
