#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/own_points.h"
#include "data/feature_scaler.h"
#include "neighbors/landmarks.h"
#include "spectral/landmark_embedding.h"
#include "unroll/core/error.h"
#include "unroll/core/model.h"
#include "unroll/quality/quality.h"

namespace unroll {

/// The method on the landmarks alone; all points, the landmarks too, are placed as new ones. The error that is told is
/// the Procrustes disparity of the landmarks' map and the one that every second of them gives.
template <class Options, class Fit>
Model fit_by_landmarks(const ScaledPoints& scaled, const Options& options, const Run& run, const Fit& fit) {
  const PointsView points = scaled.view();
  const NeighborOptions metric{.metric = options.metric, .p = options.p};
  const std::vector<Index> chosen = choose_landmarks(points, *options.n_landmarks, options.landmarks, metric,
                                                     static_cast<std::uint64_t>(options.random_state), run);
  Options own = options;
  own.n_landmarks = {};
  own.scale = Scaling::None;
  const auto fitted = [&](const std::vector<Index>& some) {
    if (own.n_neighbors) own.n_neighbors = std::min<std::int64_t>(*own.n_neighbors, std::ssize(some) - 1);
    return fit(view_of(copied(points, some)), own, run);
  };
  const Model map = fitted(chosen);
  Embedding embedding = map.embedding();
  const std::optional<double> error = half_sample_error(
      chosen, embedding.coordinates,
      [&](const std::vector<Index>& half) { return fitted(half).transform(view_of(copied(points, chosen)), run); },
      run);
  try {
    embedding.coordinates = map.transform(points, run);
  } catch (const Error& failed) {
    if (failed.kind() != ErrorKind::InvalidData) throw;
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: not all points can be placed by the landmarks ({}); use landmarks=maxmin, or a larger "
                            "n_landmarks",
                            Options::method_name, failed.what()));
  }
  report_landmarks(chosen, error, embedding);
  return Model({.method = std::string(Options::method_name),
                .options = option_values(options),
                .n_features = points.cols(),
                .embedding = std::move(embedding),
                .transformer = with_scaling(scaled.scaler(), map.transformer())});
}

}  // namespace unroll
