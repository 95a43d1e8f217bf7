#pragma once
#include <string>
#include <vector>

#include "spectral/placing.h"
#include "spectral/source.h"
#include "unroll/core/model.h"

/// Runs THE TABLE: steps 3b to 5 of the general algorithm, for every row of recipe.h and any source of W.
namespace unroll {

/// Of one map, where its eigenvalues end.
struct MapEnd {
  Index count = 0;  ///< coordinates of its own
  double norm = 0;  ///< of its operator: what equality of eigenvalues refers to
  bool last_group_is_cut = false;
};

struct SpectralFit {
  Array2<double> coordinates = {};
  Spectrum spectrum = {};               ///< of several maps, that of the largest which is more than a point
  double eigenvalue_unit = 1;           ///< not 1: the eigenvalues are those of the distances times this
  Placing placing = {};                 ///< of new points
  Index rank = 0;                       ///< coordinates that are not zero
  std::vector<MapEnd> ends = {};        ///< per map, of a graph
  std::vector<std::string> tried = {};  ///< solvers that failed before the one that did not, and why
  std::vector<Warning> warnings = {};
};

/// How many coordinates there are.
Index most_coordinates(const Recipe& row, const Components& components, bool separate);

/// Throws InvalidOption where there are not as many coordinates as asked for, Unsupported where the source cannot be
/// treated as the row says, InvalidData where coordinates leave the range of double.
SpectralFit embed(const Recipe& row, const Source& source, const SpectralSettings& settings, const Run& run);

/// Drops all coordinates but these, and all eigenvalues but theirs where `with_values`. Whether an eigenvalue occurs
/// more often than it is kept is judged anew.
void select_columns(const std::vector<Index>& columns, bool with_values, SpectralFit& fit);

/// Sets the spectrum, given for distances times `scale`, in the squared unit of the distances where double has room
/// for that.
void set_spectrum(Spectrum scaled, double scale, SpectralFit& out);

/// What a model says of it: coordinates, spectrum, warnings, and for centred rows the attributes rank and
/// eigenvalue_unit.
Embedding embedding_of(SpectralFit fit);

/// Says which solvers failed before the one that did not.
void report_solvers(const std::vector<std::string>& tried, const std::string& solver, Embedding& embedding);

}  // namespace unroll
