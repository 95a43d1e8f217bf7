#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spectral/embedding.h"

/// Maps that are spanned by landmarks, and an estimate of their error.
namespace unroll {

/// Procrustes disparity (0 to 1) between the map of all landmarks and the map of every second one: twice as many
/// landmarks would change the map by less. `map` has a row per landmark, `map_by` makes the same from the half. None:
/// the half is too small for a map, or its map has no extent to compare.
std::optional<double> half_sample_error(const std::vector<Index>& landmarks, const Array2<double>& map,
                                        const std::function<Array2<double>(const std::vector<Index>& half)>& map_by,
                                        const Run& run);

/// Solves the row's problem for the landmarks and places every point as a new one (de Silva & Tenenbaum 2004; the
/// Nystrom method of Platt 2005). `distances` has a row per landmark, to all points: W of the landmarks is all that is
/// known of W, and it is no approximation of the whole.
struct LandmarkFit {
  SpectralFit fit = {};
  std::optional<double> error = {};  ///< see half_sample_error
};
template <class T>
LandmarkFit embed_by_landmarks(const Recipe& row, const Array2<T>& distances, double scale,
                               const std::vector<Index>& landmarks, const SpectralSettings& settings, const Run& run);

/// Adds the attributes landmarks and landmark_error, and a warning if there are too few landmarks for the map or for
/// the error. There is no warning if all points are landmarks.
void report_landmarks(const std::vector<Index>& landmarks, std::optional<double> error, Embedding& embedding,
                      std::string advice = "use a larger n_landmarks, or leave it out");

}  // namespace unroll
