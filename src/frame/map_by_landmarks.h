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

/// The method's steps on the landmarks alone; all points, the landmarks too, are placed as new ones. This is for
/// graphs, whose new points need the whole fit: distances from landmarks (embed_by_landmarks), patches of all points
/// (landmark_map.h) and columns of a kernel (embed_kernel_from) know all points already as they solve.
template <class Options>
MethodFit map_by_landmarks(const Input& input, const Options& options, const Run& run,
                           MethodFit (*map)(const Input&, const Options&, const Run&)) {
  const PointsView points = input.full();
  const std::vector<Index> chosen = input_landmarks(input, options, run);
  Options own = options;
  own.n_landmarks = {};
  const OwnedPoints landmarks = copied(points, chosen);
  MethodFit fit = map(view_of(landmarks), own, run);
  const std::optional<double> error = half_sample_error(
      chosen, fit.embedding.coordinates,
      [&](const std::vector<Index>& half) {
        // Half of the landmarks may be fewer than the neighbours asked for: then each is joined to all others.
        Options of_half = own;
        if constexpr (requires { own.n_neighbors; })
          if (own.n_neighbors) of_half.n_neighbors = std::min<std::int64_t>(*own.n_neighbors, std::ssize(half) - 1);
        const MethodFit by_half = map(view_of(copied(points, half)), of_half, run);
        return by_half.transformer->transform(view_of(landmarks), run);
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
