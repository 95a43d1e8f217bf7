#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "core/finite.h"
#include "core/method_fit.h"
#include "core/owned_points.h"
#include "frame/shared_options.h"
#include "sources/landmark_embedding.h"

namespace unroll {

/// The method's steps on the landmarks alone; all points, the landmarks too, are placed as new ones. The error that is
/// reported is the Procrustes disparity of the landmarks' map and the one that every second of them gives.
template <class Options>
MethodFit map_by_landmarks(const Input& input, const Options& options, const Run& run,
                           MethodFit (*map)(const Input&, const Options&, const Run&)) {
  const PointsView points = input.full();
  const std::vector<Index> chosen = input_landmarks(input, options, run);
  Options own = options;
  own.n_landmarks = {};
  const auto mapped = [&](const std::vector<Index>& some) {
    if (own.n_neighbors) own.n_neighbors = std::min<std::int64_t>(*own.n_neighbors, std::ssize(some) - 1);
    return map(view_of(copied(points, some)), own, run);
  };
  MethodFit fit = mapped(chosen);
  const std::optional<double> error = half_sample_error(
      chosen, fit.embedding.coordinates,
      [&](const std::vector<Index>& half) {
        return mapped(half).transformer->transform(view_of(copied(points, chosen)), run);
      },
      run);
  try {
    fit.embedding.coordinates = fit.transformer->transform(points, run);
  } catch (const Error& failed) {
    if (failed.kind() != ErrorKind::InvalidData) throw;
    throw Error(ErrorKind::InvalidData, {.problem = fmt::format("{}cannot be placed by the landmarks: {}",
                                                                failed.row() < 0 ? "a point " : "", failed.problem()),
                                         .advice = "use landmarks=maxmin, or a larger n_landmarks",
                                         .row = failed.row()});
  }
  require_finite(fit.embedding.coordinates, "coordinates");
  report_landmarks(chosen, error, fit.embedding);
  return fit;
}

}  // namespace unroll
