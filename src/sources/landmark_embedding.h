#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "spectral/embedding.h"

/// Maps that landmarks span, and how far these can be trusted.
namespace unroll {

/// Procrustes disparity (0 to 1) of the landmarks' map and the one that every second of them gives: twice as many
/// landmarks would change the map by less. `map` has a row per landmark, `map_by` makes the same of the half. None:
/// half of them are too few for a map, or their map has no extent to compare.
std::optional<double> half_sample_error(const std::vector<Index>& landmarks, const Array2<double>& map,
                                        const std::function<Array2<double>(const std::vector<Index>& half)>& map_by,
                                        const Run& run);

/// The row's problem is solved for the landmarks, and every point is placed as a new one would be (de Silva & Tenenbaum
/// 2004; the Nystrom method of Platt 2005). `distances` leads from each landmark (a row) to all points.
struct LandmarkFit {
  SpectralFit fit = {};
  std::optional<double> error = {};  ///< see half_sample_error
};
template <class T>
LandmarkFit embed_by_landmarks(const Recipe& row, const Array2<T>& distances, double scale,
                               const std::vector<Index>& landmarks, const SpectralSettings& settings, const Run& run);

/// Attributes landmarks and landmark_error, and a warning where they are too few, or too few to tell the error (but
/// not where all points are landmarks).
void report_landmarks(const std::vector<Index>& landmarks, std::optional<double> error, Embedding& embedding);

}  // namespace unroll
