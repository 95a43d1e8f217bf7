#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "core/own_points.h"
#include "data/feature_scaler.h"
#include "spectral/landmarks.h"
#include "spectral/spectral_embedding.h"
#include "unroll/affinity/graph_weights.h"
#include "unroll/core/error.h"
#include "unroll/core/model.h"
#include "unroll/quality/quality.h"

/// What Laplacian eigenmaps, diffusion maps and spectral clustering do alike with options of the same names.
namespace unroll {

template <class Options>
void check_given(const Options& options, std::string_view who) {
  const bool is_matrix = options.metric == Metric::Precomputed || options.weights == EdgeWeights::Precomputed;
  if (is_matrix && options.scale != Scaling::None)
    throw Error(ErrorKind::InvalidOption, fmt::format("{}: scale={} is for features, but the input is a matrix; use "
                                                      "scale=none",
                                                      who, name_of(options.scale)));
  if (is_matrix && options.n_landmarks)
    throw Error(ErrorKind::Unsupported,
                fmt::format("{}: n_landmarks needs points, not a matrix of them; leave it out", who));
}

/// "Choose for me" replaced by the choice, and what does not go together refused.
template <class Options>
void resolve_graph_options(Index n, Options& options, std::string_view who) {
  check_given(options, who);
  if (options.n_neighbors && *options.n_neighbors >= n)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: n_neighbors={} must be less than the number of points, {}; use a smaller n_neighbors",
                            who, *options.n_neighbors, n));
  if (options.n_landmarks) check_landmarks(who, *options.n_landmarks, 1, n);
  const bool has_graph = options.graph == GraphKind::Neighbors && options.weights != EdgeWeights::Precomputed;
  if (has_graph && !options.n_neighbors && !options.radius) options.n_neighbors = std::min<Index>(10, n - 1);
}

/// The same for a sparse matrix, which is of distances unless it is of weights.
template <class Options>
void resolve_sparse_options(Index n, Options& options, std::string_view who) {
  if (options.weights != EdgeWeights::Precomputed) options.metric = Metric::Precomputed;
  check_given(options, who);
  if (options.n_neighbors && *options.n_neighbors >= n)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: n_neighbors={} must be less than the number of points, {}; use a smaller n_neighbors",
                            who, *options.n_neighbors, n));
}

/// The method on the landmarks alone; all points, the landmarks too, are placed as new ones. The error that is told is
/// the Procrustes disparity of the landmarks' map and the one that every second of them gives.
template <class Options, class Fit>
Model fit_by_landmarks(const ScaledPoints& scaled, const Options& options, std::string_view who, const Run& run,
                       const Fit& fit) {
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
  std::vector<Index> half;
  for (std::size_t i = 0; i < chosen.size(); i += 2) half.push_back(chosen[i]);
  std::optional<double> error;
  if (std::ssize(half) > embedding.coordinates.cols() + 2) {
    try {
      error = procrustes(embedding.coordinates, fitted(half).transform(view_of(copied(points, chosen)), run), run);
    } catch (const Error& failed) {
      if (failed.kind() == ErrorKind::Cancelled || failed.kind() == ErrorKind::OutOfMemory) throw;
    }
  }
  try {
    embedding.coordinates = map.transform(points, run);
  } catch (const Error& failed) {
    if (failed.kind() != ErrorKind::InvalidData) throw;
    throw Error(ErrorKind::InvalidData,
                fmt::format("{}: not all points can be placed by the landmarks ({}); use landmarks=maxmin, or a larger "
                            "n_landmarks",
                            who, failed.what()));
  }
  report_landmarks(chosen, error, embedding);
  return Model({.method = std::string(who),
                .options = option_values(options),
                .n_features = points.cols(),
                .embedding = std::move(embedding),
                .transformer = with_scaling(scaled.scaler(), map.transformer())});
}

}  // namespace unroll
