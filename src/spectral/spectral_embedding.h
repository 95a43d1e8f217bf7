#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "affinity/similarities.h"
#include "spectral/placing.h"
#include "spectral/recipe.h"
#include "unroll/core/model.h"
#include "unroll/linalg/eigen_solver_choice.h"

/// Runs the table: steps 3b to 5 of the general algorithm, for any row of recipe.h and the W that its method made.
namespace unroll {

struct SpectralSettings {
  std::string_view who = {};  ///< the method, in messages
  Index n_components = 2;
  EigenSolver solver = EigenSolver::Auto;
  std::uint64_t seed = 0;
  double unit = 1;  ///< a length of the data as the root of W measures it: a power of two
};

struct SpectralEmbedding {
  Array2<double> coordinates = {};
  Spectrum spectrum = {};      ///< in the units of W, without the scale of distances where that keeps it in range
  double eigenvalue_unit = 1;  ///< not 1: the eigenvalues are those of the distances times this
  Placing placing = {};        ///< of new points
  Index rank = 0;              ///< coordinates that are not zero
  std::vector<std::string> tried = {};  ///< solvers that failed before the one that did not, and why
};

/// Throws InvalidOption when there are not as many coordinates as asked for, InvalidData when they leave the range of
/// double.
SpectralEmbedding embed(const Recipe& row, const Similarities& w, const SpectralSettings& settings, const Run& run);

/// The same from landmarks: `distances` leads from each of them (a row) to all points. The row's problem is solved for
/// the landmarks, and every point is placed as a new one would be (de Silva & Tenenbaum 2004; the Nystrom method of
/// Platt 2005).
struct LandmarkEmbedding {
  SpectralEmbedding embedding = {};
  /// Procrustes disparity (0 to 1) of the landmarks' map and the one that every second of them gives: twice as many
  /// landmarks would change the map by less. None: too few landmarks, or no extent to compare.
  std::optional<double> error = {};
};
template <class T>
LandmarkEmbedding embed_by_landmarks(const Recipe& row, const Array2<T>& distances, double scale,
                                     const std::vector<Index>& landmarks, const SpectralSettings& settings,
                                     const Run& run);

/// Sets the spectrum, given for distances times `scale`, in the squared unit of the distances where double has room
/// for that.
void set_spectrum(Spectrum scaled, double scale, SpectralEmbedding& out);

/// What a model says of it: coordinates, spectrum, diagnostics (rank, eigenvalue_unit), and a warning where there are
/// fewer dimensions than were asked for.
Embedding embedding_of(SpectralEmbedding result);

/// Says which solvers failed before the one that did not.
void report_solvers(const std::vector<std::string>& tried, const std::string& solver, Embedding& embedding);

/// Diagnostics landmarks and landmark_error, and a warning where they are too few, or too few to tell the error (but
/// not where all points are landmarks).
void report_landmarks(const std::vector<Index>& landmarks, std::optional<double> error, Embedding& embedding);

}  // namespace unroll
