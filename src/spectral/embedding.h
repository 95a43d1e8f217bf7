#pragma once
#include <string>
#include <vector>

#include "spectral/placing.h"
#include "spectral/source.h"
#include "unroll/core/model.h"

/// Runs THE TABLE: steps 3b to 5 of the general algorithm, for every row of recipe.h and any source of W.
namespace unroll {

/// Where the eigenvalues of one map end.
struct MapEnd {
  Index count = 0;  ///< coordinates of its own
  double norm = 0;  ///< of its operator; eigenvalues count as equal relative to it
  bool last_group_is_cut = false;
};

struct SpectralFit {
  Array2<double> coordinates = {};
  Spectrum spectrum = {};  ///< if there are several maps, that of the largest component that is more than a point
  std::vector<ComponentSpectrum> parts = {};  ///< as in Embedding
  double eigenvalue_unit = 1;                 ///< not 1: the eigenvalues belong to the distances times this
  Placing placing = {};                       ///< of new points
  Index rank = 0;                             ///< coordinates that are not zero
  std::vector<MapEnd> ends = {};              ///< per map; graphs only
  std::vector<std::string> tried = {};        ///< solvers that failed before one succeeded, and why
  std::vector<Warning> warnings = {};
  Attributes attributes = {};
};

/// Whether every component has a map of its own.
bool is_apart(const Source& source, const SpectralSettings& settings);
/// The components that are more than a point, largest first: those that have a map if components have their own.
std::vector<Index> mapped_components(const Source& source);
/// The largest number of coordinates that can be asked for.
Index most_coordinates(const Recipe& row, const Source& source, const SpectralSettings& settings);

/// Throws InvalidOption if there are fewer coordinates than asked for, Unsupported if the source does not allow a cell
/// of the row, InvalidData if coordinates leave the range of double.
SpectralFit embed(const Recipe& row, const Source& source, const SpectralSettings& settings, const Run& run);

/// Sets the spectrum, which is given for distances times `scale`, in the squared unit of the distances if double can
/// hold that.
void set_spectrum(Spectrum scaled, double scale, SpectralFit& out);

/// The fit as a model reports it: coordinates, spectrum, warnings, and for centred rows the attributes rank and
/// eigenvalue_unit.
Embedding embedding_of(SpectralFit fit);

/// Reports the solvers that failed before one succeeded.
void report_solvers(const std::vector<std::string>& tried, const std::string& solver, Embedding& embedding);

}  // namespace unroll
